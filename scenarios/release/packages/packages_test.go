package packages

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"gopkg.in/yaml.v3"
)

func release() Release {
	r := Release{Version: "v0.1.0", Homepage: "https://example.com", Description: "Step through", License: "Apache-2.0"}
	for _, platform := range []string{"windows/amd64", "linux/arm64", "linux/amd64", "darwin/arm64"} {
		system, arch, _ := strings.Cut(platform, "/")
		a := Archive{OS: system, Architecture: arch, URL: "https://example.com/" + system + "_" + arch + ".tar.gz", SHA256: strings.Repeat("a", 64), Program: "kubestep"}
		if system == "windows" {
			a.Program = "kubestep.exe"
		}
		r.Archives = append(r.Archives, a)
	}
	return r
}

func TestFormula(t *testing.T) {
	var out strings.Builder
	if err := release().Formula(&out); err != nil {
		t.Fatal(err)
	}
	head, _, _ := strings.Cut(strings.ReplaceAll(out.String(), strings.Repeat("a", 64), "aaaa"), "  def install")
	want := `class Kubestep < Formula
  desc "Step through"
  homepage "https://example.com"
  version "0.1.0"
  license "Apache-2.0"

  on_macos do
    on_arm do
      url "https://example.com/darwin_arm64.tar.gz"
      sha256 "aaaa"
    end
  end

  on_linux do
    on_intel do
      url "https://example.com/linux_amd64.tar.gz"
      sha256 "aaaa"
    end
    on_arm do
      url "https://example.com/linux_arm64.tar.gz"
      sha256 "aaaa"
    end
  end

`
	if diff := cmp.Diff(want, head); diff != "" {
		t.Errorf("-want +got\n%s", diff)
	}
	ruby, err := exec.LookPath("ruby")
	if err != nil {
		t.Skip("there is no ruby to check the syntax")
	}
	path := filepath.Join(t.TempDir(), "kubestep.rb")
	if err := os.WriteFile(path, []byte(out.String()), 0o644); err != nil {
		t.Fatal(err)
	}
	if out, err := exec.Command(ruby, "-c", path).CombinedOutput(); err != nil {
		t.Errorf("ruby -c: %v\n%s", err, out)
	}
}

func TestPlugin(t *testing.T) {
	var out strings.Builder
	if err := release().Plugin(&out); err != nil {
		t.Fatal(err)
	}
	var plugin struct {
		APIVersion, Kind string
		Metadata         struct{ Name string }
		Spec             struct {
			Version, ShortDescription string
			Platforms                 []struct {
				Selector struct {
					MatchLabels map[string]string `yaml:"matchLabels"`
				}
				URI, SHA256, Bin string
				Files            []struct{ From, To string }
			}
		}
	}
	if err := yaml.Unmarshal([]byte(out.String()), &plugin); err != nil {
		t.Fatalf("%v\n%s", err, out.String())
	}
	got := []string{plugin.Metadata.Name + " " + plugin.Spec.Version}
	for _, p := range plugin.Spec.Platforms {
		got = append(got, strings.Join([]string{p.Selector.MatchLabels["os"], p.Selector.MatchLabels["arch"], p.URI, p.Bin, p.Files[0].From}, " "))
	}
	want := []string{
		"step v0.1.0",
		"darwin arm64 https://example.com/darwin_arm64.tar.gz kubestep kubestep",
		"linux amd64 https://example.com/linux_amd64.tar.gz kubestep kubestep",
		"linux arm64 https://example.com/linux_arm64.tar.gz kubestep kubestep",
		"windows amd64 https://example.com/windows_amd64.tar.gz kubestep.exe kubestep.exe",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("-want +got\n%s", diff)
	}
}

func TestNothingToInstall(t *testing.T) {
	r := release()
	r.Archives = r.Archives[:1] // Windows
	if err := r.Formula(&strings.Builder{}); err == nil {
		t.Error("a formula without an archive is written")
	}
}
