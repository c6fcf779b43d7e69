package format

import (
	"regexp"
	"strings"
	"time"

	"k8s.io/apimachinery/pkg/labels"

	"github.com/kubestep/kubestep/scenarios/language/definition"
	"github.com/kubestep/kubestep/scenarios/language/notation"
	"github.com/kubestep/kubestep/scenarios/language/source"
	"github.com/kubestep/kubestep/sim/kinds"
)

func (v *validator) cluster() {
	c := v.scenario.Spec.Cluster
	total := 0
	for i, pool := range c.Nodes {
		at := source.Item("spec.cluster.nodes", i)
		if d := pool.Draw; d != nil && d.Count != nil && d.Count.Max > nodesMax {
			v.fail(at+".draw.count", "1..5", "%d nodes exceed the maximum of %d", d.Count.Max, nodesMax)
		}
		total += pool.Count
		v.labels(at+".labels", pool.Labels)
		v.labelValue(at+".zone", pool.Zone)
		v.pool(at, pool)
	}
	if total > nodesMax {
		v.fail("spec.cluster.nodes", "fewer nodes", "%d nodes exceed the maximum of %d", total, nodesMax)
	}
	for i, life := range c.Pods {
		v.podLife(source.Item("spec.cluster.pods", i), life)
	}
	v.reachable(c.Pods)
	v.programs()
	v.plugins()
	v.loads(c.Load)
	v.metrics(c.Metrics)
	if definition.IsFiles(c.Definitions) {
		v.fail("spec.cluster.definitions", "the manifests themselves", "names files, but this scenario is not in a file")
	} else if c.Definitions != "" {
		v.manifests("spec.cluster.definitions", c.Definitions, true)
	}
	if c.Objects != "" {
		v.manifests("spec.cluster.objects", c.Objects, true)
	}
	if fair := c.PriorityAndFairness; fair != nil {
		v.latency("priorityAndFairness.read", fair.Read)
	}
	latency := c.Latency
	v.latency("latency.request", latency.Request)
	v.latency("latency.service", latency.Service)
	v.latency("latency.response", latency.Response)
	v.latency("latency.watch", latency.Watch)
}

// latencyMax bounds a single latency. A simulation begins early enough for several requests to return before time zero
// (package runner), so a latency of months is years of heartbeats before the first step.
const latencyMax = 10 * time.Minute

// latency checks a field of spec.cluster that is a latency.
func (v *validator) latency(name string, delay *notation.Delay) {
	at, try := "spec.cluster."+name, notation.Text(latencyMax)+" or less"
	v.notNever(at, delay, try, "a latency cannot be never")
	if delay != nil && delay.Max > latencyMax {
		v.fail(at, try, "the latency %s is too long", delay)
	}
}

// podLife checks one rule. Rules that the loader adds are not in the file, and valid.
func (v *validator) podLife(at string, life PodLife) {
	m := life.Match
	v.glob(at+".match.image", m.Image)
	v.glob(at+".match.name", m.Name)
	v.glob(at+".match.node", m.Node)
	v.selector(at+".match.labels", m.Labels)
	if k := kinds.BuiltIn().Named(m.OwnerKind); k != nil && k.Kind != m.OwnerKind {
		v.fail(at+".match.ownerKind", k.Kind, "%q is not the name of a kind", m.OwnerKind)
	}
	if life.Fail == nil && v.has(at+".exitCode") {
		v.fail(at+".exitCode", "add fail with a delay", "exitCode needs fail")
	}
	const without = "never is the default"
	v.notNever(at+".complete", life.Complete, "remove the line", without)
	v.notNever(at+".fail", life.Fail, "remove the line", without)
}

func (v *validator) notNever(at string, delay *notation.Delay, try, message string) {
	if delay != nil && delay.Never {
		v.fail(at, try, "%s", message)
	}
}

