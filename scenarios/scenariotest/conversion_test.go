package scenariotest

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/watch"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/tools/cache"

	"github.com/kubestep/kubestep/controllers"
	"github.com/kubestep/kubestep/sim/trace"
)

// A Farm of version v1alpha1, which is stored, has spec.hectares: 3. One of v1 has spec.size: 3ha.

// convertFarm converts in both directions.
func convertFarm(farm *unstructured.Unstructured, version string) error {
	spec := map[string]any{}
	if size, found, _ := unstructured.NestedString(farm.Object, "spec", "size"); found {
		var hectares int64
		if _, err := fmt.Sscanf(size, "%dha", &hectares); err != nil {
			return fmt.Errorf("the size %q has no unit", size)
		}
		spec["hectares"] = hectares
	}
	if hectares, found, _ := unstructured.NestedInt64(farm.Object, "spec", "hectares"); found {
		spec["size"] = fmt.Sprintf("%dha", hectares)
	}
	// The schemas do not have it, so the API server prunes it.
	spec["note"] = "converted"
	farm.SetAPIVersion(version)
	return unstructured.SetNestedMap(farm.Object, spec, "spec")
}

// reply is how a conversion webhook answers.
type reply func(ctx context.Context, clients controllers.Clients, asked *apiextensionsv1.ConversionRequest) *apiextensionsv1.ConversionResponse

// convert is the reply that converted makes.
func convert(context.Context, controllers.Clients, *apiextensionsv1.ConversionRequest) *apiextensionsv1.ConversionResponse {
	return nil
}

// refuse answers that it cannot convert.
func refuse(context.Context, controllers.Clients, *apiextensionsv1.ConversionRequest) *apiextensionsv1.ConversionResponse {
	return &apiextensionsv1.ConversionResponse{Result: metav1.Status{Status: metav1.StatusFailure, Message: "no farms today"}}
}

// sleep answers after an hour, unless the caller hangs up.
func sleep(ctx context.Context, _ controllers.Clients, _ *apiextensionsv1.ConversionRequest) *apiextensionsv1.ConversionResponse {
	select {
	case <-ctx.Done():
	case <-time.After(time.Hour):
	}
	return nil
}

// askBack sends a request to the API server before it converts.
func askBack(ctx context.Context, clients controllers.Clients, _ *apiextensionsv1.ConversionRequest) *apiextensionsv1.ConversionResponse {
	if _, err := clients.Client.CoreV1().ConfigMaps("default").List(ctx, metav1.ListOptions{}); err != nil {
		panic(err)
	}
	return nil
}

// misread panics.
func misread(context.Context, controllers.Clients, *apiextensionsv1.ConversionRequest) *apiextensionsv1.ConversionResponse {
	panic("no such field")
}

// leave returns the objects as they are.
func leave(_ context.Context, _ controllers.Clients, asked *apiextensionsv1.ConversionRequest) *apiextensionsv1.ConversionResponse {
	return &apiextensionsv1.ConversionResponse{
		ConvertedObjects: asked.Objects, Result: metav1.Status{Status: metav1.StatusSuccess},
	}
}

// double returns each object twice.
func double(_ context.Context, _ controllers.Clients, asked *apiextensionsv1.ConversionRequest) *apiextensionsv1.ConversionResponse {
	out := converted(asked)
	out.ConvertedObjects = append(out.ConvertedObjects, out.ConvertedObjects...)
	return out
}

// rename returns another object.
func rename(_ context.Context, _ controllers.Clients, asked *apiextensionsv1.ConversionRequest) *apiextensionsv1.ConversionResponse {
	out := converted(asked)
	out.ConvertedObjects[0].Object.(*unstructured.Unstructured).SetName("other")
	return out
}

// converted is what convert answers.
func converted(asked *apiextensionsv1.ConversionRequest) *apiextensionsv1.ConversionResponse {
	out := &apiextensionsv1.ConversionResponse{Result: metav1.Status{Status: metav1.StatusSuccess}}
	for _, raw := range asked.Objects {
		farm := &unstructured.Unstructured{}
		err := farm.UnmarshalJSON(raw.Raw)
		if err == nil {
			err = convertFarm(farm, asked.DesiredAPIVersion)
		}
		if err != nil {
			out.Result = metav1.Status{Status: metav1.StatusFailure, Message: err.Error()}
			return out
		}
		out.ConvertedObjects = append(out.ConvertedObjects, runtime.RawExtension{Object: farm})
	}
	return out
}

// converter is a process that serves the webhook /convert. A reply of nil stands for the right one.
func converter(answer reply) Option {
	return Controller("converter", func(ctx context.Context, clients controllers.Clients) error {
		mux := http.NewServeMux()
		mux.HandleFunc("/convert", func(w http.ResponseWriter, r *http.Request) {
			var review apiextensionsv1.ConversionReview
			if err := json.NewDecoder(r.Body).Decode(&review); err != nil {
				http.Error(w, err.Error(), http.StatusBadRequest)
				return
			}
			review.Response = answer(r.Context(), clients, review.Request)
			if review.Response == nil {
				review.Response = converted(review.Request)
			}
			review.Response.UID = review.Request.UID
			// The recorder of the answer is in memory.
			_ = json.NewEncoder(w).Encode(review)
		})
		clients.ServeWebhooks(ctx, mux)
		return nil
	})
}

