package trace

import (
	"go/ast"
	"go/parser"
	"go/token"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// TestEveryKindHasItsPart holds the table of kinds to the type and to the constants: each part of a record is the field of one
// kind, whose row finds it and no other, and each constant has a row.
func TestEveryKindHasItsPart(t *testing.T) {
	typ := reflect.TypeFor[Record]()
	var parts []Kind
	for i := range typ.NumField() {
		field := typ.Field(i)
		if field.Type.Kind() != reflect.Pointer {
			continue
		}
		name, _, _ := strings.Cut(field.Tag.Get("json"), ",")
		parts = append(parts, Kind(name))
		record := &Record{Seq: 7, Kind: Kind(name)}
		if err := record.whole(); err == nil {
			t.Errorf("a record of kind %q without its part is accepted", name)
		}
		reflect.ValueOf(record).Elem().Field(i).Set(reflect.New(field.Type.Elem()))
		if err := record.whole(); err != nil {
			t.Errorf("a record of kind %q with its part is refused: %v", name, err)
		}
		for _, k := range recordKinds {
			if k.has(record) != (k.kind == record.Kind) {
				t.Errorf("the row of %q says that it has the part of a %q: %t", k.kind, name, k.has(record))
			}
		}
		_ = Describe(record)
		if record.Kind = KindNote; name != string(KindNote) && record.whole() == nil {
			t.Errorf("a note with the part %q is accepted", name)
		}
	}
	if kinds := Kinds(); !slices.Equal(parts, kinds) {
		t.Errorf("the parts of a record are %q, the table of kinds has %q", parts, kinds)
	}
	if constants := constantsOf(t, "Kind"); !slices.Equal(constants, Kinds()) {
		t.Errorf("the constants are %q, the table of kinds has %q", constants, Kinds())
	}
}

// constantsOf lists the values of the constants of a type, in the order of the source.
func constantsOf(t *testing.T, name string) (values []Kind) {
	t.Helper()
	file, err := parser.ParseFile(token.NewFileSet(), "record.go", nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	ast.Inspect(file, func(node ast.Node) bool {
		spec, ok := node.(*ast.ValueSpec)
		if !ok {
			return true
		}
		if typ, ok := spec.Type.(*ast.Ident); ok && typ.Name == name {
			value, err := strconv.Unquote(spec.Values[0].(*ast.BasicLit).Value)
			if err != nil {
				t.Fatal(err)
			}
			values = append(values, Kind(value))
		}
		return true
	})
	return values
}

// TestReferencesAreChecked refuses records that name others which are not what they are taken for.
func TestReferencesAreChecked(t *testing.T) {
	before := func() *Sequence {
		s := &Sequence{}
		for _, r := range []*Record{
			{Seq: 1, Kind: KindSync, Sync: &Sync{Phase: PhaseStart}}, {Seq: 2, Kind: KindFault, Fault: &Fault{}}, {Seq: 3, Kind: KindNote, Note: &Note{}},
		} {
			if err := s.Add(r); err != nil {
				t.Fatal(err)
			}
		}
		return s
	}
	end := func(start int64) *Record { return &Record{Kind: KindSync, Sync: &Sync{Phase: PhaseEnd, Start: start}} }
	request := func(fault int64, webhooks ...int64) *Record {
		return &Record{Kind: KindRequest, FaultSeq: fault, Request: &Request{Webhooks: webhooks}}
	}
	for _, c := range []struct {
		record *Record
		want   string
	}{
		{request(2), ""},
		{request(3), "record 4 names record 3 as the fault that decided it, and that is not an earlier fault"},
		{request(4), "record 4 names record 4 as the fault that decided it, and that is not an earlier fault"},
		{request(-1), "record 4 names record -1 as the fault that decided it, and that is not an earlier fault"},
		{request(2, 1), "record 4 names record 1 as a call of a webhook, and that is not an earlier one"},
		{end(1), ""},
		{end(0), "record 4 names record 0 as the start of its sync, and that is not an earlier start"},
		{end(99), "record 4 names record 99 as the start of its sync, and that is not an earlier start"},
		{&Record{Kind: KindNote, Note: &Note{}, Cause: -1}, "record 4 has record -1 as its cause, and records begin with 1"},
		{&Record{Kind: KindNote, Note: &Note{}, Cause: 5}, "record 4 has the later record 5 as its cause"},
	} {
		c.record.Seq = 4
		s, got := before(), ""
		if err := s.Add(c.record); err != nil {
			got = err.Error()
		}
		if got != c.want || (s.Len() == 4) != (c.want == "") {
			t.Errorf("%q, want %q; %d records", got, c.want, s.Len())
		}
	}
}