func (v *validator) glob(at, pattern string) {
	if n := strings.IndexAny(pattern, `[]{}\`); n >= 0 {
		v.fail(at, `a glob such as "*:broken": * is any text, ? any character`, "invalid glob %q: %q has no meaning in one", pattern, pattern[n:n+1])
	}
}

// reachable finds rules behind one that matches all pods already.
func (v *validator) reachable(rules []PodLife) {
	for i := range rules {
		at := source.Item("spec.cluster.pods", i)
		if rules[i].Match == (PodMatch{}) && !v.failed[at+".match"] && i+1 < len(rules) {
			v.fail(source.Item("spec.cluster.pods", i+1), "move the rule without match to the end",
				"never applies, because an earlier rule matches all Pods")
			return
		}
	}
}

// selector checks a label selector; an empty one is not a selector.
func (v *validator) selector(at, text string) {
	if _, err := labels.Parse(text); err != nil {
		v.fail(at, "app=web,tier!=db", "invalid label selector %q: %s", text, err)
	}
}

// loads checks spec.cluster.load.
func (v *validator) loads(loads []PodLoad) {
	names := map[string]bool{}
	for i, load := range loads {
		at := source.Item("spec.cluster.load", i)
		if names[load.Name] {
			v.fail(at+".name", "another name", "duplicate load %q", load.Name)
		}
		names[load.Name] = load.Name != ""
		v.loadSubject(at, load)
		if load.Metric != "" && !metricName.MatchString(load.Metric) {
			v.fail(at+".metric", strings.Trim(notMetric.ReplaceAllString(strings.ToLower(load.Metric), "_"), "_"),
				"%q is not the name of a metric (lower case letters, digits and underscores)", load.Metric)
		}
		if len(load.Levels) == 0 && v.has(at+".levels") {
			v.fail(at+".levels", "[{total: 500m}]", "contains no levels")
		}
		for j, level := range load.Levels {
			v.level(source.Item(at+".levels", j), level.Total, level.PerPod)
			if j > 0 && level.At.Duration <= load.Levels[j-1].At.Duration {
				v.fail(source.Item(at+".levels", j), "sort the levels by time",
					"at %s must be later than the previous level", level.At)
			}
		}
	}
}

// loadSubject wants one of pods, object and external. Only Pods have resource metrics, and shares.
func (v *validator) loadSubject(at string, load PodLoad) {
	said := 0
	for _, field := range []string{"pods", "object", "external"} {
		if v.has(at + "." + field) {
			said++
		}
	}
	switch {
	case said == 0 && !v.failed[at]:
		v.fail(at, "pods: app=web, object: service/web or external: {queue: orders}", "a load needs pods, object or external")
	case said > 1:
		v.fail(at, "two loads", "a load has one of pods, object and external")
	case load.Pods != "" || said == 0:
		v.selector(at+".pods", load.Pods)
	case load.Metric == "cpu" || load.Metric == "memory":
		v.fail(at+".metric", "requests_per_second", "%s is a metric of Pods", load.Metric)
	}
	if load.Object != "" {
		v.target(at+".object", load.Object, "has no namespace", func(kind *kinds.Kind) bool { return kind.Namespaced })
		if v.has(at + ".namespace") {
			v.fail(at+".namespace", "object: shop/service/web", "the object has the namespace")
		}
	}
	for j, level := range load.Levels {
		if load.Pods == "" && said == 1 && level.PerPod != "" {
			v.fail(source.Item(at+".levels", j)+".perPod", "total", "only a load of Pods is per Pod")
		}
	}
}

// metrics checks spec.cluster.metrics.
func (v *validator) metrics(m Metrics) {
	if m.Resolution != nil && m.Resolution.Duration < time.Second {
		v.fail("spec.cluster.metrics.resolution", "15s", "must be at least 1s")
	}
}

// level wants one of total and perPod.
func (v *validator) level(at string, total, perPod notation.Quantity) {
	switch {
	case total != "" && perPod != "":
		v.fail(at+".perPod", "remove one of them", "a level has total or perPod, not both")
	case total == "" && perPod == "" && !v.failed[at]:
		v.fail(at, "{total: 500m}, or perPod", "a level needs a total or perPod")
	}
}

var (
	metricName = regexp.MustCompile(`^[a-z][a-z0-9_]*$`)
	notMetric  = regexp.MustCompile(`[^a-z0-9]+`)
)
