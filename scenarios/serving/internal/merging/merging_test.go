package merging

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/cockroachdb/datadriven"
	"k8s.io/client-go/tools/clientcmd"

	"github.com/kubestep/kubestep/scenarios/cli/output"
	"github.com/kubestep/kubestep/scenarios/serving/control"
	"github.com/kubestep/kubestep/sim/trace/file/input"
)

// session is one with a name.
func session(name string) control.Kubeconfig {
	return control.Kubeconfig{Name: control.ContextOf(name), Server: "https://127.0.0.1:6443", Authority: []byte("x"), Token: name + "-token"}
}

// said is an error as its user reads it.
func said(err error) string {
	var wrong *Error
	if errors.As(err, &wrong) {
		return "config " + wrong.Problem + "\nTry: " + wrong.Try + "\n"
	}
	return err.Error() + "\n"
}

// TestMerge adds sessions to files and removes them. In testdata/merge.txt, "file" is the file, "add" and "remove" take the name of a
// session, and "edit" is what another program makes of the file: it replaces a text. Each prints the file. When all sessions have ended
// and nobody has edited the file, it is as before, byte for byte: the test checks that by itself.
func TestMerge(t *testing.T) {
	path := filepath.Join(t.TempDir(), "config")
	var original string
	edited := false
	merged := map[string]*Merged{}
	datadriven.RunTest(t, "testdata/merge.txt", func(t *testing.T, d *datadriven.TestData) string {
		var err error
		switch d.Cmd {
		case "file":
			original, edited, merged = d.Input+"\n", false, map[string]*Merged{}
			if err := os.WriteFile(path, []byte(original), 0o644); err != nil {
				t.Fatal(err)
			}
			return ""
		case "add":
			name := d.CmdArgs[0].Key
			merged[name], err = Add(path, session(name))
			if err != nil {
				delete(merged, name)
			}
		case "remove":
			name := d.CmdArgs[0].Key
			err = merged[name].Remove()
			delete(merged, name)
		case "edit":
			edited = true
			old, next, _ := strings.Cut(d.Input, " => ")
			text, _ := os.ReadFile(path)
			if !strings.Contains(string(text), old) {
				t.Fatalf("no %q in\n%s", old, text)
			}
			err = os.WriteFile(path, []byte(strings.Replace(string(text), old, next, 1)), 0o600)
		}
		if err != nil {
			return said(err)
		}
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if len(merged) == 0 && !edited {
			if string(text) != original {
				t.Errorf("the file is\n%s\nnot\n%s", text, original)
			}
			return "as before\n"
		}
		if _, err := clientcmd.Load(text); err != nil {
			t.Errorf("client-go: %v", err)
		}
		return string(text)
	})
}

// TestMergeWithoutAFile makes the file and its folder, for its owner only, and removes it.
func TestMergeWithoutAFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), ".kube", "config")
	m, err := Add(path, session("dev"))
	if err != nil {
		t.Fatal(err)
	}
	if info, err := os.Stat(path); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("%v, %v", info, err)
	}
	config, err := clientcmd.LoadFromFile(path)
	if err != nil || config.CurrentContext != "kubestep-dev" || config.AuthInfos["kubestep-dev"].Token != "dev-token" {
		t.Errorf("client-go reads %+v, %v", config, err)
	}
	if err := m.Remove(); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(path); !os.IsNotExist(err) {
		t.Errorf("the file is still there: %v", err)
	}
}

// TestMergeAfterClientGo removes a session from a file that kubectl has written again in its own form: nothing of the session is left, and
// everything else is.
func TestMergeAfterClientGo(t *testing.T) {
	path := filepath.Join(t.TempDir(), "config")
	text := "apiVersion: v1\nkind: Config\nclusters:\n- name: prod\n  cluster: {server: 'https://prod:6443'}\n" +
		"users:\n- name: me\n  user: {token: mine}\ncontexts:\n- name: prod\n  context: {cluster: prod, user: me}\ncurrent-context: prod\n"
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	m, err := Add(path, session("dev"))
	if err != nil {
		t.Fatal(err)
	}
	config, err := clientcmd.LoadFromFile(path)
	if err != nil {
		t.Fatal(err)
	}
	config.Contexts["kubestep-dev"].Namespace = "shop" // as kubectl config set-context --current does
	if err := clientcmd.WriteToFile(*config, path); err != nil {
		t.Fatal(err)
	}
	if err := m.Remove(); err != nil {
		t.Fatal(err)
	}
	config, err = clientcmd.LoadFromFile(path)
	left, _ := os.ReadFile(path)
	if err != nil || config.CurrentContext != "prod" || len(config.Clusters)+len(config.AuthInfos)+len(config.Contexts) != 3 ||
		strings.Contains(string(left), "kubestep") {
		t.Errorf("%v\n%s", err, left)
	}
}

// TestMergeRefuses leaves files as they are that are no kubeconfig, that another program has locked, that are links, and that belong to
// another session.
func TestMergeRefuses(t *testing.T) {
	dir := t.TempDir()
	put := func(name, text string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	kubeconfig := "apiVersion: v1\nkind: Config\nclusters: []\n"
	link := filepath.Join(dir, "link")
	if err := os.Symlink(put("target", kubeconfig), link); err != nil {
		t.Skip(err)
	}
	put("locked.lock", "")
	for path, want := range map[string]string{
		put("scenario.yaml", "apiVersion: kubestep.dev/v1alpha1\nkind: Scenario\n"): "is a scenario, not a kubeconfig",
		put("session", string(session("dev").Text())):                               "is the kubeconfig of a session, not a kubeconfig",
		put("locked", kubeconfig):                                                   "locked.lock exists: another program writes",
		link:                                                                        "is a link to",
	} {
		before, _ := os.ReadFile(path)
		_, err := Add(path, session("dev"))
		var refused *input.FileError
		var exists *output.ExistsError
		if !errors.As(err, &refused) && !errors.As(err, &exists) || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", path, err, want)
		}
		if after, _ := os.ReadFile(path); string(after) != string(before) {
			t.Errorf("%s is now\n%s", path, after)
		}
	}
}

// TestPath is the file that kubectl changes.
func TestPath(t *testing.T) {
	dir := t.TempDir()
	there := filepath.Join(dir, "there")
	if err := os.WriteFile(there, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	t.Setenv("HOME", dir)
	for variable, want := range map[string]string{
		"":    filepath.Join(dir, ".kube", "config"),
		there: there,
		filepath.Join(dir, "one") + string(os.PathListSeparator) + there:                     there,
		filepath.Join(dir, "one") + string(os.PathListSeparator) + filepath.Join(dir, "two"): filepath.Join(dir, "two"),
	} {
		t.Setenv("KUBECONFIG", variable)
		if got, err := Path(); err != nil || got != want {
			t.Errorf("%s: %s, %v, want %s", variable, got, err, want)
		}
		if got := clientcmd.NewDefaultPathOptions().GetDefaultFilename(); variable != "" && got != want {
			t.Errorf("%s: client-go has %s, want %s", variable, got, want)
		}
	}
}
