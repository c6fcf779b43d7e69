package version

import (
	"runtime/debug"
	"strings"
	"testing"
)

func TestWhereTheVersionComesFrom(t *testing.T) {
	module := func(version string, settings ...debug.BuildSetting) *debug.BuildInfo {
		return &debug.BuildInfo{Main: debug.Module{Version: version}, Settings: settings}
	}
	revision := debug.BuildSetting{Key: "vcs.revision", Value: "c0ffee"}
	for _, test := range []struct {
		name                        string
		version, commit             string
		info                        *debug.BuildInfo
		wantedVersion, wantedCommit string
	}{
		{"the linker has set both", "v0.1.0", "abc", module("v0.2.0", revision), "v0.1.0", "abc"},
		{"go install with a version", "", "", module("v0.2.0"), "v0.2.0", ""},
		{"go build in a clone", "", "", module("(devel)", revision), devel, "c0ffee"},
		{"no information", "", "", nil, devel, ""},
	} {
		version, commit := complete(test.version, test.commit, test.info)
		if version != test.wantedVersion || commit != test.wantedCommit {
			t.Errorf("%s: %q, %q, want %q, %q", test.name, version, commit, test.wantedVersion, test.wantedCommit)
		}
	}
}

func TestTheTextOfAVersion(t *testing.T) {
	var out strings.Builder
	info := Info{Kubestep: "v0.1.0", Kubernetes: "v1.36.3", Go: "go1.26.8", Platform: "linux/arm64", Build: "exact"}
	if err := info.WriteText(&out); err != nil {
		t.Fatal(err)
	}
	const want = "kubestep v0.1.0\ncommit unknown\nkubernetes v1.36.3\ngo1.26.8 linux/arm64\nbuild exact\n"
	if out.String() != want {
		t.Errorf("%q, want %q", out.String(), want)
	}
}
