package network_test

import (
	"fmt"
	"net/http"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/kubestep/kubestep/sim"
)

// representations are what clients ask for: a path below the ConfigMaps, and an Accept header.
var representations = []struct{ path, accept string }{
	{"/api/v1/configmaps?watch=true", "application/json"},
	{"/api/v1/namespaces/default/configmaps?watch=true&labelSelector=!none", "application/json"},
	{"/api/v1/configmaps?watch=true", "application/vnd.kubernetes.protobuf"},
	{"/api/v1/configmaps?watch=true", "application/json;as=Table;v=v1;g=meta.k8s.io"},
	{"/api/v1/configmaps?watch=true&includeObject=None", "application/json;as=Table;v=v1;g=meta.k8s.io"},
	{"/api/v1/configmaps?watch=true", "application/json;as=PartialObjectMetadata;v=v1;g=meta.k8s.io"},
}

// TestWatchesShareFrames opens watches from outside. An event is encoded once for all that ask for the same representation: the first two
// do, although one has a selector. Each watch gets byte by byte what it would get if it were the only one.
func TestWatchesShareFrames(t *testing.T) {
	const watches = 4
	alone, together := watched(t, 1), watched(t, watches)
	for i, r := range representations {
		for n := range watches {
			if diff := cmp.Diff(texts(alone[i]), texts(together[i+n*len(representations)])); diff != "" {
				t.Errorf("%s as %s: watch %d differs from the only one:\n%s", r.path, r.accept, n, diff)
			}
		}
	}
	const encodings = 5
	for event := range alone[0] {
		distinct := map[*byte]bool{}
		for _, frames := range together {
			distinct[&frames[event][0]] = true
		}
		if len(distinct) != encodings {
			t.Errorf("event %d is encoded %d times, want %d: once for each representation", event, len(distinct), encodings)
		}
	}
}

// watched are the frames of some watches of each representation: of a ConfigMap that there is, and of one that is created later.
func watched(t *testing.T, watches int) (frames [][][]byte) {
	t.Helper()
	frames = make([][][]byte, watches*len(representations))
	play(t, sim.Options{}, func(w *world) {
		w.put(t, "first")
		w.Run(time.Minute)
		outside, err := w.Outside()
		if err != nil {
			t.Fatal(err)
		}
		for i := range frames {
			r := representations[i%len(representations)]
			request, err := http.NewRequest(http.MethodGet, "http://kube-apiserver"+r.path, nil)
			if err != nil {
				t.Fatal(err)
			}
			request.Header.Set("Accept", r.accept)
			wire, _, err := outside.Parse(request, "client")
			if err != nil {
				t.Fatal(err)
			}
			_, stop, refused := outside.Watch(wire, func(frame []byte) { frames[i] = append(frames[i], frame) })
			if refused != nil {
				t.Fatalf("%s as %s: %s", r.path, r.accept, refused.Status)
			}
			defer stop()
		}
		w.put(t, "second")
		w.Run(time.Minute)
		w.put(t, "third")
	})
	for i, got := range frames {
		if len(got) != 3 {
			t.Fatalf("watch %d has %d events", i, len(got))
		}
	}
	return frames
}

func texts(frames [][]byte) (out []string) {
	for _, frame := range frames {
		out = append(out, fmt.Sprintf("%q", frame))
	}
	return out
}
