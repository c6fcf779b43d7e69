package traffic

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/kubestep/kubestep/controllers/explain/arithmetic"
	"github.com/kubestep/kubestep/controllers/kubeproxy"
	"github.com/kubestep/kubestep/sim/trace"
)

// unproxied says why kube-proxy does nothing, and who does what instead.
var unproxied = map[kubeproxy.Unproxied]string{
	kubeproxy.Headless: "kube-proxy does nothing: the Service is headless. DNS resolves its name to the addresses of its ready " +
		"endpoints, and the client chooses one",
	kubeproxy.ExternalName:  "kube-proxy does nothing: the type of the Service is ExternalName. DNS resolves its name to %s",
	kubeproxy.NoClusterIP:   "kube-proxy does nothing: the Service has no cluster IP",
	kubeproxy.NoServicePort: "kube-proxy does nothing: the Service has no port",
	kubeproxy.AnotherProxy: "kube-proxy does nothing: the label service.kubernetes.io/service-proxy-name leaves the Service to " +
		"another proxy",
}

// reasons say why an endpoint is chosen or left out.
var reasons = map[kubeproxy.Reason]string{
	kubeproxy.IsReady:      "ready",
	kubeproxy.NoneReady:    "terminating, but still serving, and no endpoint is ready",
	kubeproxy.NotReady:     "not ready",
	kubeproxy.NotServing:   "terminating, and not serving any more",
	kubeproxy.OthersReady:  "terminating, and others are ready",
	kubeproxy.OnOtherNode:  "on another node",
	kubeproxy.ForOtherZone: "its hint is for another zone",
	kubeproxy.ForOtherNode: "its hint is for another node",
}

// onNode say the same of endpoints on the node, with the policy Local.
var onNode = map[kubeproxy.Reason]string{
	kubeproxy.NoneReady:   "terminating, but still serving, and no endpoint on the node is ready",
	kubeproxy.OthersReady: "terminating, and others on the node are ready",
}

// ignored say why hints for zones do not decide.
var ignored = map[kubeproxy.Ignored]string{
	kubeproxy.SomeWithout: "a ready endpoint has none",
	kubeproxy.NodeNoZone:  "the node has no label topology.kubernetes.io/zone",
	kubeproxy.NoneForZone: "none is for the zone of the node",
}

// Print writes the decisions at a moment, in lines that are not longer than width; 0 means no limit.
func (m *Moment) Print(out io.Writer, width int) {
	head := trace.ObjectName(m.Service)
	if !m.undated {
		head += " at " + trace.Seconds(m.At)
	}
	fmt.Fprintln(out, head)
	if m.Unproxied != "" {
		text := unproxied[m.Unproxied]
		if strings.Contains(text, "%s") {
			text = fmt.Sprintf(text, m.ExternalName)
		}
		line(out, 2, text, width)
		return
	}
	if m.NoSelector {
		line(out, 2, "The Service has no selector: endpointslice-controller does not write its EndpointSlices.", width)
	}
	if len(m.Ports) == 0 {
		line(out, 2, "There are no nodes.", width)
	}
	for n := range m.Ports {
		m.Ports[n].print(out, width)
	}
	if len(m.Health) > 0 {
		m.printHealth(out, width)
	}
}

// print writes one port: its addresses, its endpoints, and where each node sends its connections.
func (p *Port) print(out io.Writer, width int) {
	address := fmt.Sprintf("cluster IP %s, port %d/%s", p.ClusterIP, p.Port, p.Protocol)
	if p.Name != "" {
		address += " (" + p.Name + ")"
	}
	if p.NodePort != 0 {
		address += fmt.Sprintf(", node port %d", p.NodePort)
	}
	if len(p.External) > 0 {
		address += ", external " + strings.Join(p.External, ", ")
	}
	fmt.Fprintln(out)
	line(out, 2, address, width)
	p.printEndpoints(out, width)
	if p.AffinitySeconds > 0 {
		line(out, 2, fmt.Sprintf("sessionAffinity ClientIP: on each node, the address of a client is pinned to one of the chosen "+
			"endpoints until %d s after its last connection, or until that endpoint is not chosen any more", p.AffinitySeconds), width)
	}
	internal, external := func(n *Node) *Route { return &n.Internal }, func(n *Node) *Route { return n.External }
	p.printRoutes(out, "from the node and its Pods to the cluster IP, internalTrafficPolicy ", internal, width)
	p.printRoutes(out, "from outside of the cluster to the node, externalTrafficPolicy ", external, width)
	p.printHints(out, width)
}

func (p *Port) printEndpoints(out io.Writer, width int) {
	if len(p.Endpoints) == 0 {
		line(out, 2, "no endpoints", width)
		return
	}
	rows := []string{"ENDPOINT\tPOD\tNODE\tZONE\tSTATE\tHINTS"}
	for _, e := range p.Endpoints {
		hints := slices.Concat(prefixed("zone ", e.ForZones), prefixed("node ", e.ForNodes))
		rows = append(rows, strings.Join([]string{
			e.Address, cmp.Or(e.Pod, "-"), cmp.Or(e.Node, "-"), cmp.Or(e.Zone, "-"), stateOf(e), strings.Join(hints, ", "),
		}, "\t"))
	}
	table(out, rows, width)
}

