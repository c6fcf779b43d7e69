package output

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/kubestep/kubestep/sim/golden"
)

func put(t *testing.T, path, text string, mode os.FileMode) {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), mode); err != nil {
		t.Fatal(err)
	}
}

// modeOf is what a file has, without what its name is a link to.
func modeOf(t *testing.T, path string) os.FileMode {
	t.Helper()
	info, err := os.Lstat(path)
	if err != nil {
		t.Fatal(err)
	}
	return info.Mode()
}

// TestFileReplaces shows that a reader sees the old file until the new one is complete.
func TestFileReplaces(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "out")
	put(t, path, "old", 0o600)
	file, err := Create(path)
	if err != nil {
		t.Fatal(err)
	}
	file.Write([]byte("new"))
	if text, err := os.ReadFile(path); string(text) != "old" {
		t.Errorf("before commit: %q, %v", text, err)
	}
	if err := file.Commit(); err != nil {
		t.Fatal(err)
	}
	file.Discard()
	if text, err := os.ReadFile(path); string(text) != "new" {
		t.Errorf("after commit: %q, %v", text, err)
	}
	if mode := modeOf(t, path); mode != 0o600 {
		t.Errorf("mode %v, want that of the old file", mode)
	}
	if names := golden.Entries(t, dir); !slices.Equal(names, []string{"out"}) {
		t.Errorf("the directory holds %q", names)
	}
}

// TestFileDiscards leaves nothing behind, and what was there as it was.
func TestFileDiscards(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "out")
	put(t, path, "old", 0o600)
	file, err := Create(path)
	if err != nil {
		t.Fatal(err)
	}
	file.Write([]byte("new"))
	file.Discard()
	if err := file.Commit(); err != nil {
		t.Errorf("commit after discard: %v", err)
	}
	if text, err := os.ReadFile(path); string(text) != "old" {
		t.Errorf("%q, %v", text, err)
	}
	if names := golden.Entries(t, dir); !slices.Equal(names, []string{"out"}) {
		t.Errorf("the directory holds %q", names)
	}
}

// TestFileKeepsLinks writes the file that a link names, and the link stays.
func TestFileKeepsLinks(t *testing.T) {
	dir := t.TempDir()
	link, target := filepath.Join(dir, "link"), filepath.Join(dir, "target")
	put(t, target, "old", 0o600)
	if err := os.Symlink("target", link); err != nil {
		t.Skip(err)
	}
	if err := WriteFile(link, []byte("new")); err != nil {
		t.Fatal(err)
	}
	if text, err := os.ReadFile(target); string(text) != "new" {
		t.Errorf("%q, %v", text, err)
	}
	if mode := modeOf(t, link); mode&os.ModeSymlink == 0 {
		t.Errorf("the link is now %v", mode)
	}
}

// TestFileFollowsDanglingLinks creates the file that a link names, and explains where that is not possible.
func TestFileFollowsDanglingLinks(t *testing.T) {
	dir := t.TempDir()
	for name, to := range map[string]string{
		"elsewhere": "a/b", "first": "second", "second": "elsewhere/../target",
		"loop": "pool", "pool": "loop", "lost": "nowhere/target",
	} {
		if err := os.Symlink(to, filepath.Join(dir, name)); err != nil {
			t.Skip(err)
		}
	}
	if err := os.MkdirAll(filepath.Join(dir, "a", "b"), 0o755); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]string{
		"first": "", "loop": "too many levels of symbolic links", "lost": "no such file or directory",
	} {
		link := filepath.Join(dir, name)
		err := WriteFile(link, []byte("new"))
		if want == "" && err != nil || want != "" && (err == nil || err.Error() != link+": "+want) {
			t.Errorf("%s: error %v, want %q", name, err, want)
		}
		if mode := modeOf(t, link); mode&os.ModeSymlink == 0 {
			t.Errorf("%s is now %v", name, mode)
		}
	}
	// The link elsewhere leads to a/b, so its parent is a.
	if text, err := os.ReadFile(filepath.Join(dir, "a", "target")); string(text) != "new" {
		t.Errorf("%q, %v", text, err)
	}
}

// TestFileModeIsThatOfAnyFile compares with os.WriteFile, whatever the umask is.
func TestFileModeIsThatOfAnyFile(t *testing.T) {
	dir := t.TempDir()
	put(t, filepath.Join(dir, "plain"), "", 0o666)
	if err := WriteFile(filepath.Join(dir, "atomic"), nil); err != nil {
		t.Fatal(err)
	}
	got, want := modeOf(t, filepath.Join(dir, "atomic")), modeOf(t, filepath.Join(dir, "plain"))
	if got != want {
		t.Errorf("mode %v, want %v", got, want)
	}
}

// TestFileWithoutDirectory shows that the error names the file of the user, not the temporary one.
func TestFileWithoutDirectory(t *testing.T) {
	path := filepath.Join(t.TempDir(), "nowhere", "out")
	_, err := Create(path)
	var output *Error
	if !errors.As(err, &output) || output.Error() != path+": no such file or directory" {
		t.Errorf("%v, want an error about %s", err, path)
	}
}
