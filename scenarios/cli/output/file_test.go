package output

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/kubestep/kubestep/sim/simtest/golden"
	"github.com/kubestep/kubestep/sim/trace"
	"github.com/kubestep/kubestep/sim/trace/file/archive"
	"github.com/kubestep/kubestep/sim/trace/file/input"
	"github.com/kubestep/kubestep/sim/trace/file/tracefile"
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
	file, err := Create(path, Rights{Force: true})
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
	file, err := Create(path, Rights{Force: true})
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

// TestFileNeverWritesThroughLinks refuses a link, to what exists and what does not; with force, the file takes its place.
func TestFileNeverWritesThroughLinks(t *testing.T) {
	for _, target := range []string{"target", "missing", "link", "/dev/null"} {
		dir := t.TempDir()
		link, file := filepath.Join(dir, "link"), filepath.Join(dir, "target")
		put(t, file, "{\"seq\":1", 0o600)
		if err := os.Symlink(target, link); err != nil {
			t.Skip(err)
		}
		err := WriteFile(link, []byte("new"), Traces(false))
		var exists *ExistsError
		if !errors.As(err, &exists) || exists.Error() != link+" is a link to "+target+", which is not written" {
			t.Errorf("%s: %v", target, err)
		}
		if _, err := Growing(link, Traces(false)); !errors.As(err, &exists) {
			t.Errorf("%s, growing: %v", target, err)
		}
		if _, err := Appending(link); !errors.As(err, &exists) {
			t.Errorf("%s, appending: %v", target, err)
		}
		if err := WriteFile(link, []byte("new"), Traces(true)); err != nil {
			t.Errorf("%s: %v", target, err)
		}
		if mode := modeOf(t, link); !mode.IsRegular() {
			t.Errorf("%s: the link is now %v", target, mode)
		}
		if text, err := os.ReadFile(file); string(text) != "{\"seq\":1" {
			t.Errorf("%s: the file has %q, %v", target, text, err)
		}
	}
}

