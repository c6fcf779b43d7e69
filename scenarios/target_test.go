package scenarios

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"k8s.io/client-go/kubernetes/scheme"
)

func TestParseTarget(t *testing.T) {
	for _, test := range []struct {
		text string
		want Target
	}{
		{"deployment/web", Target{"default", "deployment", "web"}},
		{"Deploy/web", Target{"default", "deploy", "web"}},
		{"shop/deployments.apps/web", Target{"shop", "deployments.apps", "web"}},
		{"node/node-1", Target{"", "node", "node-1"}},
		{"ns/shop", Target{"", "ns", "shop"}},
		{"clusterrole/system:node", Target{"", "clusterrole", "system:node"}},
		{"pod/deployment", Target{"default", "pod", "deployment"}},
	} {
		got, err := ParseTarget(test.text)
		if err != nil || got != test.want {
			t.Errorf("ParseTarget(%q) = %v, %v, want %v", test.text, got, err, test.want)
		}
		again, err := ParseTarget(got.String())
		if err != nil || again != got {
			t.Errorf("ParseTarget(%q) = %v, %v, want %v", got, again, err, got)
		}
	}
	got, err := ParseTargetKind("shop/pods")
	if want := (Target{"shop", "pods", ""}); err != nil || got != want || got.String() != "shop/pods" {
		t.Errorf("ParseTargetKind = %v, %v, want %v", got, err, want)
	}
}

func TestResolveResource(t *testing.T) {
	short := map[string]string{
		"deploy": "Deployment", "rs": "ReplicaSet", "sts": "StatefulSet", "ds": "DaemonSet",
		"po": "Pod", "svc": "Service", "cm": "ConfigMap", "no": "Node", "ns": "Namespace",
		"pvc": "PersistentVolumeClaim", "pv": "PersistentVolume", "sa": "ServiceAccount",
		"cj": "CronJob", "hpa": "HorizontalPodAutoscaler", "pdb": "PodDisruptionBudget",
		"ep": "Endpoints", "ev": "Event", "netpol": "NetworkPolicy", "sc": "StorageClass",
		"pc": "PriorityClass", "quota": "ResourceQuota", "limits": "LimitRange",
		"csr": "CertificateSigningRequest", "rc": "ReplicationController", "job": "Job",
		"endpointslice": "EndpointSlice", "lease": "Lease", "SECRETS": "Secret",
	}
	for name, want := range short {
		if _, kind, _, ok := ResolveResource(name); !ok || kind != want {
			t.Errorf("ResolveResource(%q) = %s, %t, want %s", name, kind, ok, want)
		}
	}
	gvr, _, namespaced, _ := ResolveResource("events.events.k8s.io")
	if gvr.String() != "events.k8s.io/v1, Resource=events" || !namespaced {
		t.Errorf("ResolveResource = %v, %t", gvr, namespaced)
	}
	for _, name := range []string{"", ".", "deployment.batch", "widget"} {
		if _, _, _, ok := ResolveResource(name); ok {
			t.Errorf("ResolveResource(%q) is ok", name)
		}
	}
}

// TestResourcesHaveTypes: manifests of every row can be decoded.
func TestResourcesHaveTypes(t *testing.T) {
	for _, r := range apiResources {
		gvk := r.GroupVersion().WithKind(r.kind)
		if !scheme.Scheme.Recognizes(gvk) {
			t.Errorf("client-go has no type for %v", gvk)
		}
	}
}

// discovery is the part of upstream's stored discovery documents that the table repeats.
type discovery struct {
	Resources []struct {
		Name, Kind string
		Namespaced bool
		ShortNames []string
		Verbs      []string
	}
}

// TestResourcesAreUpstreams compares the table with upstream's own discovery documents.
func TestResourcesAreUpstreams(t *testing.T) {
	dir := moduleDir(t, "k8s.io/kubernetes")
	rows := 0
	for _, r := range apiResources {
		name := "apis__" + r.Group + "__" + r.Version
		if r.Group == "" {
			name = "api__" + r.Version
		}
		text, err := os.ReadFile(filepath.Join(dir, "api", "discovery", name+".json"))
		if err != nil {
			t.Fatal(err)
		}
		var upstream discovery
		if err := json.Unmarshal(text, &upstream); err != nil {
			t.Fatal(err)
		}
		for _, u := range upstream.Resources {
			if u.Name != r.Resource {
				continue
			}
			rows++
			if u.Kind != r.kind || u.Namespaced != r.namespaced ||
				!slices.Equal(u.ShortNames, r.shortNames) {
				t.Errorf("upstream has %+v, the table %+v", u, r)
			}
		}
	}
	if rows != len(apiResources) {
		t.Errorf("upstream has %d of the %d rows", rows, len(apiResources))
	}
}

// moduleDir asks the go command, which knows the version in go.mod.
func moduleDir(t *testing.T, module string) string {
	out, err := exec.Command("go", "list", "-m", "-f", "{{.Dir}}", module).Output()
	if err != nil {
		t.Skipf("go list: %v", err)
	}
	return strings.TrimSpace(string(out))
}

func TestParseWait(t *testing.T) {
	web := Target{"default", "deployment", "web"}
	for _, text := range []string{"rollout deployment/web", "  rollout status deployment/web"} {
		got, err := ParseWait(text)
		if err != nil || got.Rollout == nil || *got.Rollout != web {
			t.Errorf("ParseWait(%q) = %v, %v", text, got, err)
		}
	}
	if got, err := ParseWait("delete deployment/web"); err != nil || *got.Delete != web {
		t.Errorf("ParseWait = %v, %v", got, err)
	}
	if got, err := ParseWait("quiet 1m30s"); err != nil || got.Quiet.String() != "1m30s" {
		t.Errorf("ParseWait = %v, %v", got, err)
	}
	conditions := []string{"a in b", "size(pods()) == 3", "rollouts == 3", "!quiet", "a\n&& b"}
	for _, text := range conditions {
		if got, err := ParseWait(text); err != nil || got.Condition != text {
			t.Errorf("ParseWait(%q) = %v, %v", text, got, err)
		}
	}
}
