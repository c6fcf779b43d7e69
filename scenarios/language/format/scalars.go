package format

import (
	"math"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"gopkg.in/yaml.v3"
	"k8s.io/apimachinery/pkg/util/validation"

	"github.com/kubestep/kubestep/scenarios/language/notation"
	"github.com/kubestep/kubestep/scenarios/language/source"
)

// scalarParsers read the types that have a notation of their own.
var scalarParsers = map[reflect.Type]func(text string) (any, error){
	reflect.TypeFor[notation.Duration](): func(s string) (any, error) { return notation.ParseDuration(s) },
	reflect.TypeFor[notation.Delay]():    func(s string) (any, error) { return notation.ParseDelay(s) },
	reflect.TypeFor[time.Time]():         func(s string) (any, error) { return parseTime(s) },
	reflect.TypeFor[notation.Range]():    func(s string) (any, error) { return notation.ParseRange(s) },
	reflect.TypeFor[notation.Quantity](): func(s string) (any, error) { return notation.ParseQuantity(s) },
}

// scalar decodes one word or string into v.
func (d *decoder) scalar(path string, node *yaml.Node, f field, v reflect.Value) {
	if node.Kind != yaml.ScalarNode {
		try := scalarTry(v)
		if v.Kind() == reflect.String && node.Kind == yaml.MappingNode {
			try = `write "|" after the name, and the text on the lines below`
		}
		d.fail(path, node, try, "must be %s, not %s", wanted(v), source.Described(node))
		return
	}
	if parse, ok := scalarParsers[v.Type()]; ok {
		parsed, err := parse(node.Value)
		if err != nil {
			at := source.Position{Line: node.Line, Column: node.Column}
			d.report(d.scenario.Place(err, path, at))
			return
		}
		if period, ok := parsed.(notation.Duration); ok && period.Duration > 0 && period.Duration < f.floor {
			d.fail(path, node, notation.Text(f.floor), "must be at least %s", notation.Text(f.floor))
			return
		}
		v.Set(reflect.ValueOf(parsed))
		return
	}
	switch v.Kind() {
	case reflect.String:
		d.text(path, node, f, v)
	case reflect.Bool:
		d.boolean(path, node, v)
	default:
		d.number(path, node, f, v)
	}
}

func wanted(v reflect.Value) string {
	switch {
	case v.Type() == reflect.TypeFor[notation.Duration](), v.Type() == reflect.TypeFor[notation.Delay]():
		return "a duration"
	case v.Type() == reflect.TypeFor[time.Time]():
		return "a date"
	case v.Type() == reflect.TypeFor[notation.Quantity]():
		return "a quantity"
	case v.Type() == reflect.TypeFor[notation.Range]():
		return "a range"
	case v.Kind() == reflect.String:
		return "a string"
	case v.Kind() == reflect.Bool:
		return "true or false"
	case v.Kind() == reflect.Float64:
		return "a number"
	}
	return "a whole number"
}

func scalarTry(v reflect.Value) string {
	switch wanted(v) {
	case "a duration":
		return "5s"
	case "a date":
		return DefaultStart.Format(time.RFC3339)
	case "a quantity":
		return "500m"
	case "a range":
		return "1..12"
	case "a string":
		return `"TEXT"`
	case "true or false":
		return "true"
	}
	return "a number such as 3"
}

// text decodes a string. Numbers, booleans and dates must be quoted, as Kubernetes wants it for
// labels and image tags, because YAML would otherwise change them: 1.10 is the number 1.1.
func (d *decoder) text(path string, node *yaml.Node, f field, v reflect.Value) {
	value := node.Value
	switch {
	case f.enum != nil && !slices.Contains(f.enum, value):
		d.fail(path, node, notation.EnumSuggestion(f.enum, value), "unknown value %q", value)
		return
	case node.ShortTag() != "!!str":
		d.fail(path, node, strconv.Quote(value), "must be a string, not %s", source.Described(node))
		return
	case f.name != mapValue && strings.TrimSpace(value) == "":
		d.fail(path, node, emptyTry(path), "is empty")
		return
	case f.isName && len(validation.IsDNS1123Label(value)) > 0:
		d.fail(path, node, notation.LabelFrom(value), "%q is not a DNS-1123 label "+
			"(lower case letters, digits and dashes, at most 63)", value)
		return
	}
	d.scenario.PutText(path, node)
	v.SetString(value)
}

