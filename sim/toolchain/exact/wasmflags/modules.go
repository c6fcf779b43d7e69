package main

import (
	_ "embed"
	"regexp"

	"github.com/kubestep/kubestep/sim/toolchain/exact/internal/edit"
)

// A module has sources that do not compile for js/wasm, or that would make the program larger than a browser should load.
type module struct {
	path string
	// written is the version that the changes are written for. Another one is refused: look at what changed in these files.
	written string
	// without are files to leave out. windows are files for Windows that are good for js, too.
	without, windows []string
	edits            []edit.Edit
	// lines are files without the lines that match an expression.
	lines map[string]*regexp.Regexp
	// inserts are files of ours, by their paths.
	inserts map[string]string
}

//go:embed insert/flock.go.txt
var flock string

//go:embed insert/term.go.txt
var term string

//go:embed insert/probe.go.txt
var probe string

//go:embed insert/etcd3.go.txt
var etcd3 string

//go:embed insert/factory.go.txt
var factory string

//go:embed insert/feature.go.txt
var feature string

//go:embed insert/kustomize.go.txt
var kustomize string

// etcd3Files are the client of etcd. The simulation has a store of its own.
var etcd3Files = []string{
	"pkg/storage/etcd3/block_logger.go", "pkg/storage/etcd3/compact.go", "pkg/storage/etcd3/corrupt_obj_deleter.go",
	"pkg/storage/etcd3/decoder.go", "pkg/storage/etcd3/errors.go", "pkg/storage/etcd3/event.go", "pkg/storage/etcd3/healthcheck.go",
	"pkg/storage/etcd3/latency_tracker.go", "pkg/storage/etcd3/lease_manager.go", "pkg/storage/etcd3/logger.go",
	"pkg/storage/etcd3/stats.go", "pkg/storage/etcd3/store.go", "pkg/storage/etcd3/watcher.go",
}

// modules are all that is changed. Most files make system calls that no controller ever makes. The others are what no
// simulation needs and a browser would load: the clients of etcd and kustomize, and two of the three copies of Kubernetes'
// API documentation.
var modules = []module{
	{
		path: "github.com/coreos/go-systemd/v22", written: "v22.7.0",
		without: []string{"journal/journal_unix.go"}, windows: []string{"journal/journal_windows.go"},
	},
	{
		path: "go.etcd.io/etcd/client/pkg/v3", written: "v3.7.0",
		without: []string{"fileutil/lock_flock.go"}, inserts: map[string]string{"fileutil/flock_js.go": flock},
	},
	{
		path: "github.com/moby/term", written: "v0.5.2",
		without: []string{"term_unix.go", "termios_unix.go", "termios_nonbsd.go"}, inserts: map[string]string{"term_js.go": term},
	},
	{
		path: "k8s.io/apiserver", written: "v0.37.2",
		without: append([]string{
			"pkg/server/options/serving_unix.go", "pkg/storage/storagebackend/factory/etcd3.go",
			"pkg/storage/feature/feature_support_checker.go",
		}, etcd3Files...),
		windows: []string{"pkg/server/options/serving_windows.go"},
		inserts: map[string]string{
			"pkg/storage/etcd3/etcd3_js.go": etcd3, "pkg/storage/storagebackend/factory/factory_js.go": factory,
			"pkg/storage/feature/feature_js.go": feature,
		},
		edits: []edit.Edit{{
			File: "pkg/endpoints/installer.go", Anchor: "desc = docable.SwaggerDoc()[jsonName]", Text: "_ = docable",
			Why: "the linker would keep the documentation of every type, a third time",
		}},
	},
	{
		path: "k8s.io/mount-utils", written: "v0.37.2",
		without: []string{"mount_helper_unix.go"}, windows: []string{"mount_helper_windows.go"},
	},
	{
		path: "k8s.io/kubernetes", written: "v1.37.2",
		without: []string{"pkg/probe/dialer_others.go", "pkg/scheduler/backend/cache/debugger/signal.go"},
		windows: []string{"pkg/securitycontext/util_windows.go", "pkg/scheduler/backend/cache/debugger/signal_windows.go"},
		inserts: map[string]string{"pkg/probe/dialer_js.go": probe},
		edits: []edit.Edit{{
			File: "pkg/util/filesystem/util_unix.go", Anchor: "//go:build freebsd", Text: "//go:build js || freebsd",
			Why: "js has no file of its own",
		}},
		lines: map[string]*regexp.Regexp{
			"pkg/generated/openapi/zz_generated.openapi.go": regexp.MustCompile(`(?m)^\s*Description:\s+".*",\n`),
		},
	},
	{
		path: "k8s.io/kubectl", written: "v0.37.2",
		without: []string{"pkg/util/umask.go", "pkg/util/term/resizeevents.go"},
		windows: []string{"pkg/util/umask_windows.go", "pkg/util/term/resizeevents_windows.go"},
		edits: []edit.Edit{{
			File: "pkg/util/interrupt/interrupt.go", Anchor: "syscall.SIGHUP, ", Text: "", Why: "js does not have this signal",
		}},
	},
	{
		path: "k8s.io/cli-runtime", written: "v0.37.2",
		without: []string{"pkg/resource/kustomizevisitor.go"}, inserts: map[string]string{"pkg/resource/kustomize_js.go": kustomize},
	},
}
