package verb

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/kubestep/kubestep/scenarios/language/format"
	"github.com/kubestep/kubestep/scenarios/language/notation"
	"github.com/kubestep/kubestep/scenarios/language/spelling"
	"github.com/kubestep/kubestep/sim/trace"
)

// nodeRow is something that happens to a node.
var nodeRow = Row{
	Syntax: format.Syntax{
		Of:  new(Node),
		Doc: "Makes nodes fail, shut down, disconnect or recover, or changes their clocks.",
		Example: `- node: {fail: node-1}
- after: 2m
  node: {recover: node-1}
# The kubelet cannot reach the API server, but its Pods keep running.
- node: {partition: node-1}
- node: {skew: node-1, behind: 45s}
# Its kubelet stops the Pods first, for at most the shutdownGracePeriod of its configuration.
- node: {shutdown: node-1}
`,
	},
	Commands: []Command{{
		Name: "node", Args: "fail|shutdown|partition|recover NAME",
		About:    "make a node lose power, shut down, lose its network, or recover",
		Parse:    parseNode,
		Complete: []Completion{words("fail", "shutdown", "partition", "recover"), nodes},
	}},
}

// Node is an operation on a node.
type Node struct {
	Fail      string             `yaml:"fail,omitempty" example:"node-3" doc:"Node that loses power: its kubelet sends no more requests, and its Pods do not change any more. Here and below, zone/NAME means all nodes of a zone."`
	Shutdown  string             `yaml:"shutdown,omitempty" example:"node-3" doc:"Node that is shut down, with upstream's kubelet. If shutdownGracePeriod of its kubeletConfig is set, its kubelet stops the Pods first, by priority. Then the node loses power, until it recovers."`
	Partition string             `yaml:"partition,omitempty" example:"zone/a" doc:"Node that is disconnected from the API server: its Pods keep running, but its kubelet cannot report them, and does not see writes."`
	Recover   string             `yaml:"recover,omitempty" example:"node-3" doc:"Failed, shut down or disconnected node that recovers: its kubelet reports the node and its Pods, and catches up. A shutdown that its kubelet still delays is canceled."`
	Skew      string             `yaml:"skew,omitempty" example:"node-3" doc:"Node whose clock is wrong from here on, and with it the times in its lease and its conditions."`
	Ahead     *notation.Duration `yaml:"ahead,omitempty" example:"1m" doc:"With skew: how much the clock is ahead."`
	Behind    *notation.Duration `yaml:"behind,omitempty" example:"1m" doc:"With skew: how much the clock is behind."`
	Devices   string             `yaml:"devices,omitempty" example:"node-3" doc:"Node of whose devices some become unhealthy, or healthy again."`
	Healthy   map[string]int     `yaml:"healthy,omitempty" example:"{example.com/gpu: 2}" doc:"With devices: how many are healthy, by resource."`
}

// Keyword implements format.Verb.
func (*Node) Keyword() string { return "node" }

// Role implements format.Verb.
func (*Node) Role() format.Role { return format.Fault }

// zonePrefix precedes the name of a zone, in the place of a node.
const zonePrefix = "zone/"

// what says what happens to which node or zone.
func (n *Node) what() (what, target string) {
	for _, field := range []struct{ what, target string }{
		{"fail", n.Fail}, {"shutdown", n.Shutdown}, {"partition", n.Partition}, {"recover", n.Recover}, {"skew", n.Skew},
		{"devices", n.Devices},
	} {
		if field.target != "" {
			return field.what, field.target
		}
	}
	return "", ""
}

// NodeOf is what a trace says that a user did to a node, or to a zone: fail, shutdown, partition, recover, skew or devices. It reads what
// String has written. All is empty for other actions.
func NodeOf(action *trace.Action) (what, node, zone string) {
	args := strings.Fields(action.Text)
	if action.Verb != new(Node).Keyword() || len(args) < 2 {
		return "", "", ""
	}
	if zone, isZone := strings.CutPrefix(args[1], zonePrefix); isZone {
		return args[0], "", zone
	}
	return args[0], args[1], ""
}

// String implements format.Verb.
func (n *Node) String() string {
	what, target := n.what()
	switch {
	case n.Ahead != nil:
		return what + " " + target + " " + n.Ahead.String() + " ahead"
	case n.Behind != nil:
		return what + " " + target + " " + n.Behind.String() + " behind"
	case len(n.Healthy) > 0:
		for _, resource := range slices.Sorted(maps.Keys(n.Healthy)) {
			target += fmt.Sprintf(" %s: %d healthy", resource, n.Healthy[resource])
		}
	}
	return what + " " + target
}

