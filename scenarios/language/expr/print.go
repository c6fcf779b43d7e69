package expr

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/google/cel-go/common/ast"
	"github.com/google/cel-go/common/types"
	"github.com/google/cel-go/common/types/ref"
	"github.com/google/cel-go/common/types/traits"
	"github.com/google/cel-go/parser"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kubestep/kubestep/sim/kinds"
)

// maxShown is how many items of a list, or runes of a text, an explanation shows.
const maxShownItems, maxShownText = 5, 120

// quote writes a text the way conditions do: 'web'.
func quote(text string) string {
	quoted := strconv.Quote(text)
	if strings.ContainsAny(text, `'\`) {
		return quoted
	}
	return "'" + strings.ReplaceAll(quoted[1:len(quoted)-1], `\"`, `"`) + "'"
}

// show writes a value for a reader.
func show(value ref.Val) string {
	switch v := value.(type) {
	case types.String:
		return quote(shorten(string(v)))
	case types.Duration:
		return v.Duration.String()
	case types.Timestamp:
		return v.Time.UTC().Format(time.RFC3339Nano)
	case types.Null:
		return "null"
	case types.Bytes:
		return fmt.Sprintf("%d bytes", len(v))
	case *types.Optional:
		if !v.HasValue() {
			return "none"
		}
		return show(v.GetValue())
	case *object:
		return showObject(v)
	case traits.Lister:
		return "[" + strings.Join(showItems(v), ", ") + "]"
	case traits.Mapper:
		if o, ok := unstructuredOf(v); ok {
			return (&kinds.Kind{Singular: strings.ToLower(o.GetKind())}).Describe(o.GetNamespace(), o.GetName())
		}
		return showMap(v)
	}
	return shorten(fmt.Sprint(value.Value()))
}

// showObject names an object of the API, and writes any other struct as JSON.
func showObject(o *object) string {
	switch v := o.value.(type) {
	case *TraceRequest:
		resource := v.Resource
		if v.Subresource != "" {
			resource += "/" + v.Subresource
		}
		return fmt.Sprintf("%s %s %s/%s %d at %s", v.Actor, v.Verb, resource, v.Name, v.Code, v.At)
	case *TraceChange:
		return fmt.Sprintf("%s %s %s/%s %s %s -> %s at %s", v.Actor, v.Verb, v.Resource, v.Name, v.Path,
			shorten(v.Old.String()), shorten(v.New.String()), v.At)
	case *TraceEvent:
		return fmt.Sprintf("%s %s at %s", v.Reason, v.Regarding, v.At)
	case *TraceSync:
		return fmt.Sprintf("%s %s at %s", v.Controller, v.Key, v.At)
	case metav1.Object:
		if o.typ.kind != nil {
			return o.typ.kind.Describe(v.GetNamespace(), v.GetName())
		}
	}
	text, err := json.Marshal(o.value)
	if err != nil {
		return "a " + o.typ.name
	}
	return shorten(string(text))
}

// showItems writes the first items of a list, and how many more there are.
func showItems(list traits.Lister) []string {
	var items []string
	size := int(length(list))
	for i := 0; i < size && i < maxShownItems; i++ {
		items = append(items, show(list.Get(types.Int(i))))
	}
	if size > maxShownItems {
		items = append(items, fmt.Sprintf("and %d more", size-maxShownItems))
	}
	return items
}

func showMap(m traits.Mapper) string {
	var entries []string
	for it := (sortedMap{m}).Iterator(); it.HasNext() == types.True; {
		key := it.Next()
		entries = append(entries, show(key)+": "+show(m.Get(key)))
	}
	return shorten("{" + strings.Join(entries, ", ") + "}")
}

func shorten(text string) string {
	if utf8.RuneCountInString(text) <= maxShownText {
		return text
	}
	return string([]rune(text)[:maxShownText]) + "..."
}

// typeNames lists the types of arguments: (int, string).
func typeNames(args []ref.Val) string {
	names := make([]string, len(args))
	for i, arg := range args {
		names[i] = typeName(arg.Type())
	}
	return "(" + strings.Join(names, ", ") + ")"
}

func typeName(t ref.Type) string {
	switch name := t.TypeName(); name {
	case "google.protobuf.Duration":
		return "duration"
	case "google.protobuf.Timestamp":
		return "timestamp"
	default:
		return name
	}
}

// unparse writes a step as text again, as conditions are usually written: on one line, with single quotes.
func unparse(e ast.Expr, info *ast.SourceInfo) string {
	text, err := parser.Unparse(e, info, parser.WrapOnColumn(maxText*10))
	if err != nil {
		return "the expression"
	}
	return singleQuotes(text)
}

// singleQuotes turns "web" into 'web', unless there is a quote or a backslash in it.
func singleQuotes(text string) string {
	var out strings.Builder
	for i := 0; i < len(text); i++ {
		if text[i] != '"' {
			out.WriteByte(text[i])
			continue
		}
		end := i + 1
		for end < len(text) && text[end] != '"' {
			if text[end] == '\\' {
				end++
			}
			end++
		}
		end = min(end, len(text)-1)
		inner := text[i+1 : end]
		if strings.ContainsAny(inner, `'\`) {
			out.WriteString(text[i : end+1])
		} else {
			out.WriteString("'" + inner + "'")
		}
		i = end
	}
	return out.String()
}
