package compare

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/kubestep/kubestep/sim/recording"
	"github.com/kubestep/kubestep/sim/simtest/golden"
	"github.com/kubestep/kubestep/sim/trace"
)

const divergenceHead = `# Divergence

When the faults of a run are over, and the run has come to rest, its controllers have made of the cluster what its objects want: the same as
without the faults. If other objects are left, the run is *diverged*: the faults have left a trace. ` + "`kubestep explore`" + ` compares each
run with faults to the run of its seed without them; ` + "`kubestep run --compare`" + ` does so for one run.

kubestep does not compare a run that fails anyway, that has not come to rest, or in which a node or a Pod has not recovered, or a Pod has
failed because of its node that no controller makes again, or a lost node has other Pods, or a controller waits for a time that is over
without the faults, such as a deadline. Where the two runs differ, it also makes the run without faults with three other seeds: what another
seed changes, too, is none of the faults.

Objects are compared by their role: names that are drawn, uids, times, addresses and resource versions do not count, and which of several
Pods of a controller is which does not, either. What may differ is in the tables below. A scenario can list more:

    spec:
      mayDiffer:
      - {resource: jobs, name: work, field: status.conditions*, because: Pods that fail count against its limit.}

## What every run chooses for itself

These differences say nothing, and no comparison shows them.

`

const remainsHead = `## What rightly remains of the past

These differences are worth reading, and are no reason for a verdict.

`

const historyHead = `## What history rightly leaves

History does not matter to controllers, either: a run ends with the same objects as one that creates the wanted objects in an empty
cluster. ` + "`kubestep run --compare=history`" + ` makes this second run, and so does ` + "`kubestep explore --history`" + ` for each run. It
creates at once what users want at the end: the objects that they have created or changed, and that no controller owns, without their
status and what others filled in, and the labels, annotations and taints that they gave to nodes. If the ends differ, the run is
*diverged*: something remains of the past, such as an EndpointSlice that nobody needs, or a condition that is over.
` + "`kubestep shrink --history`" + ` finds the smallest scenario in which the same remains.

A later step may mend what came to a standstill. So the same is asked whenever the run is at rest and a step begins, of what users want
then. Of several such rests without a change of what users want, the last one counts. The first 8 are compared, since each costs a run, and
three more with other seeds if there is a difference; the output says how many are left out. The first rest that differs is reported.

kubestep does not compare a run that has not come to rest, or whose scenario begins with objects; in which an object is being deleted, a
controller has adopted an object, or a quota allows less than is used; in which a node is gone or not Ready, or a controller has
stopped. It also says nothing if the second run differs and one of the two has a Pod without a node, since the order of Pods decides which
have one; or if an object has lost its owner in a run without garbage-collector-controller.

### Why it is not the default

` + "`explore`" + ` makes these runs with ` + "`--history`" + ` only. The past matters to some controllers: one that lets the older of two objects win
makes something else of objects that are created at once. Of the 151 scenarios that come with kubestep and show no bug, 99 end as from an
empty cluster, 50 cannot be compared, and 2 differ for this reason: ` + "`sitekeeper`" + ` and ` + "`sitekeeper-finalizer-last`" + `, whose operator gives a host
name to the site that asked first. Of 204 healthy scenarios with the controllers of Kubernetes, 157 end alike, 47 cannot be compared, and none
differs. And each run costs one more for its end and one for each rest, and three to eight more where something differs. Ask for it where
your controllers should not remember.

### Exceptions

The exceptions above hold, and spec.mayDiffer does, too. These are added:

`

// TestReferenceIsFresh keeps docs/reference/divergence.md as the table says.
func TestReferenceIsFresh(t *testing.T) {
	var out strings.Builder
	table := func(exceptions []Exception, remains bool) {
		out.WriteString("| objects | fields | why |\n|---|---|---|\n")
		for _, e := range exceptions {
			if e.Remains != remains {
				continue
			}
			objects, fields := "all", "all, and how many objects there are"
			if e.Resource != "" {
				objects = e.Resource
			}
			if e.Role != "" {
				objects += " (" + string(e.Role) + ")"
			}
			if e.Trait != "" {
				objects += " (" + string(e.Trait) + ")"
			}
			if e.Fewer {
				objects += ", if there are fewer"
			}
			if e.AfterLoss {
				objects += ", if a fault made Pods fail"
			}
			if e.AfterRestart {
				objects += ", if a kubelet has started again"
			}
			if e.Uncollected {
				objects += ", in a run without garbage-collector-controller"
			}
			if e.Field != "" {
				fields = "`" + e.Field + "`"
			}
			fmt.Fprintf(&out, "| %s | %s | %s |\n", objects, fields, e.Because)
		}
	}
	out.WriteString(divergenceHead)
	table(Exceptions, false)
	out.WriteString("\n" + remainsHead)
	table(Exceptions, true)
	out.WriteString("\n" + historyHead)
	table(HistoryExceptions, false)
	golden.Page(t, "../../../docs/reference/divergence.md", "scenarios/reading/compare", out.String())
}

