package memdb

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/fields"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apiserver/pkg/storage"
	"k8s.io/utils/ptr"
)

// selecting is a predicate of label and field selectors; empty strings select everything.
func selecting(label, field string) storage.SelectionPredicate {
	labelSelector, err := labels.Parse(label)
	if err != nil {
		panic(err)
	}
	return storage.SelectionPredicate{
		Label:    labelSelector,
		Field:    fields.ParseSelectorOrDie(field),
		GetAttrs: storage.DefaultNamespaceScopedAttr,
	}
}

// paged adds limit and continue to a predicate.
func paged(p storage.SelectionPredicate, limit int64, token string) storage.SelectionPredicate {
	p.Limit, p.Continue = limit, token
	return p
}

// listCases list these pods: c, a, b, a.x and a-x of the namespace default, created in this order
// as revisions 2 to 6, labelled even=true and even=false in turn; then a of default-2, revision 7.
var listCases = map[string]struct {
	key       string
	opts      storage.ListOptions
	want      []string
	remaining *int64
}{
	"all are sorted by key": {
		key:  "/pods",
		opts: storage.ListOptions{Recursive: true, Predicate: selecting("", "")},
		// Keys, not namespaces: "default-2/" comes before "default/".
		want: []string{"a@7", "a@3", "a-x@6", "a.x@5", "b@4", "c@2"},
	},
	"one namespace": {
		key:  "/pods/default",
		opts: storage.ListOptions{Recursive: true, Predicate: selecting("", "")},
		want: []string{"a@3", "a-x@6", "a.x@5", "b@4", "c@2"},
	},
	"one key": {
		key:  key("a"),
		opts: storage.ListOptions{Predicate: selecting("", "")},
		want: []string{"a@3"},
	},
	"one key that does not exist": {
		key:  key("none"),
		opts: storage.ListOptions{Predicate: selecting("", "")},
		want: []string{},
	},
	"one key, as it was before it existed": {
		key: key("a"),
		opts: storage.ListOptions{
			ResourceVersion: "2", Predicate: selecting("", ""),
			ResourceVersionMatch: metav1.ResourceVersionMatchExact,
		},
		want: []string{},
	},
	"a label selector": {
		key:  "/pods",
		opts: storage.ListOptions{Recursive: true, Predicate: selecting("even=true", "")},
		want: []string{"a-x@6", "b@4", "c@2"},
	},
	"a field selector": {
		key:  "/pods",
		opts: storage.ListOptions{Recursive: true, Predicate: selecting("", "metadata.name=a")},
		want: []string{"a@7", "a@3"},
	},
	"a limit": {
		key: "/pods",
		opts: storage.ListOptions{
			Recursive: true, Predicate: paged(selecting("", ""), 2, ""),
		},
		want:      []string{"a@7", "a@3"},
		remaining: ptr.To(int64(4)),
	},
	"a limit with a selector does not count what remains": {
		key: "/pods",
		opts: storage.ListOptions{
			Recursive: true, Predicate: paged(selecting("even=true", ""), 2, ""),
		},
		want: []string{"a-x@6", "b@4"},
	},
	"exactly the past": {
		key: "/pods",
		opts: storage.ListOptions{
			ResourceVersion: "4", Recursive: true, Predicate: selecting("", ""),
			ResourceVersionMatch: metav1.ResourceVersionMatchExact,
		},
		want: []string{"a@3", "b@4", "c@2"},
	},
	"not older than the past": {
		key: "/pods/default-2",
		opts: storage.ListOptions{
			ResourceVersion: "4", Recursive: true, Predicate: selecting("", ""),
			ResourceVersionMatch: metav1.ResourceVersionMatchNotOlderThan,
		},
		want: []string{"a@7"},
	},
}

func TestList(t *testing.T) {
	w := newWorld(t, Options{})
	for i, name := range []string{"c", "a", "b", "a.x", "a-x"} {
		w.create(name, "even", fmt.Sprint(i%2 == 0))
	}
	other := pod("a")
	other.Namespace = "default-2"
	if err := w.pods.Create(w.ctx, "/pods/default-2/a", other, nil, 0); err != nil {
		t.Fatal(err)
	}
	for name, tc := range listCases {
		t.Run(name, func(t *testing.T) {
			list, err := w.list(tc.key, tc.opts)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tc.want, podsText(list)); diff != "" {
				t.Error(diff)
			}
			if diff := cmp.Diff(tc.remaining, list.RemainingItemCount); diff != "" {
				t.Errorf("remainingItemCount: %s", diff)
			}
			want := "7"
			if tc.opts.ResourceVersionMatch == metav1.ResourceVersionMatchExact {
				want = tc.opts.ResourceVersion
			}
			if list.ResourceVersion != want {
				t.Errorf("resourceVersion %s, want %s", list.ResourceVersion, want)
			}
		})
	}
}