func prefixed(prefix string, names []string) (list []string) {
	for _, name := range names {
		list = append(list, prefix+name)
	}
	return list
}

// stateOf are the conditions of an endpoint.
func stateOf(e kubeproxy.Endpoint) string {
	var state []string
	for _, of := range []struct {
		is   bool
		name string
	}{
		{e.Ready, "ready"}, {e.Terminating, "terminating"}, {e.Serving && !e.Ready, "serving"}, {!e.Ready && !e.Terminating, "not ready"},
		{e.Terminating && !e.Serving, "not serving"},
	} {
		if of.is {
			state = append(state, of.name)
		}
	}
	return strings.Join(state, ", ")
}

// printRoutes writes where the nodes send connections of one kind. Nodes that do the same share the lines.
func (p *Port) printRoutes(out io.Writer, kind string, of func(*Node) *Route, width int) {
	groups, names := []string{}, map[string][]string{}
	policy := kubeproxy.Policy("")
	for n := range p.Nodes {
		route := of(&p.Nodes[n])
		if route == nil {
			continue
		}
		policy = route.Policy
		text := strings.Join(route.lines(), "\n")
		if names[text] == nil {
			groups = append(groups, text)
		}
		names[text] = append(names[text], p.Nodes[n].Name)
	}
	if len(groups) == 0 {
		return
	}
	line(out, 2, kind+string(policy)+":", width)
	for _, text := range groups {
		line(out, 4, arithmetic.Few(names[text]), width)
		for part := range strings.SplitSeq(text, "\n") {
			line(out, 6, part, width)
		}
	}
}

// lines say what is chosen and what is left out, by reason.
func (r *Route) lines() []string {
	lines := []string{}
	if r.Verdict == kubeproxy.Reject {
		lines = append(lines, "rejects: no endpoint is ready, and none is terminating and still serving")
	}
	if r.Verdict == kubeproxy.Drop {
		lines = append(lines, "drops: there are endpoints, but none of them is on the node")
	}
	var order []Choice
	pods := map[Choice][]string{}
	for _, c := range r.Choices {
		key := Choice{Chosen: c.Chosen, Reason: c.Reason}
		if pods[key] == nil {
			order = append(order, key)
		}
		pods[key] = append(pods[key], cmp.Or(c.Pod, c.Address))
	}
	slices.SortStableFunc(order, func(a, b Choice) int {
		if a.Chosen == b.Chosen {
			return 0
		}
		if a.Chosen {
			return -1
		}
		return 1
	})
	for _, key := range order {
		does := "leaves out "
		if key.Chosen {
			does = "chooses "
		}
		reason := reasons[key.Reason]
		if r.Policy == kubeproxy.Local {
			reason = cmp.Or(onNode[key.Reason], reason)
		}
		lines = append(lines, does+arithmetic.Few(pods[key])+": "+reason)
	}
	return lines
}

// printHints writes which hints decide where, and why others do not.
func (p *Port) printHints(out io.Writer, width int) {
	var order []string
	names := map[string][]string{}
	for _, n := range p.Nodes {
		text := ""
		switch {
		case n.Hints == kubeproxy.SameNode:
			text = "the hints for nodes decide"
		case n.Hints == kubeproxy.SameZone:
			text = "the hints for zones decide; the node is in zone " + n.Zone
		case n.IgnoredHints != "":
			text = "the hints for zones do not count: " + ignored[n.IgnoredHints]
		default:
			continue
		}
		if names[text] == nil {
			order = append(order, text)
		}
		names[text] = append(names[text], n.Name)
	}
	for _, text := range order {
		line(out, 2, arithmetic.Few(names[text])+": "+text, width)
	}
}

func (m *Moment) printHealth(out io.Writer, width int) {
	fmt.Fprintln(out)
	line(out, 2, fmt.Sprintf("health check for load balancers, port %d:", m.Health[0].NodePort), width)
	for _, h := range m.Health {
		line(out, 4, fmt.Sprintf("%s answers %d: %s on it", h.Node, h.Code, trace.Count(h.Local, "ready endpoint")), width)
	}
}

// line writes a text that may be longer than a line.
func line(out io.Writer, indent int, text string, width int) {
	spaces := strings.Repeat(" ", indent)
	for _, part := range arithmetic.Wrap(spaces+text, spaces+"  ", width) {
		fmt.Fprintln(out, part)
	}
}

// table writes rows, whose columns tabs separate, and cuts them at width columns.
func table(out io.Writer, rows []string, width int) {
	var text strings.Builder
	w := tabwriter.NewWriter(&text, 0, 4, 2, ' ', 0)
	for _, row := range rows {
		fmt.Fprintln(w, "  "+row)
	}
	w.Flush()
	for row := range strings.Lines(text.String()) {
		row = strings.TrimRight(row, " \n")
		if runes := []rune(row); width > 0 && len(runes) > width {
			row = string(runes[:width-1]) + "…"
		}
		fmt.Fprintln(out, row)
	}
}
