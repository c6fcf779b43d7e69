package trace

import (
	"encoding/json"
	"math/rand/v2"
	"reflect"
	"testing"
	"time"
)

// TestLineIsThatOfPackageJSON fills records at random, with fields of all kinds and with texts and JSON that need care. Each line must be
// what package json writes. A field that somebody adds to a record is filled, too.
func TestLineIsThatOfPackageJSON(t *testing.T) {
	const records = 5000
	random := rand.New(rand.NewPCG(1, 2))
	for i := range records {
		record := &Record{}
		fill(random, reflect.ValueOf(record).Elem())
		if random.IntN(20) > 0 {
			record.Date = time.Time{}
		}
		want, err := json.Marshal(record)
		if err != nil {
			t.Fatal(err)
		}
		if got := string(record.Line()); got != string(want)+"\n" {
			t.Fatalf("record %d:\n%s\nwant\n%s", i, got, want)
		}
	}
}

// texts and values are what strings and JSON of records may be.
var (
	texts = []string{
		"", "", "web", "web-5dff576d75-n4gzt", `a "word"`, "a <b> & c", "line\nline", "tab\t", "ü", "\u2028", "\x00", "\x7f", "\xff",
		`back\slash`, "{", "[",
	}
	values = []string{
		"", `{}`, `"text"`, `{"a":[1,2,{"b":"c d"}]}`, `{ "a": 1 }`, "[1,\n2]", `"a \" b"`, `"a \\"`, `"<a>"`, `"\u003ca\u003e"`, `"ü"`,
		"\"\u2028\"", `"two  spaces"`, `-1.5e3`, `null`,
	}
)

// fill sets about half of the fields of a value.
func fill(random *rand.Rand, value reflect.Value) {
	switch {
	case value.Type() == reflect.TypeFor[time.Time]():
		value.Set(reflect.ValueOf(time.Unix(random.Int64N(1e9), random.Int64N(1e9)).UTC()))
		return
	case value.Type() == reflect.TypeFor[json.RawMessage]():
		value.SetBytes([]byte(values[random.IntN(len(values))]))
		return
	}
	switch value.Kind() {
	case reflect.Struct:
		for i := range value.NumField() {
			if value.Type().Field(i).IsExported() && random.IntN(2) == 0 {
				fill(random, value.Field(i))
			}
		}
	case reflect.Pointer:
		value.Set(reflect.New(value.Type().Elem()))
		fill(random, value.Elem())
	case reflect.Slice:
		value.Set(reflect.MakeSlice(value.Type(), random.IntN(3), 3))
		for i := range value.Len() {
			fill(random, value.Index(i))
		}
	case reflect.Map:
		value.Set(reflect.MakeMap(value.Type()))
		for range random.IntN(3) {
			key, element := reflect.New(value.Type().Key()).Elem(), reflect.New(value.Type().Elem()).Elem()
			fill(random, key)
			fill(random, element)
			value.SetMapIndex(key, element)
		}
	case reflect.String:
		value.SetString(texts[random.IntN(len(texts))])
	case reflect.Bool:
		value.SetBool(random.IntN(2) == 0)
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		value.SetInt(random.Int64N(200) - 100)
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		value.SetUint(random.Uint64N(200))
	case reflect.Float32, reflect.Float64:
		value.SetFloat(random.NormFloat64())
	default:
		panic("a field of a kind that nothing fills: " + value.Type().String())
	}
}
