package verb

import (
	"context"
	"strings"

	"github.com/kubestep/kubestep/scenarios/language/format"
	"github.com/kubestep/kubestep/scenarios/language/manifest"
	"github.com/kubestep/kubestep/scenarios/language/spelling"
)

// staticPodRow is a manifest of a static Pod on a node.
var staticPodRow = Row{
	Syntax: format.Syntax{
		Of:  new(StaticPod),
		Doc: "Writes the manifest of a static Pod to a node with upstream's kubelet, or removes it.",
		Example: `- static-pod:
    node: node-1
    write: |
      apiVersion: v1
      kind: Pod
      metadata: {name: agent}
      spec: {containers: [{name: c, image: agent}]}
- static-pod: {node: node-1, remove: agent}
`,
	},
}

// StaticPod is somebody who changes the folder of manifests of a node.
type StaticPod struct {
	Node   string `yaml:"node" required:"true" example:"node-1" doc:"Name of the node."`
	Write  string `yaml:"write,omitempty" oneOf:"true" example:"a manifest" doc:"Manifest of the Pod. One for a Pod of the same name takes its place. The kubelet starts the Pod, and creates a mirror of it, NAME-NODE, in the API server."`
	Remove string `yaml:"remove,omitempty" oneOf:"true" example:"agent" doc:"Name of the Pod in the manifest that is removed: the kubelet stops the Pod, and deletes its mirror."`
}

// Keyword implements format.Verb.
func (*StaticPod) Keyword() string { return "static-pod" }

// Role implements format.Verb.
func (*StaticPod) Role() format.Role { return format.Change }

// String implements format.Verb.
func (s *StaticPod) String() string {
	if s.Remove != "" {
		return "remove " + s.Remove + " from " + s.Node
	}
	return "write " + strings.TrimPrefix(manifestNames(s.Write), "pod/") + " to " + s.Node
}

// Check implements format.Verb: the node must have upstream's kubelet.
func (s *StaticPod) Check(c *format.Checker) {
	var known []string
	for _, node := range c.Scenario().Spec.Cluster.EachNode() {
		if node.Name == s.Node && !c.Scenario().RunsKubelet(node) {
			c.Fail("node", "kubernetes: {kubelet: "+format.UpstreamKubelet+"}",
				"the stand-in of the kubelet on %s has no static Pods", s.Node)
			return
		}
		known = append(known, node.Name)
	}
	if s.Node != "" && len(nodesOf(c.Scenario(), s.Node)) == 0 {
		c.Fail("node", spelling.Among(s.Node, known), "unknown node %q", s.Node)
	}
	switch {
	case s.Write == "" && s.Remove == "" && !c.HasFailed(""):
		c.Fail("", "remove: agent, or write with a manifest", "static-pod needs write or remove")
	case s.Write != "" && s.Remove != "":
		c.Fail("remove", "split it into two steps", "static-pod has write or remove, not both")
	case s.Write != "":
		c.StaticPods("write", s.Write)
	}
}

// Probe implements Prober.
func (s *StaticPod) Probe(p Prospect) error {
	if s.Write == "" {
		return nil
	}
	return dryRun(p, s.Write, "write")
}

// WritesManifests implements ManifestWriter.
func (s *StaticPod) WritesManifests() string { return s.Node }

// Do implements Verb.
func (s *StaticPod) Do(_ context.Context, w World) error {
	if s.Remove != "" {
		if err := w.Kubelets().RemoveManifest(s.Node, s.Remove); err != nil {
			return w.Scenario().Errorf(path(w, "remove"), "the name in a manifest that is on the node",
				"there is no manifest of %s on %s", s.Remove, s.Node)
		}
		return nil
	}
	manifests, err := manifest.Read(w.Scenario().Kinds(), w.Scenario().File, path(w, "write"), s.Write)
	if err != nil {
		return err
	}
	for _, m := range manifests {
		if err := w.Kubelets().WriteManifest(s.Node, m.Unstructured.GetName(), string(m.Raw)); err != nil {
			return err
		}
	}
	return nil
}
