package verdicts_test

import (
	"strings"
	"testing"

	"github.com/kubestep/kubestep/scenarios/explore/builds/verdicts"
	"github.com/kubestep/kubestep/scenarios/explore/child"
	"github.com/kubestep/kubestep/scenarios/explore/place"
	"github.com/kubestep/kubestep/scenarios/explore/sweep"
	"github.com/kubestep/kubestep/scenarios/runner"
	"github.com/kubestep/kubestep/sim/simtest/golden"
	"github.com/kubestep/kubestep/sim/trace"
)

// side is a sweep with results.
func side(t *testing.T, version string, header sweep.Header, places []place.Place, results ...*sweep.Result) verdicts.Side {
	t.Helper()
	header.Name, header.File, header.Kubernetes = "web", "web.yaml", "v"+version
	store, err := sweep.Open("", header)
	if err != nil {
		t.Fatal(err)
	}
	for _, result := range results {
		if err := store.Add(result); err != nil {
			t.Fatal(err)
		}
	}
	return verdicts.Side{Version: version, Results: store.Results(), Places: places}
}

func passes(seed int64) *sweep.Result { return &sweep.Result{Seed: seed, Result: "pass"} }

func stuck(seed int64, object string) *sweep.Result {
	return &sweep.Result{
		Seed: seed, Result: runner.Stuck, Stuck: object + ": 1 of 2 replicas", End: "stuck " + object, Faults: []string{"flaky-api: once"},
	}
}

func fails(seed int64, check string) *sweep.Result {
	return &sweep.Result{Seed: seed, Result: "fail", Failures: []child.Failure{{Name: check, Message: "false at the end"}}, End: "fail"}
}

func text(r *verdicts.Report) string {
	var out strings.Builder
	r.Text(&out)
	return out.String()
}

// TestSeeds compares three versions: seed 2 fails with all of them, 3 and 5 are stuck with the first one, seed 4 fails with two, and is
// stuck with the third. Seed 6 did not run with all. What each version does with some seeds comes last.
func TestSeeds(t *testing.T) {
	header := sweep.Header{Spaces: "flaky-api"}
	drawn := header
	drawn.DrawnWith = "1.35.4"
	report := verdicts.Compare([]verdicts.Side{
		side(t, "1.35.4", header, nil, passes(1), fails(2, "three"), stuck(3, "deployments/web"), fails(4, "three"), stuck(5, "deployments/web"),
			passes(6), passes(7)),
		side(t, "1.36.3", drawn, nil, passes(1), fails(2, "three"), passes(3), fails(4, "three"), passes(5), passes(7)),
		side(t, "1.37.2", drawn, nil, passes(1), fails(2, "three"), passes(3), stuck(4, "daemonsets/agent"), passes(5), fails(7, "three")),
	})
	if !report.Differs() || report.Compared != 6 || report.Differing != 4 {
		t.Errorf("%d of %d differ", report.Differing, report.Compared)
	}
	golden.Compare(t, "testdata/seeds.txt", text(report))
}

// at is the place of a fault at a write of a ReplicaSet.
func at(kind string, nth int) place.Place {
	object := trace.Object{Resource: "replicasets.apps", Namespace: "default", Name: "web-(rev1)"}
	return place.Place{Kind: kind, In: place.Identity{Kind: kind, Actor: "deployment-controller", Verb: "update", Object: object, Nth: nth}}
}

// TestPlaces compares places by what they are: the second version has a write more, so that its numbers are others.
func TestPlaces(t *testing.T) {
	header := func(places int64) sweep.Header { return sweep.Header{Every: sweep.Every{Seed: 7, Places: places}} }
	report := verdicts.Compare([]verdicts.Side{
		side(t, "1.36.3", header(2), []place.Place{at("conflict", 1), at("late-write", 1)}, passes(1), stuck(2, "deployments/web")),
		side(t, "1.37.2", header(4), []place.Place{at("conflict", 1), at("conflict", 2), at("late-write", 1), at("late-write", 2)},
			passes(1), passes(2), passes(3), stuck(4, "deployments/web")),
	})
	golden.Compare(t, "testdata/places.txt", text(report))
}

// TestSame says so when all versions fail in the same way: that is no difference.
func TestSame(t *testing.T) {
	report := verdicts.Compare([]verdicts.Side{
		side(t, "1.36.3", sweep.Header{}, nil, passes(1), fails(2, "three")), side(t, "1.37.2", sweep.Header{}, nil, passes(1), fails(2, "three")),
	})
	if report.Differs() {
		t.Error("the verdicts differ")
	}
	const want = "same  web  seeds compared 2  differing 0  1.36.3 failed 1  1.37.2 failed 1  wall 0.0s\n"
	if got := text(report); got != want {
		t.Errorf("got  %swant %s", got, want)
	}
}
