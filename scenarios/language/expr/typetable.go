package expr

import (
	"fmt"
	"reflect"
	"sort"
	"strings"

	"github.com/google/cel-go/common/types"

	"github.com/kubestep/kubestep/sim/kinds"
)

// typeTable tells CEL the types of everything that a condition can reach: the fields of each kind and of
// what is in them. The checker asks it about field names, and evaluation reads fields through it.
//
// k8s.io/apiserver has two ways to see an object, both by the schema of OpenAPI: common.TypedToVal and, after a conversion,
// common.UnstructuredToVal. Over 1,000 Pods they take 60 ms and 97 ms where this table takes 0.7 ms (BenchmarkTyping). They also
// go through maps in Go's order, which differs from run to run.
type typeTable struct {
	// Registry serves CEL's own types.
	*types.Registry
	byName map[string]*structType
	byType map[reflect.Type]*structType
	// kindNames are the short names that belong to whole objects.
	kindNames map[string]reflect.Type
	kinds     *kinds.Table
	// byKind has the types of whole objects. A kind that has none is read as JSON is, field by field.
	byKind map[*kinds.Kind]*structType
	// unknown, when set, is called for fields that the checker looked for in vain.
	unknown func(t *structType, field string)
}

// structType is a Go struct as conditions see it.
type structType struct {
	table *typeTable
	// name is the Go name, which for the Kubernetes API is the one in its reference: DeploymentStatus.
	name    string
	goType  reflect.Type
	celType *types.Type
	fields  map[string]*field
	// kind is set for the types of whole objects.
	kind *kinds.Kind
}

// field is one field of a struct, under its JSON name.
type field struct {
	name    string
	parent  *structType
	index   []int
	celType *types.Type
	convert converter
	// nillable fields are those that has() can find unset.
	nillable bool
	pointer  bool
}

// newTypeTable walks all types that the kinds and the records of the trace are made of.
func newTypeTable(table *kinds.Table) (*typeTable, error) {
	registry, err := types.NewRegistry()
	if err != nil {
		return nil, err
	}
	s := &typeTable{
		Registry: registry,
		byName:   map[string]*structType{},
		byType:   map[reflect.Type]*structType{},

		kindNames: map[string]reflect.Type{},
		kinds:     table,
		byKind:    map[*kinds.Kind]*structType{},
	}
	goTypes := s.goTypes()
	for _, k := range table.All() {
		if t := goTypes[k]; t != nil && s.kindNames[k.Kind] == nil {
			s.kindNames[k.Kind] = t
		}
	}
	// Of two types of one name the first keeps it, and that is the one of the core group.
	for _, core := range []bool{true, false} {
		for _, k := range table.All() {
			if t := goTypes[k]; t != nil && core == (k.Group == "") {
				s.byKind[k] = s.structType(t)
				s.byKind[k].kind = k
			}
		}
	}
	for _, record := range []any{TraceRequest{}, TraceChange{}, TraceEvent{}, TraceSync{}} {
		s.structType(reflect.TypeOf(record))
	}
	return s, nil
}

func (s *typeTable) goTypes() map[*kinds.Kind]reflect.Type {
	types := map[*kinds.Kind]reflect.Type{}
	for _, k := range s.kinds.All() {
		types[k] = goType(k)
	}
	return types
}

// celType is the type of a kind's objects.
func (s *typeTable) celType(k *kinds.Kind) *types.Type {
	if st := s.byKind[k]; st != nil {
		return st.celType
	}
	return types.DynType
}

// structType describes a struct and, through its fields, all structs below it.
func (s *typeTable) structType(t reflect.Type) *structType {
	if known, ok := s.byType[t]; ok {
		return known
	}
	st := &structType{table: s, name: t.Name(), goType: t, fields: map[string]*field{}}
	owner, reserved := s.kindNames[st.name]
	if _, taken := s.byName[st.name]; taken || reserved && owner != t {
		// discovery.k8s.io/v1 and v1 both have an EndpointPort: the later one is called discovery/v1.EndpointPort.
		// The ResourceClaim of resource.k8s.io is an object, so the one in a container is core/v1.ResourceClaim.
		path := strings.Split(t.PkgPath(), "/")
		st.name = strings.Join(path[max(0, len(path)-2):], "/") + "." + t.Name()
	}
	st.celType = types.NewObjectType(st.name)
	// Registered before its fields are: a type may contain itself.
	s.byName[st.name], s.byType[t] = st, st
	st.addFields(t, nil)
	return st
}

