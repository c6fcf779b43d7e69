package expr

import (
	"fmt"
	"reflect"
	"sort"

	"github.com/google/cel-go/common/types"
	"github.com/google/cel-go/common/types/ref"
	"github.com/google/cel-go/common/types/traits"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"

	"github.com/kubestep/kubestep/sim/kinds"
)

// object is a struct of the type table as a CEL value. It points into an object of the simulation, which nobody
// modifies.
type object struct {
	typ *structType
	// value is a pointer to typ.goType.
	value any
}

var (
	_ traits.Indexer     = (*object)(nil)
	_ traits.FieldTester = (*object)(nil)
)

// NativeToValue implements types.Adapter.
func (s *typeTable) NativeToValue(value any) ref.Val {
	switch v := value.(type) {
	case ref.Val:
		return v
	case map[string]string:
		return sortedMap{types.NewStringStringMap(s, v)}
	case map[ref.Val]ref.Val:
		return sortedMap{types.NewRefValMap(s, v)}
	case map[string]any:
		return sortedMap{types.NewStringInterfaceMap(s, v)}
	case []any:
		return types.NewDynamicList(s, v)
	case *unstructured.Unstructured:
		return sortedMap{types.NewStringInterfaceMap(s, v.Object)}
	}
	if t := reflect.TypeOf(value); t != nil && t.Kind() == reflect.Pointer {
		if st, ok := s.byType[t.Elem()]; ok {
			return &object{st, value}
		}
	}
	return s.Registry.NativeToValue(value)
}

// list makes a CEL list of pointers to structs of one type.
func list[T any](s *typeTable, st *structType, values []T) ref.Val {
	// One backing array for all: a list of a thousand pods is two allocations.
	objects, items := make([]object, len(values)), make([]ref.Val, len(values))
	for i, value := range values {
		objects[i] = object{st, value}
		items[i] = &objects[i]
	}
	return types.NewRefValList(s, items)
}

// listOf makes a CEL list of whole objects.
func (s *typeTable) listOf(k *kinds.Kind, objects []runtime.Object) ref.Val {
	if st := s.byKind[k]; st != nil {
		return list(s, st, objects)
	}
	items := make([]ref.Val, len(objects))
	for i, object := range objects {
		items[i] = s.NativeToValue(object)
	}
	return types.NewRefValList(s, items)
}

// unstructuredOf is the object that a map stands for, if it has a kind and a name.
func unstructuredOf(value ref.Val) (*unstructured.Unstructured, bool) {
	content, ok := value.Value().(map[string]any)
	if !ok {
		return nil, false
	}
	o := &unstructured.Unstructured{Object: content}
	return o, o.GetKind() != "" && o.GetName() != ""
}

// Get implements traits.Indexer: it reads a field whose name the checker could not see, because the type
// was not known before evaluation.
func (o *object) Get(index ref.Val) ref.Val {
	f, err := o.field(index)
	if err != nil {
		return err
	}
	value, failure := f.get(o.value)
	if failure != nil {
		return types.WrapErr(failure)
	}
	return o.typ.table.NativeToValue(value)
}

// IsSet implements traits.FieldTester, for has().
func (o *object) IsSet(name ref.Val) ref.Val {
	f, err := o.field(name)
	if err != nil {
		return err
	}
	return types.Bool(f.isSet(o.value))
}

func (o *object) field(index ref.Val) (*field, ref.Val) {
	name, ok := index.(types.String)
	if !ok {
		return nil, types.NewErr("%s has fields, not items", o.typ.name)
	}
	f, ok := o.typ.fields[string(name)]
	if !ok {
		return nil, types.WrapErr(o.typ.noSuchField(string(name)))
	}
	return f, nil
}

// ConvertToNative implements ref.Val.
func (o *object) ConvertToNative(t reflect.Type) (any, error) {
	if reflect.TypeOf(o.value) == t {
		return o.value, nil
	}
	return nil, fmt.Errorf("a %s is no %v", o.typ.name, t)
}

// ConvertToType implements ref.Val.
func (o *object) ConvertToType(t ref.Type) ref.Val {
	if t == types.TypeType {
		return o.typ.celType
	}
	return types.NewErr("a %s is no %s", o.typ.name, t.TypeName())
}

// Equal implements ref.Val.
func (o *object) Equal(other ref.Val) ref.Val {
	that, ok := other.(*object)
	return types.Bool(ok && (o.value == that.value || reflect.DeepEqual(o.value, that.value)))
}

// Type implements ref.Val.
func (o *object) Type() ref.Type { return o.typ.celType }

// Value implements ref.Val.
func (o *object) Value() any { return o.value }

// sortedMap is a CEL map whose keys come in order. Go's own order differs from run to run, and would show
// in what a condition makes of it.
type sortedMap struct{ traits.Mapper }

// Iterator implements traits.Iterable.
func (m sortedMap) Iterator() traits.Iterator {
	var keys []ref.Val
	for it := m.Mapper.Iterator(); it.HasNext() == types.True; {
		keys = append(keys, it.Next())
	}
	sort.Slice(keys, func(i, j int) bool { return isBefore(keys[i], keys[j]) })
	return types.NewRefValList(types.DefaultTypeAdapter, keys).Iterator()
}

// isBefore orders keys by type, then by value.
func isBefore(a, b ref.Val) bool {
	if a.Type() != b.Type() {
		return a.Type().TypeName() < b.Type().TypeName()
	}
	comparer, ok := a.(traits.Comparer)
	return ok && comparer.Compare(b) == types.IntNegOne
}