// Check implements format.Verb: the scenario must have the node or the zone.
func (n *Node) Check(c *format.Checker) {
	c.One(n, "name", "{fail: node-1}, or shutdown, partition, recover, skew or devices")
	what, target := n.what()
	if target != "" && len(nodesOf(c.Scenario(), target)) == 0 {
		var known []string
		for _, node := range c.Scenario().Spec.Cluster.EachNode() {
			known = append(known, node.Name)
			if zone := node.Zone(); zone != "" && !slices.Contains(known, zonePrefix+zone) {
				known = append(known, zonePrefix+zone)
			}
		}
		c.Fail(what, spelling.Among(target, known),
			"unknown node %q", target)
	}
	n.checkShutdown(c)
	n.checkDevices(c)
	switch hasSkew := n.Ahead != nil || n.Behind != nil; {
	case n.Skew != "" && !hasSkew:
		c.Fail("", "ahead: 1m", "skew needs ahead or behind")
	case n.Ahead != nil && n.Behind != nil:
		c.Fail("behind", "remove one of them", "a clock is ahead or behind, not both")
	case n.Skew == "" && hasSkew && target != "":
		c.Fail("", "skew: "+target, "ahead and behind need skew")
	}
}

// checkShutdown checks that upstream's kubelet runs on the nodes that are shut down.
func (n *Node) checkShutdown(c *format.Checker) {
	for _, name := range nodesOf(c.Scenario(), n.Shutdown) {
		for _, node := range c.Scenario().Spec.Cluster.EachNode() {
			if node.Name == name && !c.Scenario().RunsKubelet(node) {
				c.Fail("shutdown", "fail: "+n.Shutdown+", or kubernetes: {kubelet: "+format.UpstreamKubelet+"}",
					"the stand-in of the kubelet on %s does not stop Pods before a shutdown", name)
				return
			}
		}
	}
}

// checkDevices checks that the nodes have the devices.
func (n *Node) checkDevices(c *format.Checker) {
	_, target := n.what()
	if target != "" && (n.Devices == "") != (len(n.Healthy) == 0) {
		c.Fail("", "{devices: node-1, healthy: {example.com/gpu: 2}}", "devices and healthy need each other")
		return
	}
	nodes, has := nodesOf(c.Scenario(), n.Devices), map[string]int{}
	for _, node := range c.Scenario().Spec.Cluster.EachNode() {
		if slices.Contains(nodes, node.Name) {
			maps.Copy(has, node.Devices)
		}
	}
	if len(nodes) == 0 {
		return
	}
	for _, resource := range slices.Sorted(maps.Keys(n.Healthy)) {
		switch count := n.Healthy[resource]; {
		case len(has) == 0:
			c.Fail("healthy", fmt.Sprintf("devices: {%s: 2} in its pool of nodes", resource), "%s has no devices", n.Devices)
		case has[resource] == 0:
			c.Fail("healthy", spelling.Among(resource, slices.Sorted(maps.Keys(has))), "%s has no device of %q", n.Devices, resource)
		case count < 0 || count > has[resource]:
			c.Fail("healthy", fmt.Sprintf("0 to %d", has[resource]), "%s has %d devices of %s", n.Devices, has[resource], resource)
		}
	}
}

// SetsClocks implements ClockSetter: it returns the nodes whose clocks become wrong.
func (n *Node) SetsClocks(s *format.Scenario) []string { return nodesOf(s, n.Skew) }

// nodesOf are the nodes that a name stands for; none if there is neither such a node nor such a zone.
func nodesOf(s *format.Scenario, target string) []string {
	zone, isZone := strings.CutPrefix(target, zonePrefix)
	var names []string
	for _, node := range s.Spec.Cluster.EachNode() {
		if isZone && zone != "" && node.Zone() == zone || !isZone && node.Name == target {
			names = append(names, node.Name)
		}
	}
	return names
}

// Do implements Verb for the node, or for all nodes of the zone.
func (n *Node) Do(_ context.Context, w World) error {
	what, target := n.what()
	names := nodesOf(w.Scenario(), target)
	switch what {
	case "fail":
		w.Kubelets().Fail(names...)
	case "shutdown":
		w.Kubelets().Shutdown(names...)
	case "partition":
		w.Kubelets().Partition(names...)
	case "recover":
		w.Kubelets().Recover(names...)
	case "skew":
		w.Kubelets().Skew(n.skew(), names...)
	case "devices":
		for _, resource := range slices.Sorted(maps.Keys(n.Healthy)) {
			w.Kubelets().SetHealthy(resource, n.Healthy[resource], names...)
		}
	}
	return nil
}

// skew is how much the clock of a node is ahead.
func (n *Node) skew() time.Duration {
	switch {
	case n.Ahead != nil:
		return n.Ahead.Duration
	case n.Behind != nil:
		return -n.Behind.Duration
	}
	return 0
}

func parseNode(args []string) (Verb, error) {
	n := &Node{}
	return n, choose(args, map[string]*string{
		"fail": &n.Fail, "shutdown": &n.Shutdown, "partition": &n.Partition, "recover": &n.Recover,
	})
}
