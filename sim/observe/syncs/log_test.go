package syncs

import (
	"fmt"
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
)

// farm is an object of a kind that client-go does not know, and its text has the address of what it points to.
type farm struct {
	metav1.ObjectMeta
	Hectares *int
}

func (f *farm) String() string { return fmt.Sprintf("%s %v", f.Name, f.Hectares) }

// soil has such a text, too, and is not an object.
type soil struct{ depth *int }

func (s *soil) String() string { return fmt.Sprint("soil ", s.depth) }

// TestLogValues has values with pointers in them, which no line may show.
func TestLogValues(t *testing.T) {
	n := 3
	meta := metav1.ObjectMeta{Namespace: "default", Name: "north"}
	for _, test := range []struct {
		value any
		want  string
	}{
		{&farm{meta, &n}, "default/north"},
		{farm{meta, &n}, "(syncs.farm)"},
		{&unstructured.Unstructured{Object: map[string]any{"metadata": map[string]any{"name": "north"}}}, "north"},
		{&corev1.Pod{ObjectMeta: meta}, "default/north"},
		{&soil{&n}, "soil 0x..."},
		{(*soil)(nil), "(*syncs.soil)"},
		{soil{&n}, "(syncs.soil)"},
		{&n, "(*int)"},
		{[]*int{&n}, "([]*int)"},
		{map[string]*int{"n": &n}, "(map[string]*int)"},
		{fmt.Errorf("bad: %v", &n), "bad: 0x..."},
		{func() {}, "(func())"},
		{make(chan int), "(chan int)"},
	} {
		got := strings.Join(printed([]any{"value", test.value}), " ")
		if got != "value="+test.want {
			t.Errorf("%T: %q, want %q", test.value, got, test.want)
		}
	}
	if key := keyOf([]any{"key", &soil{&n}}); key != "soil 0x..." {
		t.Errorf("the key is %q", key)
	}
}

// TestLinesOfTheMachine has what upstream's prober for FlexVolumes logs on Linux, and on js/wasm.
func TestLinesOfTheMachine(t *testing.T) {
	for message, want := range map[string]bool{
		"Flexvolume plugin directory at  does not exist. Recreating.": true,
		"Error initializing dynamic plugin prober":                    true,
		"Starting attach detach controller":                           false,
	} {
		if got := isLeftOut(message); got != want {
			t.Errorf("%q: %v", message, got)
		}
	}
}
