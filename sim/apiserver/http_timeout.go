package apiserver

import (
	"net/http"
	"time"

	"k8s.io/apimachinery/pkg/util/sets"
	genericapifilters "k8s.io/apiserver/pkg/endpoints/filters"
	genericfilters "k8s.io/apiserver/pkg/server/filters"
	"k8s.io/kubernetes/pkg/api/legacyscheme"
)

// isLong reports whether a request has no deadline, as in kube-apiserver (BuildGenericConfig in pkg/controlplane/apiserver).
var isLong = genericfilters.BasicLongRunningRequestCheck(
	sets.NewString("watch", "proxy"), sets.NewString("attach", "exec", "proxy", "log", "portforward"))

// requestTimeout is kube-apiserver's default for --request-timeout.
const requestTimeout = time.Minute

// withTimeoutChecked refuses a timeout that is no duration, by upstream's filter of deadlines. The deadline itself is not set: how long
// a request takes is up to the network of the simulation.
func withTimeoutChecked(handler http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		valid := true
		if r.URL.Query().Has("timeout") {
			valid = false
			pass := http.HandlerFunc(func(http.ResponseWriter, *http.Request) { valid = true })
			genericapifilters.WithRequestDeadline(pass, nil, nil, isLong, legacyscheme.Codecs, requestTimeout).ServeHTTP(w, r)
		}
		if valid {
			handler.ServeHTTP(w, r)
		}
	})
}