// TestExceptEachException: every entry of the table covers something, and nothing that is not its own.
func TestExceptEachException(t *testing.T) {
	for _, e := range slices.Concat(Exceptions, HistoryExceptions) {
		if !strings.HasSuffix(e.Because, ".") {
			t.Errorf("%+v: the reason is no sentence", e)
		}
		resource := e.Resource
		if resource == "" {
			resource = "configmaps"
		}
		pair := FinalPair{Object: trace.Object{Resource: resource, Name: "x"}, Role: e.Role, A: 1, B: 1}
		if e.Trait != "" {
			pair.Traits = []Trait{e.Trait}
		}
		if e.Fewer {
			if left := Except([]FinalPair{{Object: pair.Object, Role: pair.Role, Traits: pair.Traits, B: 1}}, []Exception{e}); len(left) != 1 {
				t.Errorf("%+v covers more objects than without the faults", e)
			}
			pair.B = 0
		}
		field := strings.ReplaceAll(e.Field, "*", "x")
		pair.Fields = []FieldPair{{Path: field}, {Path: "spec.other"}}
		left := Except([]FinalPair{pair}, []Exception{e})
		if e.Field == "*" {
			if len(left) > 0 {
				t.Errorf("%+v leaves %+v", e, left)
			}
			continue
		}
		if e.Field == "" && len(left) > 0 || e.Field != "" && (len(left) != 1 || len(left[0].Fields) != 1) {
			t.Errorf("%+v leaves %+v", e, left)
		}
		pair.Traits = nil
		if left := Except([]FinalPair{pair}, []Exception{e}); e.Trait != "" && len(left) != 1 {
			t.Errorf("%+v covers objects without the trait", e)
		}
		pair.Resource = "others"
		if left := Except([]FinalPair{pair}, []Exception{e}); e.Resource != "" && len(left) != 1 {
			t.Errorf("%+v covers other objects", e)
		}
	}
}

// TestCommon: a run that ends as one of several others has nothing in common with all comparisons.
func TestCommon(t *testing.T) {
	pair := func(a, b int, fields ...string) FinalPair {
		p := FinalPair{Object: trace.Object{Resource: "pods", Name: "x-*"}, A: a, B: b}
		for _, path := range fields {
			p.Fields = append(p.Fields, FieldPair{Path: path})
		}
		return p
	}
	for _, test := range []struct {
		name             string
		one, other, want []FinalPair
	}{
		{"the same in the other", []FinalPair{pair(1, 1, "a")}, nil, nil},
		{"another field", []FinalPair{pair(1, 1, "a", "b")}, []FinalPair{pair(1, 1, "b", "c")}, []FinalPair{pair(1, 1, "b")}},
		{"no field", []FinalPair{pair(1, 1, "a")}, []FinalPair{pair(1, 1, "b")}, nil},
		{"fewer objects than in both", []FinalPair{pair(3, 2)}, []FinalPair{pair(4, 2)}, []FinalPair{pair(3, 2)}},
	} {
		if diff := cmp.Diff(test.want, Common(test.one, test.other)); diff != "" {
			t.Errorf("%s: %s", test.name, diff)
		}
	}
}

// TestRolesAtTheEnd: Pods of a controller that have ended and the Jobs of a CronJob have roles; a template that kubectl rollout restart made has the
// number of its revision, and not a hash of the time.
func TestRolesAtTheEnd(t *testing.T) {
	b := newBuilder(t)
	add := func(resource, name, text string) {
		b.write(trace.OpCreate, trace.Object{Resource: resource, Namespace: "default", Name: name}, text)
	}
	owned := func(kind, name string) string {
		return fmt.Sprintf(`"ownerReferences": [{"controller": true, "kind": %q, "name": %q}]`, kind, name)
	}
	add("jobs.batch", "backup-29453761", `{"metadata": {"name": "backup-29453761", `+owned("CronJob", "backup")+`}}`)
	add("pods", "backup-29453761-abcde", `{"metadata": {"name": "backup-29453761-abcde", "generateName": "backup-29453761-", `+
		owned("Job", "backup-29453761")+`}, "status": {"phase": "Succeeded"}}`)
	add("pods", "work-abcde", `{"metadata": {"name": "work-abcde", "generateName": "work-", `+owned("Job", "work")+
		`}, "status": {"phase": "Failed"}}`)
	add("pods", "bare", `{"metadata": {"name": "bare"}, "status": {"phase": "Failed"}}`)
	add("replicasets.apps", "web-6df754cf7b", `{"metadata": {"name": "web-6df754cf7b", "labels": {"pod-template-hash": "6df754cf7b"},
		"annotations": {"deployment.kubernetes.io/revision": "2"}},
		"spec": {"template": {"metadata": {"annotations": {"kubectl.kubernetes.io/restartedAt": "2026-01-01T00:00:01Z"}}}}}`)
	add("pods", "web-6df754cf7b-abcde", `{"metadata": {"name": "web-6df754cf7b-abcde", "generateName": "web-6df754cf7b-", `+
		owned("ReplicaSet", "web-6df754cf7b")+`}, "status": {"phase": "Running"}}`)
	side := newSide(b.Done(recording.Origin{}, ""))
	var got []string
	for _, pair := range (End{}).Compare(side.finder.End(side.objects)) {
		got = append(got, fmt.Sprintf("%s bare=%t", pair.Subject(), pair.Bare))
	}
	want := []string{
		"jobs/backup-(time) (of a CronJob) bare=false", "pods/backup-(time)-* (of a CronJob) bare=false", "pods/bare bare=true",
		"pods/web-(restart 2)-* bare=false", "pods/work-* (finished) bare=false", "replicasets/web-(restart 2) bare=true",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

// TestCounted: a value that occurs twice in a list of one object, such as the endpoints of two Pods, differs from one that occurs once.
func TestCounted(t *testing.T) {
	for want, values := range map[string]map[string]int{
		"a": {"a": 1}, "(address) x2": {"(address)": 2}, "false, true": {"false": 1, "true": 1}, "none": {},
	} {
		if got := counted(values, 1); got != want {
			t.Errorf("%s, want %s", got, want)
		}
	}
	if got := counted(map[string]int{"a": 1, "b": 2}, 3); got != "a x1, b x2" {
		t.Error(got)
	}
}