// addFields adds the fields of t, and those of the structs that JSON inlines.
func (st *structType) addFields(t reflect.Type, prefix []int) {
	for i := range t.NumField() {
		f := t.Field(i)
		index := append(append([]int(nil), prefix...), i)
		name, options, _ := strings.Cut(f.Tag.Get("json"), ",")
		switch {
		case !f.IsExported() || name == "-":
		case name == "" && (f.Anonymous || strings.Contains(options, "inline")):
			st.addFields(f.Type, index)
		case name != "":
			celType, convert := st.table.typeOf(f.Type)
			kind := f.Type.Kind()
			st.fields[name] = &field{
				name: name, parent: st, index: index, celType: celType, convert: convert,
				pointer:  kind == reflect.Pointer,
				nillable: kind == reflect.Pointer || kind == reflect.Slice || kind == reflect.Map,
			}
		}
	}
}

// fieldNames lists the fields in alphabetical order.
func (st *structType) fieldNames() []string {
	names := make([]string, 0, len(st.fields))
	for name := range st.fields {
		names = append(names, name)
	}
	sort.Strings(names)
	return names
}

// noSuchField is the error for a misspelt field.
func (st *structType) noSuchField(name string) error {
	if known := changeSynonyms[name]; known != "" && st.name == traceChangeType.TypeName() {
		return fmt.Errorf("no such field %s in %s; did you mean %s?", name, st.name, known)
	}
	return fmt.Errorf("no such field %s in %s%s", name, st.name, didYouMean(name, st.fieldNames()))
}

// of returns the field's place in the struct that parent points to.
func (f *field) of(parent any) (reflect.Value, error) {
	v := reflect.ValueOf(parent)
	if v.Kind() != reflect.Pointer || v.Type().Elem() != f.parent.goType {
		return reflect.Value{}, fmt.Errorf("expected a %s, not a %T", f.parent.name, parent)
	}
	return v.Elem().FieldByIndex(f.index), nil
}

// isSet is has(): pointers that are set, lists and maps that have something in them, and all else.
func (f *field) isSet(parent any) bool {
	v, err := f.of(parent)
	if err != nil || !f.nillable {
		return err == nil
	}
	return !v.IsNil() && (f.pointer || v.Len() > 0)
}

// get reads the field.
func (f *field) get(parent any) (any, error) {
	v, err := f.of(parent)
	if err != nil {
		return nil, err
	}
	if f.pointer && v.IsNil() {
		return nil, &NotFoundError{What: f.name + " of " + f.parent.name, Unset: true}
	}
	if k := f.parent.kind; k != nil && len(f.index) == 2 && v.Kind() == reflect.String && v.Len() == 0 {
		// Objects in the store carry no TypeMeta: their Go type says it.
		switch f.name {
		case "kind":
			return k.Kind, nil
		case "apiVersion":
			return k.GroupVersion().String(), nil
		}
	}
	return f.convert(v), nil
}

// FindStructType implements types.Provider.
func (s *typeTable) FindStructType(name string) (*types.Type, bool) {
	if st, ok := s.byName[name]; ok {
		return types.NewTypeTypeWithParam(st.celType), true
	}
	return s.Registry.FindStructType(name)
}

// FindStructFieldType implements types.Provider.
func (s *typeTable) FindStructFieldType(name, fieldName string) (*types.FieldType, bool) {
	st, ok := s.byName[name]
	if !ok {
		return s.Registry.FindStructFieldType(name, fieldName)
	}
	f, ok := st.fields[fieldName]
	if !ok {
		if s.unknown != nil {
			s.unknown(st, fieldName)
		}
		return nil, false
	}
	return &types.FieldType{Type: f.celType, IsSet: f.isSet, GetFrom: f.get}, true
}
