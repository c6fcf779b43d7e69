package controllers

import (
	"sync"

	"k8s.io/apimachinery/pkg/util/sets"
	"k8s.io/kubernetes/cmd/kube-controller-manager/app"
)

// known is what upstream knows of its controllers without building one. It never changes, and to collect it takes as long
// as a hundred requests, so a process does it once.
var known = sync.OnceValue(func() (k struct {
	aliases  map[string]string
	names    sets.Set[string]
	disabled sets.String
}) {
	k.aliases, k.names = app.ControllerAliases(), sets.New(app.KnownControllers()...)
	k.disabled = sets.NewString(app.ControllersDisabledByDefault()...)
	return k
})
