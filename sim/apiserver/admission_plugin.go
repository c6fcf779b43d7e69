package apiserver

import (
	"io"

	"k8s.io/apiserver/pkg/admission"
)

// admissionPlugin is one plugin that a Server can run.
type admissionPlugin struct {
	name     string
	register func(*admission.Plugins)
	// off means that kube-apiserver does not run it by default.
	off bool
}

// constructor registers a plugin that create makes.
func constructor(name string, create func() (admission.Interface, error)) func(*admission.Plugins) {
	return func(plugins *admission.Plugins) {
		plugins.Register(name, func(io.Reader) (admission.Interface, error) { return create() })
	}
}
