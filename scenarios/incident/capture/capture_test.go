package capture

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/kubestep/kubestep/scenarios/cli"
	"github.com/kubestep/kubestep/scenarios/cli/output"
	"github.com/kubestep/kubestep/scenarios/language/snapshot"
)

// TestMain makes the test binary be kubectl under that name: it answers from the table.
func TestMain(m *testing.M) {
	if filepath.Base(os.Args[0]) == "kubectl" {
		os.Exit(answer(os.Args[1:]))
	}
	os.Exit(m.Run())
}

// cluster is what kubectl gets, by the first resource that it is asked for.
var cluster = map[string]string{
	"--namespaced=true":  "events\npods\nsecrets\nleases.coordination.k8s.io\ndeployments.apps\nevents.events.k8s.io\nrollouts.example.com\n",
	"--namespaced=false": "namespaces\nnodes\npersistentvolumes\nclusterroles.rbac.authorization.k8s.io\nsites.example.com\n",
	"namespaces":         `{"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": "shop", "uid": "n-1"}}`,
	"events,pods,secrets,deployments.apps,rollouts.example.com": `{"apiVersion": "v1", "kind": "List", "items": [
		{"apiVersion": "v1", "kind": "Secret", "metadata": {"name": "db", "namespace": "shop", "uid": "s-1", "managedFields": [{"manager": "me"}],
			"annotations": {"kubectl.kubernetes.io/last-applied-configuration": "hunter2", "team": "a"}}, "data": {"password": "aHVudGVyMg=="}},
		{"apiVersion": "example.com/v1", "kind": "Rollout", "metadata": {"name": "web", "namespace": "shop", "uid": "r-1"}},
		{"apiVersion": "v1", "kind": "Event", "metadata": {"name": "e", "namespace": "shop"}, "involvedObject": {"kind": "Pod", "name": "p"}}]}`,
	"nodes,persistentvolumes": `{"apiVersion": "v1", "kind": "List", "items": [
		{"apiVersion": "v1", "kind": "Node", "metadata": {"name": "node-1", "uid": "m-1"}},
		{"apiVersion": "v1", "kind": "PersistentVolume", "metadata": {"name": "mine", "uid": "v-1"}, "spec": {"claimRef": {"namespace": "shop"}}},
		{"apiVersion": "v1", "kind": "PersistentVolume", "metadata": {"name": "foreign", "uid": "v-2"}, "spec": {"claimRef": {"namespace": "bank"}}}]}`,
	"events": `{"apiVersion": "v1", "kind": "List", "items": []}`,
	"customresourcedefinitions": `{"apiVersion": "v1", "kind": "List", "items": [
		{"apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition", "metadata": {"name": "rollouts.example.com", "uid": "c-1"},
			"spec": {"group": "example.com", "names": {"kind": "Rollout", "plural": "rollouts"}, "scope": "Namespaced",
				"versions": [{"name": "v1", "served": true, "storage": true, "schema": {"openAPIV3Schema": {"type": "object"}}}]}},
		{"apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition", "metadata": {"name": "others.example.com", "uid": "c-2"},
			"spec": {"group": "example.com", "names": {"kind": "Other"}}}]}`,
}

// answer is kubectl. FAILS names what it may not get.
func answer(args []string) int {
	if os.Getenv("FAILS") == "all" {
		fmt.Fprintln(os.Stderr, "The connection to the server localhost:8080 was refused")
		return 1
	}
	what := args[1]
	if args[0] == "api-resources" {
		what = args[2]
	}
	if what == "namespaces" && args[2] != "shop" {
		return 0
	}
	fmt.Print(cluster[what])
	if strings.HasPrefix(what, "events,") && os.Getenv("FAILS") == "pods" {
		fmt.Fprintln(os.Stderr, `Error from server (Forbidden): pods is forbidden: User "me" cannot list resource "pods"`)
		return 1
	}
	return 0
}

// capture runs the command in a new folder, where kubectl is the test binary.
func capture(t *testing.T, o Options) (said string, err error) {
	t.Helper()
	dir := t.TempDir()
	t.Chdir(dir)
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	bin := t.TempDir()
	if err := os.Symlink(self, filepath.Join(bin, "kubectl")); err != nil {
		t.Skip(err)
	}
	t.Setenv("PATH", bin)
	var out bytes.Buffer
	err = Capture(cli.Streams{Out: &out, Err: &out}, o)
	return out.String(), err
}

