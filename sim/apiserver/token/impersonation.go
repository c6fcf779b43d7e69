//go:build !kubernetes_before_1_35

package token

import (
	"net/http"

	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apiserver/pkg/authorization/authorizer"
	"k8s.io/apiserver/pkg/endpoints/filters/impersonation"
	genericfeatures "k8s.io/apiserver/pkg/features"
	utilfeature "k8s.io/apiserver/pkg/util/feature"
)

// WithImpersonation lets users act as others if they may.
func WithImpersonation(handler http.Handler, authorize authorizer.Authorizer, codecs runtime.NegotiatedSerializer) http.Handler {
	if utilfeature.DefaultFeatureGate.Enabled(genericfeatures.ConstrainedImpersonation) {
		return impersonation.WithConstrainedImpersonation(handler, authorize, codecs)
	}
	return impersonation.WithImpersonation(handler, authorize, codecs)
}
