// A module of its own, so that package ctrlmain has no requirements. Any version of client-go will do.
module github.com/kubestep/kubestep/controllers/external/ctrlmain/ctrlsync

go 1.26.0

require (
	github.com/kubestep/kubestep/controllers/external/ctrlmain v0.0.0
	k8s.io/client-go v0.28.15
)

require (
	github.com/go-logr/logr v1.2.4 // indirect
	golang.org/x/time v0.3.0 // indirect
	k8s.io/apimachinery v0.28.15 // indirect
	k8s.io/klog/v2 v2.100.1 // indirect
	k8s.io/utils v0.0.0-20230406110748-d93618cff8a2 // indirect
)

replace github.com/kubestep/kubestep/controllers/external/ctrlmain => ..