// surveyor is a process that watches farms of version v1, and writes the size of each to a ConfigMap.
func surveyor() Option {
	return Controller("surveyor", func(ctx context.Context, clients controllers.Clients) error {
		config, err := clients.Config()
		if err != nil {
			return err
		}
		client, err := dynamic.NewForConfig(config)
		if err != nil {
			return err
		}
		farms := client.Resource(schema.GroupVersionResource{Group: "example.com", Version: "v1", Resource: "farms"}).Namespace("default")
		survey := func(object any) {
			farm := object.(*unstructured.Unstructured)
			size, _, _ := unstructured.NestedString(farm.Object, "spec", "size")
			note, _, _ := unstructured.NestedString(farm.Object, "spec", "note")
			report := &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Name: farm.GetName() + "-" + size + note}}
			// One that exists says the same.
			_, _ = clients.Client.CoreV1().ConfigMaps("default").Create(ctx, report, metav1.CreateOptions{})
		}
		informer := clients.NewInformer(&cache.ListWatch{
			ListWithContextFunc: func(ctx context.Context, options metav1.ListOptions) (runtime.Object, error) {
				return farms.List(ctx, options)
			},
			WatchFuncWithContext: func(ctx context.Context, options metav1.ListOptions) (watch.Interface, error) {
				return farms.Watch(ctx, options)
			},
		}, &unstructured.Unstructured{}, 0, cache.Indexers{})
		if _, err := informer.AddEventHandler(cache.ResourceEventHandlerFuncs{
			AddFunc: survey, UpdateFunc: func(_, object any) { survey(object) },
		}); err != nil {
			return err
		}
		informer.RunWithContext(ctx)
		return nil
	})
}

// farms is a scenario with farms of two versions, and steps.
func farms(steps string) string {
	return `
apiVersion: kubestep.dev/v1alpha1
kind: Scenario
metadata: {name: farms}
spec:
  title: Farms of two versions
  horizon: 3m
  kubernetes: {controllers: []}
  cluster:
    definitions: |
      apiVersion: apiextensions.k8s.io/v1
      kind: CustomResourceDefinition
      metadata: {name: farms.example.com}
      spec:
        group: example.com
        names: {plural: farms, kind: Farm}
        scope: Namespaced
        conversion:
          strategy: Webhook
          webhook:
            conversionReviewVersions: [v1]
            clientConfig: {service: {namespace: default, name: converter, path: /convert}}
        versions:
        - name: v1alpha1
          served: true
          storage: true
          schema:
            openAPIV3Schema:
              type: object
              properties: {spec: {type: object, properties: {hectares: {type: integer, default: 1}}}}
        - name: v1
          served: true
          storage: false
          schema:
            openAPIV3Schema:
              type: object
              properties:
                spec:
                  type: object
                  properties: {size: {type: string}}
  steps:
` + strings.Trim(steps, "\n") + "\n"
}

// newFarm is a step that creates a Farm; fails may be empty.
func newFarm(version, name, spec, fails string) string {
	step := "  - after: 2s\n"
	if fails != "" {
		step += "    fails: " + fails + "\n"
	}
	return step + fmt.Sprintf("    create: \"{apiVersion: example.com/%s, kind: Farm, metadata: {name: %s}, spec: {%s}}\"\n", version, name, spec)
}

// reportedFarm is a step that waits until the surveyor has seen the size of a farm.
func reportedFarm(name string) string {
	return "  - wait: {for: \"exists('configmap/" + name + "')\", timeout: 1m}\n"
}