// TestCapture captures a namespace: what kubestep reads of it is what a scenario needs, without the values of Secrets.
func TestCapture(t *testing.T) {
	said, err := capture(t, Options{Namespace: "shop", Context: "prod"})
	if err != nil {
		t.Fatal(err)
	}
	const want = `kubectl api-resources --verbs=list --namespaced=true --output=name --context=prod
kubectl api-resources --verbs=list --namespaced=false --output=name --context=prod
kubectl get namespaces shop --output=json --ignore-not-found --context=prod
kubectl get events,pods,secrets,deployments.apps,rollouts.example.com --namespace=shop --output=json --ignore-not-found --context=prod
kubectl get nodes,persistentvolumes --output=json --ignore-not-found --context=prod
kubectl get events --namespace=default --field-selector=involvedObject.kind=Node --output=json --ignore-not-found --context=prod
kubectl get customresourcedefinitions --output=json --ignore-not-found --context=prod
captured: 1 CustomResourceDefinition, 1 Event, 1 Namespace, 1 Node, 1 PersistentVolume, 1 Rollout, 1 Secret
replaced: the values of Secrets and ConfigMaps, but not their keys (the env of containers is unchanged): 1 object
wrote capture-shop.json; next: kubestep why capture-shop.json
`
	if said != want {
		t.Errorf("it says\n%s", said)
	}
	text, err := os.ReadFile("capture-shop.json")
	if err != nil {
		t.Fatal(err)
	}
	for _, secret := range []string{"hunter2", "aHVudGVyMg", "managedFields", "foreign", "others.example.com"} {
		if strings.Contains(string(text), secret) {
			t.Errorf("%s is in\n%s", secret, text)
		}
	}
	if info, err := os.Stat("capture-shop.json"); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("%v, %v", info, err)
	}
	if !snapshot.IsDump("capture-shop.json") {
		t.Error("it is no dump")
	}
	dump, err := snapshot.Read(bytes.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	var kinds []string
	for _, o := range dump.Objects {
		kinds = append(kinds, o.GetKind())
	}
	if want := []string{"CustomResourceDefinition", "Namespace", "Node", "PersistentVolume", "Secret", "Rollout"}; !slices.Equal(kinds, want) {
		t.Errorf("the dump has %v, want %v", kinds, want)
	}
}

// TestCaptureOfAPart says which kinds the user may not list.
func TestCaptureOfAPart(t *testing.T) {
	t.Setenv("FAILS", "pods")
	said, err := capture(t, Options{Namespace: "shop"})
	if want := `missing: Error from server (Forbidden): pods is forbidden: User "me" cannot list resource "pods"` + "\n"; err != nil || !strings.Contains(said, want) {
		t.Errorf("%v\n%s", err, said)
	}
}

// TestNoCapture writes nothing if there is nothing to write, or if something is in the way.
func TestNoCapture(t *testing.T) {
	for _, test := range []struct{ namespace, fails, want string }{
		{"nowhere", "", "there is no namespace nowhere"},
		{"shop", "all", "kubectl api-resources: The connection to the server localhost:8080 was refused"},
		{"-A", "", `--namespace "-A" is not the name of a namespace`},
		{"shop --token=x", "", "is not the name of a namespace"},
	} {
		t.Setenv("FAILS", test.fails)
		_, err := capture(t, Options{Namespace: test.namespace})
		var usage *cli.UsageError
		if !errors.As(err, &usage) || !strings.Contains(usage.Message, test.want) || usage.Try == "" {
			t.Errorf("%s: %v, want %s", test.namespace, err, test.want)
		}
		if files, _ := filepath.Glob("*"); len(files) > 0 {
			t.Errorf("%s: there is %v", test.namespace, files)
		}
	}
	there := filepath.Join(t.TempDir(), "notes.json")
	if err := os.WriteFile(there, []byte("mine"), 0o600); err != nil {
		t.Fatal(err)
	}
	said, err := capture(t, Options{Namespace: "shop", Out: there})
	var exists *output.ExistsError
	if !errors.As(err, &exists) || said != "" {
		t.Errorf("%v, %q", err, said)
	}
	t.Setenv("PATH", "")
	err = Capture(cli.Streams{}, Options{Namespace: "shop", Out: filepath.Join(t.TempDir(), "out.json")})
	var usage *cli.UsageError
	if !errors.As(err, &usage) || usage.Message != "capture needs kubectl, which is not in the PATH" {
		t.Errorf("without kubectl: %v", err)
	}
}
