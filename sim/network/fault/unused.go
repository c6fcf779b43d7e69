package fault

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/kubestep/kubestep/sim/trace"
)

// closest is how many criteria the best subject met that did not match a rule.
type closest struct {
	seen    int
	depth   int
	missing criterion
	// instead holds the actual values of the criterion that failed.
	instead map[string]bool
}

// note records that the criterion at a depth was the first that failed.
func (c *closest) note(depth int, missing criterion) {
	c.seen++
	if depth < c.depth {
		return
	}
	if depth > c.depth || c.instead == nil {
		c.depth, c.instead = depth, map[string]bool{}
	}
	c.missing = missing
	c.instead[missing.got] = true
}

// insteadMax is how many other values a message names.
const insteadMax = 6

// WhyUnused explains why the rule never triggered; it is empty if the rule did.
func (r *Rule) WhyUnused() string {
	what := map[Place]string{
		Requests: "request", Watches: "watch event", Webhooks: "call of a webhook", Kubelets: "Pod of a kubelet",
		Timers: "delayed addition",
	}[r.Place]
	switch {
	case r.triggered > 0:
		return ""
	case r.matched > 0 && r.matched < r.Nth:
		return fmt.Sprintf("never applied: %s matched, fewer than nth, %d", trace.Count(r.matched, what), r.Nth)
	case r.skipped > 0:
		return fmt.Sprintf("never applied: probability skipped %s", trace.Count(r.skipped, "match"))
	case r.outside > 0:
		return fmt.Sprintf("never applied: %s matched, but not while the rule was active", trace.Count(r.outside, what))
	case r.closest.seen == 0:
		return fmt.Sprintf("never matched: no %s while the rule was active", what)
	}
	return "never matched: " + r.closest.words(what+r.passed(r.closest.depth))
}

// passed describes the conditions of the rule before the one at a depth: of deployment-controller about replicasets.
func (r *Rule) passed(depth int) string {
	words := ""
	for i, c := range r.criteria(Subject{}) {
		if i >= depth || !c.asked || c.want == "" {
			continue
		}
		switch c.name {
		case "actor":
			words += " of " + c.want
		case "resource":
			words += " about " + c.want
		default:
			words += " with the " + c.name + " " + c.want
		}
	}
	return words
}

// words describes the criterion that failed: no request had the verb delete, only create and update.
func (c *closest) words(what string) string {
	if c.missing.name == objectName {
		return fmt.Sprintf("no %s had an object with %s", what, c.missing.want)
	}
	values := slices.Sorted(maps.Keys(c.instead))
	if len(values) > insteadMax {
		values = append(values[:insteadMax:insteadMax], "others")
	}
	for i, value := range values {
		if value == "" {
			values[i] = "none"
		}
	}
	want := c.missing.want
	if want == "" {
		want = "none"
	}
	return fmt.Sprintf("no %s had the %s %s, only %s", what, c.missing.name, want, strings.Join(values, ", "))
}