func (d *decoder) boolean(path string, node *yaml.Node, v reflect.Value) {
	switch strings.ToLower(node.Value) {
	case "true", "false":
		if node.ShortTag() == "!!bool" {
			v.SetBool(strings.EqualFold(node.Value, "true"))
			return
		}
		d.fail(path, node, strings.ToLower(node.Value), "must be true or false without quotes")
	case "yes", "on", "1", "y":
		d.fail(path, node, "true", "must be true or false, not %s", source.Described(node))
	case "no", "off", "0", "n":
		d.fail(path, node, "false", "must be true or false, not %s", source.Described(node))
	default:
		d.fail(path, node, "true, false", "must be true or false, not %s", source.Described(node))
	}
}

var leadingZero = regexp.MustCompile(`^[-+]?0[0-9_]`)

// number decodes integers and floats and checks their bounds.
func (d *decoder) number(path string, node *yaml.Node, f field, v reflect.Value) {
	tag, text := node.ShortTag(), strings.ReplaceAll(node.Value, "_", "")
	if tag != "!!int" && (tag != "!!float" || v.Kind() != reflect.Float64) {
		try := scalarTry(v)
		if _, err := strconv.ParseInt(strings.TrimSpace(text), 10, 64); err == nil {
			try = strings.TrimSpace(text)
		}
		d.fail(path, node, try, "must be %s, not %s", wanted(v), source.Described(node))
		return
	}
	if leadingZero.MatchString(text) { // 010 is eight in YAML 1.1 and ten in YAML 1.2
		try := strings.TrimLeft(text, "+-0")
		if try == "" {
			try = "0"
		}
		d.fail(path, node, try, "a number must not begin with 0")
		return
	}
	if v.Kind() == reflect.Float64 {
		number, err := strconv.ParseFloat(text, 64)
		if err != nil || math.IsNaN(number) || math.IsInf(number, 0) {
			d.fail(path, node, "a number such as 20", "%s is not a finite number", node.Value)
			return
		}
		if d.isInBounds(path, node, f, math.Floor(number)) {
			v.SetFloat(number)
		}
		return
	}
	number, err := strconv.ParseInt(text, 0, v.Type().Bits())
	if err != nil {
		d.fail(path, node, "a smaller number", "%s is out of range", node.Value)
		return
	}
	if d.isInBounds(path, node, f, float64(number)) {
		v.SetInt(number)
	}
}

func (d *decoder) isInBounds(path string, node *yaml.Node, f field, number float64) bool {
	switch {
	case f.min != nil && number < float64(*f.min):
		d.fail(path, node, strconv.FormatInt(*f.min, 10), "must be %d or more", *f.min)
	case f.max != nil && number > float64(*f.max):
		d.fail(path, node, strconv.FormatInt(*f.max, 10), "must be %d or less", *f.max)
	default:
		return true
	}
	return false
}

// parseTime reads RFC 3339 and keeps UTC.
func parseTime(text string) (time.Time, error) {
	at, err := time.Parse(time.RFC3339, text)
	if err == nil {
		return at.UTC(), nil
	}
	near := []string{time.DateOnly, time.DateTime, "2006-01-02T15:04:05", "2006-01-02T15:04Z"}
	for _, layout := range near {
		if guess, err := time.Parse(layout, text); err == nil {
			return time.Time{}, source.Problem(guess.Format(time.RFC3339), "invalid date %q", text)
		}
	}
	return time.Time{}, source.Problem(DefaultStart.Format(time.RFC3339), "invalid date %q", text)
}
