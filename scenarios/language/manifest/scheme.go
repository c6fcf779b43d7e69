package manifest

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/kubernetes/scheme"
)

// Scheme has the Go types of the built-in kinds, and no others. Client-go's scheme.Scheme is not it: an operator adds its
// own types there, as k8s.io/sample-controller does, and custom resources would change their form in the middle of a run.
var Scheme = func() *runtime.Scheme {
	own := runtime.NewScheme()
	if err := scheme.AddToScheme(own); err != nil {
		panic("manifest: client-go's types do not register: " + err.Error())
	}
	metav1.AddToGroupVersion(own, schema.GroupVersion{Version: "v1"})
	return own
}()
