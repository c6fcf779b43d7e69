package expr

import (
	"testing"

	"github.com/google/cel-go/cel"
	"github.com/google/cel-go/common/types"
	"github.com/google/cel-go/common/types/ref"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apiserver/pkg/cel/common"
	"k8s.io/apiserver/pkg/cel/openapi"
	"k8s.io/apiserver/pkg/cel/openapi/resolver"
	"k8s.io/client-go/kubernetes/scheme"
	generated "k8s.io/kubernetes/pkg/generated/openapi"
)

// BenchmarkTyping reads a field of 1,000 Pods through the three ways in which CEL can see a Kubernetes object: ours, and
// the two of k8s.io/apiserver, which need the schema of OpenAPI. typetable.go says what came of it.
func BenchmarkTyping(b *testing.B) {
	table, err := newTypeTable(testKinds)
	if err != nil {
		b.Fatal(err)
	}
	definitions, err := resolver.NewDefinitionsSchemaResolver(generated.GetOpenAPIDefinitions, scheme.Scheme).
		ResolveSchema(corev1.SchemeGroupVersion.WithKind("Pod"))
	if err != nil {
		b.Fatal(err)
	}
	podSchema := &openapi.Schema{Schema: definitions}
	env, err := cel.NewEnv(cel.Variable("pods", cel.ListType(cel.DynType)))
	if err != nil {
		b.Fatal(err)
	}
	parsed, issues := env.Compile("pods.all(p, p.status.phase == 'Running' && p.metadata.labels['app'] == 'web')")
	if issues.Err() != nil {
		b.Fatal(issues.Err())
	}
	program, err := env.Program(parsed, cel.EvalOptions(cel.OptOptimize))
	if err != nil {
		b.Fatal(err)
	}
	pods := bigWorld(b).List(schema.GroupResource{Resource: "pods"}, "")
	for _, way := range []struct {
		name string
		see  func(runtime.Object) ref.Val
	}{
		{"ours", func(pod runtime.Object) ref.Val { return table.NativeToValue(pod) }},
		{"TypedToVal", func(pod runtime.Object) ref.Val { return common.TypedToVal(pod, podSchema) }},
		{"UnstructuredToVal", func(pod runtime.Object) ref.Val {
			content, err := runtime.DefaultUnstructuredConverter.ToUnstructured(pod)
			if err != nil {
				b.Fatal(err)
			}
			return common.UnstructuredToVal(content, podSchema)
		}},
	} {
		b.Run(way.name, func(b *testing.B) {
			b.ReportAllocs()
			for range b.N {
				values := make([]ref.Val, len(pods))
				for i, pod := range pods {
					values[i] = way.see(pod)
				}
				if result, _, err := program.Eval(map[string]any{"pods": types.NewRefValList(table, values)}); err != nil || result != types.True {
					b.Fatalf("%v, %v", result, err)
				}
			}
		})
	}
}