// archived is an archive of a trace with one record.
func archived(t *testing.T) string {
	t.Helper()
	var out bytes.Buffer
	trace := `{"seq":1,"at":0,"kind":"note","note":{"text":"hello"}}` + "\n"
	if err := tracefile.Convert(strings.NewReader(trace), tracefile.Archive(&out, "trace.jsonl")); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

// TestRights asks by content, whatever the name is, and again when the file is complete.
func TestRights(t *testing.T) {
	own, pages := Rights{Own: []input.Kind{input.Trace, input.Archive}}, Rights{Own: []input.Kind{input.Page}}
	for _, test := range []struct {
		name, content string
		rights        Rights
		want          string
	}{
		{"new.jsonl", "", own, ""},
		{"trace.txt", `{"seq":1,"at":0}`, own, ""},
		{"archive", archived(t), own, ""},
		{"annotated.kst", archived(t) + "notes", own, "exists, and is not a trace"},
		{"mark.kst", input.ArchiveMark + "...", own, "exists, and is not a trace"},
		{"notes.jsonl", "notes", own, "exists, and is not a trace"},
		{"notes.kst", "notes", own, "exists, and is not a trace"},
		{"data.jsonl", `{"sequence":1}`, own, "exists, and is not a trace"},
		{"annotated.jsonl", `{"seq":1,"at":0}` + "\n" + `{"seq":2,"at":5}` + "\nHere, the quota refuses the Pod.\n", own, "exists, and is not a trace"},
		{"commented.jsonl", `{"seq":1,"at":0} // the first one` + "\n", own, "exists, and is not a trace"},
		{"below.jsonl", `{"seq":1,"at":0}` + "\n\nnotes", own, "exists, and is not a trace"},
		{"cut.jsonl", `{"seq":1,"at":0}` + "\n" + `{"seq":2,"a`, own, ""},
		{"between.jsonl", `{"seq":1,"at":0}` + "\n" + `{"seq":2,"a` + "\n" + `{"seq":3,"at":0}` + "\n", own, "exists, and is not a trace"},
		{"lesson.html", input.PageMark + "...</html>\n", pages, ""},
		{"german.html", strings.Replace(input.PageMark, `"en"`, `"zh-cn"`, 1) + "...</html>\n", pages, ""},
		{"annotated.html", input.PageMark + "...</html>\n<!-- notes -->\n", pages, "exists, and is not a page of kubestep"},
		{"film.svg", input.FilmMark + "></svg>\n", Rights{Own: []input.Kind{input.Film}}, ""},
		{"annotated.svg", input.FilmMark + "></svg>\nnotes", Rights{Own: []input.Kind{input.Film}}, "exists, and is not a film of kubestep"},
		{"trace.jsonl", `{"seq":1,"at":0}`, Rights{}, "exists"},
		{"notes", "notes", Rights{Force: true}, ""},
	} {
		path := filepath.Join(t.TempDir(), test.name)
		put(t, path, test.content, 0o644)
		got := ""
		if err := WriteFile(path, []byte("new"), test.rights); err != nil {
			got = strings.TrimPrefix(err.Error(), path+" ")
		}
		text, _ := os.ReadFile(path)
		if got != test.want || (string(text) == "new") != (test.want == "") {
			t.Errorf("%s: %q, want %q; the file has %q", test.name, got, test.want, text)
		}
	}
	path := filepath.Join(t.TempDir(), "late")
	file, err := Create(path, own)
	if err != nil {
		t.Fatal(err)
	}
	put(t, path, "notes", 0o644)
	file.Write([]byte("new"))
	var exists *ExistsError
	if err := file.Commit(); !errors.As(err, &exists) {
		t.Errorf("a file that came while the trace was written: %v", err)
	}
	file.Discard()
	if names := golden.Entries(t, filepath.Dir(path)); !slices.Equal(names, []string{"late"}) {
		t.Errorf("the directory holds %q", names)
	}
}

// TestPrivateFiles are read by their owner only, whoever could read the file that was there.
func TestPrivateFiles(t *testing.T) {
	path := filepath.Join(t.TempDir(), "session.yaml")
	put(t, path, "old", 0o644)
	for range 2 {
		if err := WriteFile(path, []byte("new"), Rights{Force: true, Private: true}); err != nil {
			t.Fatal(err)
		}
		if mode := modeOf(t, path); mode != privateMode {
			t.Errorf("mode %v", mode)
		}
		os.Remove(path)
	}
	file, err := Growing(path, Rights{Private: true})
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	if mode := modeOf(t, path); mode != privateMode {
		t.Errorf("a growing file has mode %v", mode)
	}
}

// TestFileModeIsThatOfAnyFile compares with os.WriteFile, whatever the umask is.
func TestFileModeIsThatOfAnyFile(t *testing.T) {
	dir := t.TempDir()
	put(t, filepath.Join(dir, "plain"), "", 0o666)
	if err := WriteFile(filepath.Join(dir, "atomic"), nil, Rights{}); err != nil {
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
	_, err := Create(path, Rights{Force: true})
	var output *Error
	if !errors.As(err, &output) || output.Error() != path+": no such file or directory" {
		t.Errorf("%v, want an error about %s", err, path)
	}
}

// TestTracesAreReadOnce finds that a trace has not changed without reading it, and that it has.
func TestTracesAreReadOnce(t *testing.T) {
	path := filepath.Join(t.TempDir(), "trace.jsonl")
	put(t, path, `{"seq":1,"at":0}`+"\n", 0o644)
	if err := Check(path, Traces(false)); err != nil {
		t.Fatal(err)
	}
	info, err := os.Lstat(path)
	if err != nil {
		t.Fatal(err)
	}
	if !owned.has(path, info, Traces(false).Own) {
		t.Error("the trace would be read again")
	}
	put(t, path, `{"seq":1,"at":0}`+"\nnotes\n", 0o644)
	var exists *ExistsError
	if err := WriteFile(path, []byte("new"), Traces(false)); !errors.As(err, &exists) {
		t.Errorf("a trace to which somebody has added notes since: %v", err)
	}
}

// TestCommittedTraceIsComplete: what breaks down after a run, such as one that it is compared with, adds nothing to its file.
func TestCommittedTraceIsComplete(t *testing.T) {
	path := filepath.Join(t.TempDir(), "trace.jsonl")
	file, err := Create(path, Rights{})
	if err != nil {
		t.Fatal(err)
	}
	made := NewTrace(file)
	record := &trace.Record{Seq: 1, Kind: trace.KindNote, Note: &trace.Note{Text: "all there is"}}
	made.Write(record, record.Line())
	if err := made.Commit(archive.End{}); err != nil {
		t.Fatal(err)
	}
	if records, err := made.Keep(trace.Halt{Message: "too late"}); records != 0 || err != nil {
		t.Errorf("kept %d records: %v", records, err)
	}
	if text, err := os.ReadFile(path); string(text) != string(record.Line()) {
		t.Errorf("%s, %v", text, err)
	}
}
