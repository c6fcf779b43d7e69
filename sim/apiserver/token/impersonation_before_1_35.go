//go:build kubernetes_before_1_35

package token

import (
	"net/http"

	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apiserver/pkg/authorization/authorizer"
	genericfilters "k8s.io/apiserver/pkg/endpoints/filters"
)

// WithImpersonation lets users act as others if they may.
func WithImpersonation(handler http.Handler, authorize authorizer.Authorizer, codecs runtime.NegotiatedSerializer) http.Handler {
	return genericfilters.WithImpersonation(handler, authorize, codecs)
}
