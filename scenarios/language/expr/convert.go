package expr

import (
	"encoding/json"
	"reflect"
	"time"

	"github.com/google/cel-go/common/types"
	"github.com/google/cel-go/common/types/ref"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/intstr"

	"github.com/kubestep/kubestep/scenarios/language/expr/internal/changes"
	"github.com/kubestep/kubestep/sim/trace/diff"
)

// converter turns a Go value, found at its place inside an object, into what CEL works on: a ref.Val, or
// a pointer to a struct of the type table, which stays as it is until something reads a field of it.
type converter func(reflect.Value) any

// special are the types whose JSON is not that of their Go fields.
//
//	metav1.Time, MicroTime     timestamp      resource.Quantity     string, such as 500m
//	time.Duration              duration       intstr.IntOrString    int or string
//	metav1.Duration            string         runtime.RawExtension  whatever its JSON holds
//
// In the records of the trace, changes.Value and objectOf are what their JSON holds, and changesOf is a list of TraceChange.
var special = map[reflect.Type]struct {
	celType *types.Type
	convert func(s *typeTable, v any) ref.Val
}{
	reflect.TypeFor[metav1.Time](): {types.TimestampType, func(_ *typeTable, v any) ref.Val {
		return types.Timestamp{Time: v.(*metav1.Time).Time}
	}},
	reflect.TypeFor[metav1.MicroTime](): {types.TimestampType, func(_ *typeTable, v any) ref.Val {
		return types.Timestamp{Time: v.(*metav1.MicroTime).Time}
	}},
	reflect.TypeFor[time.Duration](): {types.DurationType, func(_ *typeTable, v any) ref.Val {
		return types.Duration{Duration: *v.(*time.Duration)}
	}},
	reflect.TypeFor[metav1.Duration](): {types.StringType, func(_ *typeTable, v any) ref.Val {
		return types.String(v.(*metav1.Duration).Duration.String())
	}},
	reflect.TypeFor[resource.Quantity](): {types.StringType, func(_ *typeTable, v any) ref.Val {
		// String may store the text in the receiver, and the object is shared.
		quantity := *v.(*resource.Quantity)
		return types.String(quantity.String())
	}},
	reflect.TypeFor[intstr.IntOrString](): {types.DynType, func(_ *typeTable, v any) ref.Val {
		value := v.(*intstr.IntOrString)
		if value.Type == intstr.String {
			return types.String(value.StrVal)
		}
		return types.Int(value.IntVal)
	}},
	reflect.TypeFor[runtime.RawExtension](): {types.DynType, func(s *typeTable, v any) ref.Val {
		raw := v.(*runtime.RawExtension).Raw
		if len(raw) == 0 {
			return types.NullValue
		}
		var value any
		if err := json.Unmarshal(raw, &value); err != nil {
			return types.WrapErr(err)
		}
		return s.NativeToValue(value)
	}},
	reflect.TypeFor[metav1.FieldsV1](): {types.StringType, func(_ *typeTable, v any) ref.Val {
		return types.String(v.(*metav1.FieldsV1).Raw)
	}},
	reflect.TypeFor[changes.Value](): {types.DynType, func(s *typeTable, v any) ref.Val {
		return s.NativeToValue(v.(*changes.Value).Of)
	}},
	reflect.TypeFor[objectOf](): {types.DynType, func(s *typeTable, v any) ref.Val {
		value, err := diff.Decode(v.(*objectOf).raw)
		if err != nil {
			return types.WrapErr(err)
		}
		return s.NativeToValue(value)
	}},
	reflect.TypeFor[changesOf](): {types.NewListType(traceChangeType), func(s *typeTable, v any) ref.Val {
		return v.(*changesOf).list(s)
	}},
}

// typeOf returns how CEL sees a Go type, and how to get there.
func (s *typeTable) typeOf(t reflect.Type) (*types.Type, converter) {
	if known, ok := special[t]; ok {
		return known.celType, func(v reflect.Value) any { return known.convert(s, pointerTo(v)) }
	}
	switch t.Kind() {
	case reflect.Bool:
		return types.BoolType, func(v reflect.Value) any { return types.Bool(v.Bool()) }
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		return types.IntType, func(v reflect.Value) any { return types.Int(v.Int()) }
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		return types.UintType, func(v reflect.Value) any { return types.Uint(v.Uint()) }
	case reflect.Float32, reflect.Float64:
		return types.DoubleType, func(v reflect.Value) any { return types.Double(v.Float()) }
	case reflect.String:
		return types.StringType, func(v reflect.Value) any { return types.String(v.String()) }
	case reflect.Struct:
		return s.structType(t).celType, pointerTo
	case reflect.Pointer:
		celType, convert := s.typeOf(t.Elem())
		return celType, func(v reflect.Value) any { return convert(v.Elem()) }
	case reflect.Slice:
		return s.sliceType(t)
	case reflect.Map:
		return s.mapType(t)
	}
	// Interfaces, such as RawExtension.Object, hold nothing that the API shows.
	return types.DynType, func(reflect.Value) any { return types.NullValue }
}

// pointerTo points to v inside its object, or, where Go gives no address (values of maps), to a copy.
func pointerTo(v reflect.Value) any {
	if v.CanAddr() {
		return v.Addr().Interface()
	}
	p := reflect.New(v.Type())
	p.Elem().Set(v)
	return p.Interface()
}

func (s *typeTable) sliceType(t reflect.Type) (*types.Type, converter) {
	if t.Elem().Kind() == reflect.Uint8 {
		return types.BytesType, func(v reflect.Value) any { return types.Bytes(v.Bytes()) }
	}
	celType, convert := s.typeOf(t.Elem())
	return types.NewListType(celType), func(v reflect.Value) any {
		items := make([]ref.Val, v.Len())
		for i := range items {
			items[i] = s.NativeToValue(convert(v.Index(i)))
		}
		return types.NewRefValList(s, items)
	}
}

func (s *typeTable) mapType(t reflect.Type) (*types.Type, converter) {
	if t == reflect.TypeFor[map[string]string]() {
		// Labels and annotations stay Go maps, in which CEL looks up keys directly.
		return types.NewMapType(types.StringType, types.StringType), func(v reflect.Value) any { return v.Interface() }
	}
	keyType, convertKey := s.typeOf(t.Key())
	valueType, convertValue := s.typeOf(t.Elem())
	return types.NewMapType(keyType, valueType), func(v reflect.Value) any {
		m := make(map[ref.Val]ref.Val, v.Len())
		for entries := v.MapRange(); entries.Next(); {
			m[s.NativeToValue(convertKey(entries.Key()))] = s.NativeToValue(convertValue(entries.Value()))
		}
		return sortedMap{types.NewRefValMap(s, m)}
	}
}