// TestConversion plays a scenario for what a conversion webhook may do, well or badly, and looks for lines of its trace.
func TestConversion(t *testing.T) {
	old, south := newFarm("v1alpha1", "north", "hectares: 3", ""), newFarm("v1", "south", "size: 5ha", "")
	refused := newFarm("v1", "south", "size: 5ha", "InternalError")
	const failed = "500: conversion webhook for example.com/v1, Kind=Farm "
	for name, test := range map[string]struct {
		answer reply
		steps  string
		want   []string
	}{
		"a watch": {convert, old + reportedFarm("north-3ha"), []string{
			"webhook   farms.example.com/north               convert to example.com/v1: converted",
		}},
		// Upstream sets the defaults of the stored version before it converts.
		"a default": {convert, newFarm("v1alpha1", "west", "", "") + reportedFarm("west-1ha"), nil},
		"a write": {convert, south + reportedFarm("south-5ha") + "  - expect: {that: \"farm('south').spec.hectares == 5\", by: 1s}\n",
			[]string{"farms.example.com/south             convert to example.com/v1alpha1: converted"}},
		"the storage version changes": {convert, old + `  - patch:
      target: crd/farms.example.com
      type: json
      patch: [{op: replace, path: /spec/versions/0/storage, value: false}, {op: replace, path: /spec/versions/1/storage, value: true}]
` + south + reportedFarm("north-3ha") + reportedFarm("south-5ha") + `
  - expect: {that: "farm('north').apiVersion == 'example.com/v1alpha1' && farm('south').apiVersion == 'example.com/v1'", by: 1s}
  - patch: {target: farm/north, type: merge, patch: {metadata: {labels: {seen: "yes"}}}}
  - expect: {that: "farm('north').apiVersion == 'example.com/v1' && farm('north').spec.size == '3ha'", by: 1s}
  - delete: {target: crd/farms.example.com}
  - wait: {for: "!exists('farm/north') && !exists('farm/south')"}
`, nil},
		"refuses": {refuse, refused, []string{
			"convert to example.com/v1alpha1: failed: no farms today", failed + "failed: no farms today",
		}},
		"refuses what is watched": {refuse, old, []string{
			"surveyor                  watch     farms.example.com                     ERROR", "surveyor                  list      farms",
			"500: conversion webhook for example.com/v1alpha1, Kind=Farm failed: no farms today",
		}},
		"panics": {misread, refused, []string{
			"no answer: the webhook panicked: no such field: EOF",
			failed + `failed: Post "https://converter.default.svc:443/convert?timeout=30s": the webhook panicked`,
		}},
		"hangs":      {sleep, refused, []string{"32.0", "no answer: context deadline exceeded", failed + "failed: Post"}},
		"calls back": {askBack, south + reportedFarm("south-5ha"), nil},
		"returns another version": {leave, refused, []string{
			"failed: returned an object of version example.com/v1 ",
			failed + "returned invalid object at index 0: invalid groupVersion (expected example.com/v1alpha1, received example.com/v1)",
		}},
		"returns more objects": {double, refused, []string{
			"failed: returned 2 objects, expected 1", failed + "returned 2 objects, expected 1",
		}},
		"returns another object": {rename, refused, []string{
			failed + "returned invalid object: must have the same name: south != other",
		}},
		"is down": {convert, "  - controller: {crash: converter}\n" + refused, []string{
			"no answer: dial tcp converter.default.svc:443: connect: connection refused", failed + "failed: Post",
		}},
		// An informer lists again until the webhook answers.
		"is down for a while": {convert, `  - fault: {webhook: {name: "farms.*", operation: CONVERT}, disconnect: true, for: 20s}
` + old + reportedFarm("north-3ha"), []string{"connection refused", "farms.example.com                     ERROR"}},
		"crashes while it is called": {askBack, "  - fault: {request: {actor: converter, verb: list}, crash: true}\n" + refused, []string{
			"no answer: EOF",
		}},
		"code by a fault": {convert, `  - fault: {webhook: {resource: farms.example.com}, fail: ServiceUnavailable, times: 1}
` + refused + south, []string{"no answer: HTTP 503: an injected fault"}},
		"answer lost by a fault": {convert, `  - fault: {webhook: {operation: CONVERT}, disconnect: true, afterCommit: true, times: 1}
` + refused + south, []string{"no answer: EOF"}},
		"delayed by a fault": {convert, `  - fault: {webhook: {name: "*"}, delay: 40s, times: 1}
` + refused, []string{"context deadline exceeded"}},
		"slow": {convert, `  - fault: {webhook: {name: "*"}, delay: 4s}
` + south + reportedFarm("south-5ha"), []string{"delay"}},
		"held by a fault": {convert, `  - fault: {webhook: {name: "*"}, hold: true, for: 5s}
` + south + reportedFarm("south-5ha"), []string{"release"}},
	} {
		t.Run(name, func(t *testing.T) {
			hashes := map[string]bool{}
			for range 2 {
				result := Run(t, farms(test.steps), converter(test.answer), surveyor())
				hashes[result.Outcome.TraceHash] = true
				text := fullText(result)
				for _, want := range test.want {
					if !strings.Contains(text, want) {
						t.Errorf("the trace has no %q:\n%s", want, text)
					}
				}
			}
			if len(hashes) != 1 {
				t.Errorf("%d hashes from one seed", len(hashes))
			}
			t.Log("trace", slices.Collect(maps.Keys(hashes)))
		})
	}
}

// fullText is the trace without background, with the calls of webhooks that succeed.
func fullText(result *Result) string {
	var out bytes.Buffer
	text := trace.NewText(&out, trace.TextOptions{Verbose: true})
	for record := range result.All() {
		if !record.Background && (record.Webhook != nil || trace.IsStory(record)) {
			// Writing to memory cannot fail.
			_ = text.Write(record)
		}
	}
	_ = text.Close()
	return out.String()
}
