// Package builds finds the builds of kubestep for other versions of Kubernetes and runs them.
//
// A binary contains the controllers of one version of Kubernetes, because upstream's packages have global state and one
// module graph. So each version is a program of its own, kubestep-1.35 or kubestep-1.35.4, beside the program that runs
// or on PATH (make build KUBERNETES=1.35). A build says in its own words which version it contains: its name is only
// where to look.
//
//	build, err := builds.Find(ctx, "1.35") // bin/kubestep-1.35, which is v1.35.4
//	child.Run{Executable: build.Path, File: "rolling-update"}
package builds
