package explain_test

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/kubestep/kubestep/controllers/explain"
	"github.com/kubestep/kubestep/controllers/explain/arithmetic"
	"github.com/kubestep/kubestep/scenarios/library"
)

// acting are the controllers whose actions are compared, with what these are, and how many syncs with actions the shipped
// scenarios have at least.
var acting = map[string]struct {
	actions []string
	least   int
}{
	"replicaset-controller":            {[]string{"create pods", "delete pods", "patch pods"}, 700},
	"replicationcontroller-controller": {[]string{"create pods", "delete pods", "patch pods"}, 3},
	"statefulset-controller":           {[]string{"create pods", "delete pods"}, 60},
	"daemonset-controller":             {[]string{"create pods", "delete pods"}, 30},
	"job-controller":                   {[]string{"create pods", "delete pods"}, 50},
	"cronjob-controller":               {[]string{"create jobs"}, 20},
}

// actionTally counts the syncs whose actions were compared, by controller.
type actionTally struct{ syncs, acted, refused map[string]int }

func newActionTally() actionTally {
	return actionTally{map[string]int{}, map[string]int{}, map[string]int{}}
}

// compareActions wants the explanation of each sync to name the requests that the real controller sent in it. Syncs without an
// explanation, such as those of other queues, do not count.
func (p *played) compareActions(n actionTally, wrong func(format string, args ...any)) {
	for controller, of := range acting {
		for _, end := range p.syncs(controller) {
			e := explain.At(p.seen, end.Sync.Start)
			if e == nil {
				continue
			}
			did := p.actions(end.Sync.Start, of.actions)
			n.syncs[controller]++
			if len(did) > 0 {
				n.acted[controller]++
			}
			if e.Refused != "" {
				n.refused[controller]++
			}
			if !agree(e, did) {
				wrong("record %d (%s %s, %q) says\n  %v, but the controller did\n  %v\n%s", e.Start, controller, e.Key, e.Refused,
					e.Actions, did, strings.Join(e.Text(0), "\n"))
			}
		}
	}
}

// check logs the tally, and fails if it proves little.
func (n actionTally) check(t *testing.T) {
	t.Helper()
	for _, controller := range slices.Sorted(maps.Keys(acting)) {
		acted := n.acted[controller]
		t.Logf("%s: %d syncs, %d of them acted, %d were refused something", controller, n.syncs[controller], acted, n.refused[controller])
		if least := acting[controller].least; acted < least {
			t.Errorf("only %d syncs of %s acted, less than %d: that proves little", acted, controller, least)
		}
	}
}

// TestWrongActionsDisagree falsifies what explanations are made from: the comparison must notice.
func TestWrongActionsDisagree(t *testing.T) {
	for _, c := range []struct{ scenario, truth, lie string }{
		{"controllers/replicaset", `"replicas":3,"selector"`, `"replicas":4,"selector"`},
		{"controllers/statefulset", `"podManagementPolicy":"OrderedReady"`, `"podManagementPolicy":"Parallel"`},
		{"controllers/daemonset", `"maxUnavailable":1`, `"maxUnavailable":2`},
		{"controllers/job", `"parallelism":2`, `"parallelism":1`},
		{"controllers/cronjob", `"schedule":"* * * * *"`, `"schedule":"0 * * * *"`},
	} {
		scenario, err := library.Load(c.scenario + ".yaml")
		if err != nil {
			t.Fatal(err)
		}
		wrong := 0
		p := play(t, scenario, 1, func(line string) string { return strings.ReplaceAll(line, c.truth, c.lie) })
		p.compareActions(newActionTally(), func(string, ...any) { wrong++ })
		if wrong == 0 {
			t.Errorf("%s: nothing is wrong with %s instead of %s", c.scenario, c.lie, c.truth)
		}
	}
}

// actions are the requests of a sync that an explanation tells, in the order of their first ones.
func (p *played) actions(start int64, told []string) []arithmetic.Action {
	var all []arithmetic.Action
	for _, r := range p.requests[start] {
		q := r.Request
		plural, _, _ := strings.Cut(q.Resource, ".")
		if q.Subresource == "status" || !slices.Contains(told, q.Verb+" "+plural) {
			continue
		}
		n := slices.IndexFunc(all, func(a arithmetic.Action) bool { return a.Verb == q.Verb && a.Resource == plural })
		if n < 0 {
			n, all = len(all), append(all, arithmetic.Action{Verb: q.Verb, Resource: plural})
		}
		all[n].Count++
		all[n].Names = append(all[n].Names, q.Name)
	}
	for _, a := range all {
		slices.Sort(a.Names)
	}
	return all
}

// agree compares what is explained with what happened. After a refusal, less may have happened.
func agree(e *arithmetic.Explanation, did []arithmetic.Action) bool {
	if e.Refused == "" && len(did) != len(e.Actions) || len(did) > len(e.Actions) {
		return false
	}
	for _, a := range did {
		n := slices.IndexFunc(e.Actions, func(said arithmetic.Action) bool { return said.Verb == a.Verb && said.Resource == a.Resource })
		if n < 0 {
			return false
		}
		said := e.Actions[n]
		named := said.Names == nil || slices.Equal(said.Names, a.Names)
		if e.Refused != "" {
			named = said.Names == nil || !slices.ContainsFunc(a.Names, func(name string) bool { return !slices.Contains(said.Names, name) })
			if a.Count > said.Count || !named {
				return false
			}
			continue
		}
		if a.Count != said.Count || !named {
			return false
		}
	}
	return true
}
