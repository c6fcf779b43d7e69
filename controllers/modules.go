//go:build modules

package controllers

// k8s.io/kubernetes requires the modules of its own repository in the version v0.0.0, which no proxy has, and replaces
// them by directories. A replacement counts only in the main module, so go.mod here requires each of them in its
// real version. No code of kubestep needs these two; the imports are there so that go mod tidy keeps their
// requirements. Nothing is ever built with the tag modules, but tidy looks at all tags. Without them, go list -m all
// fails. Replacing or excluding v0.0.0 would cure that as well, but go install ...@version refuses such a go.mod.
import (
	_ "k8s.io/cri-streaming/pkg/streaming"
	_ "k8s.io/sample-apiserver/pkg/apis/wardle"
)
