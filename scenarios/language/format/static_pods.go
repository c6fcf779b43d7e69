package format

import (
	"github.com/kubestep/kubestep/scenarios/language/source"
)

// StaticPods validates the manifests of static Pods in a field.
func (c *Checker) StaticPods(field, text string) { c.v.staticPods(c.at(field), text) }

// staticPods wants manifests of Pods with names.
func (v *validator) staticPods(at, text string) {
	for _, m := range v.manifests(at, text, false) {
		switch {
		case m.GVK.Kind != "Pod" || m.GVK.Group != "":
			v.report(v.scenario.Place(source.Problem("a manifest of a Pod, or a step with create",
				"a kubelet runs static Pods only, and this is a %s", m.GVK.Kind), at, m.Position))
		case m.Unstructured.GetName() == "":
			v.report(v.scenario.Place(source.Problem("name: agent",
				"a static Pod needs a name: its kubelet appends the name of the node"), at, m.Position))
		}
	}
}

// pool checks what pools of nodes have for upstream's kubelet alone.
func (v *validator) pool(at string, pool NodePool) {
	if v.scenario.RunsKubelet(Node{Kubelet: pool.Kubelet}) {
		if pool.StaticPods != "" {
			v.staticPods(at+".staticPods", pool.StaticPods)
		}
		return
	}
	for _, field := range []struct{ name, value string }{{"disk", string(pool.Disk)}, {"staticPods", pool.StaticPods}} {
		if field.value != "" {
			v.fail(at+"."+field.name, "kubelet: "+UpstreamKubelet, "%s is for nodes with upstream's kubelet, which does not run on these",
				field.name)
		}
	}
}