func TestPagesShowTheRevisionOfTheFirst(t *testing.T) {
	w := newWorld(t, Options{})
	for _, name := range []string{"a", "b", "c", "d"} {
		w.create(name)
	}
	opts := storage.ListOptions{Recursive: true, Predicate: paged(selecting("", ""), 2, "")}
	first, err := w.list("/pods", opts)
	if err != nil {
		t.Fatal(err)
	}
	w.create("bb")
	w.relabel("c", "changed", "yes")
	w.delete("d")
	w.create("d")
	opts.Predicate.Continue = first.Continue
	second, err := w.list("/pods", opts)
	if err != nil {
		t.Fatal(err)
	}
	got := append(podsText(first), podsText(second)...)
	if diff := cmp.Diff([]string{"a@2", "b@3", "c@4", "d@5"}, got); diff != "" {
		t.Error(diff)
	}
	if second.ResourceVersion != "5" || second.Continue != "" {
		t.Errorf("second page: resourceVersion %s, continue %q", second.ResourceVersion,
			second.Continue)
	}
}

func TestPastOfOneKeyLeavesOutTheOthers(t *testing.T) {
	w := newWorld(t, Options{})
	w.create("a")
	w.create("b")
	w.relabel("b", "x", "1")
	list, err := w.list(key("a"), storage.ListOptions{
		ResourceVersion: "3", Predicate: selecting("", ""),
		ResourceVersionMatch: metav1.ResourceVersionMatchExact,
	})
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"a@2"}, podsText(list)); diff != "" {
		t.Error(diff)
	}
}

func TestListOfACompactedRevisionIsGone(t *testing.T) {
	w := newWorld(t, Options{})
	w.create("a")
	w.create("b")
	opts := storage.ListOptions{Recursive: true, Predicate: paged(selecting("", ""), 1, "")}
	first, err := w.list("/pods", opts)
	if err != nil {
		t.Fatal(err)
	}
	w.create("c")
	w.db.Compact(4)

	opts.Predicate.Continue = first.Continue
	_, err = w.list("/pods", opts)
	if !apierrors.IsResourceExpired(err) {
		t.Fatalf("continuing gives %v, want 410 Expired", err)
	}
	// The error itself brings the token with which a client may continue.
	opts.Predicate.Continue = err.(apierrors.APIStatus).Status().Continue
	rest, err := w.list("/pods", opts)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"b@3"}, podsText(rest)); diff != "" {
		t.Error(diff)
	}
	if rest.ResourceVersion != "4" {
		t.Errorf("the rest has resourceVersion %s, want the newest, 4", rest.ResourceVersion)
	}

	for rv, gone := range map[string]bool{"3": true, "4": false} {
		_, err = w.list("/pods", storage.ListOptions{
			Recursive: true, Predicate: selecting("", ""),
			ResourceVersion: rv, ResourceVersionMatch: metav1.ResourceVersionMatchExact,
		})
		if apierrors.IsResourceExpired(err) != gone {
			t.Errorf("list exactly at %s: %v", rv, err)
		}
	}
}

func TestListOfTheFutureIsRefused(t *testing.T) {
	w := newWorld(t, Options{})
	w.create("a")
	for _, match := range []metav1.ResourceVersionMatch{
		"", metav1.ResourceVersionMatchExact, metav1.ResourceVersionMatchNotOlderThan,
	} {
		_, err := w.list("/pods", storage.ListOptions{
			Recursive: true, Predicate: selecting("", ""),
			ResourceVersion: "3", ResourceVersionMatch: match,
		})
		if !storage.IsTooLargeResourceVersion(err) {
			t.Errorf("match %q: %v", match, err)
			continue
		}
		if got := err.Error(); got != "Timeout: Too large resource version: 3, current: 2" {
			t.Errorf("match %q: %s", match, got)
		}
	}
}
