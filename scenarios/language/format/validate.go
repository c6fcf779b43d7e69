package format

import (
	"maps"
	"regexp"
	"slices"
	"strings"
	"time"

	"k8s.io/apimachinery/pkg/util/validation"
	"k8s.io/client-go/tools/leaderelection"

	"github.com/kubestep/kubestep/scenarios/language/notation"
	"github.com/kubestep/kubestep/scenarios/language/source"
)

// validator checks what the shape of the file cannot say: that steps go forward in time, that
// targets exist as kinds. It runs even if decoding found errors, and is
// silent about the fields that those are about.
type validator struct {
	scenario *Scenario
	verbs    Verbs
	found    source.ErrorList
	failed   map[string]bool // paths of the errors of decoding, and the paths above them
}

func (v *validator) run() {
	v.failed = map[string]bool{}
	for _, e := range v.found {
		for path := e.Path; path != ""; path = source.Parent(path) {
			v.failed[path] = true
		}
	}
	v.head()
	v.kubernetes()
	v.cluster()
	v.steps()
	v.faults()
	v.branches()
	v.checks()
	v.mayDiffer()
}

// fail reports an error about a field, unless decoding has found that field wrong already.
func (v *validator) fail(path, try, format string, args ...any) {
	v.report(v.scenario.Errorf(path, try, format, args...))
}

// failErr reports an error of a parser, with its hint.
func (v *validator) failErr(path string, err error) {
	if err != nil {
		v.report(v.scenario.Place(err, path, v.scenario.Position(path)))
	}
}

func (v *validator) report(e *source.Error) {
	if !v.failed[e.Path] && !v.found.IsFull() {
		v.found = append(v.found, e)
	}
}

// has reports whether the field is in the file and could be decoded.
func (v *validator) has(path string) bool { return v.scenario.Has(path) && !v.failed[path] }

func (v *validator) head() {
	s := v.scenario
	v.labels("metadata.labels", s.Metadata.Labels)
	v.annotations("metadata.annotations", s.Metadata.Annotations)
	if strings.Contains(strings.TrimSpace(s.Spec.Title), "\n") {
		v.fail("spec.title", "one line here, and the rest in about", "must be one line")
	}
	if at := s.Spec.Start; v.has("spec.start") && (at.Before(StartMin) || at.After(StartMax)) {
		v.fail("spec.start", DefaultStart.Format(time.RFC3339), "must be between %d and %d",
			StartMin.Year(), StartMax.Year())
	}
	if s.Has("spec.timeZone") {
		v.failErr("spec.timeZone", notation.CheckZone(s.Spec.TimeZone))
	}
	switch horizon := s.Spec.Horizon.Duration; {
	case horizon <= 0:
		v.fail("spec.horizon", notation.Text(DefaultHorizon), "must be longer than 0s")
	case horizon > HorizonMax:
		v.fail("spec.horizon", notation.Text(HorizonMax), "must be %s or less", notation.Text(HorizonMax))
	}
	v.futures()
}

// labels checks keys and values as the API server does for every object.
func (v *validator) labels(path string, labels map[string]string) {
	for _, key := range slices.Sorted(maps.Keys(labels)) {
		at := path + "[" + key + "]"
		v.labelKey(at, key)
		v.labelValue(at, labels[key])
	}
}

func (v *validator) labelKey(path, key string) {
	if msgs := validation.IsQualifiedName(key); len(msgs) > 0 {
		v.fail(path, "a key such as app or example.com/team", "invalid label key %q: %s",
			key, firstClause(msgs[0]))
	}
}

func (v *validator) labelValue(path, value string) {
	if msgs := validation.IsValidLabelValue(value); len(msgs) > 0 {
		v.fail(path, notation.LabelFrom(value), "invalid label value %q: %s", value, firstClause(msgs[0]))
	}
}

// firstClause cuts upstream's messages before the regular expression.
func firstClause(message string) string {
	message, _, _ = strings.Cut(message, " (e.g.")
	return message
}

// kubernetes checks the syntax of the controller list; the names are known to the host of the
// controllers only.
func (v *validator) kubernetes() {
	k := v.scenario.Spec.Kubernetes
	seen := map[string]bool{}
	for i, name := range k.Controllers {
		path := source.Item("spec.kubernetes.controllers", i)
		bare := strings.TrimPrefix(name, "-")
		switch {
		case bare == "*" && bare == name:
		case !controllerName.MatchString(bare):
			v.fail(path, `"*", deployment-controller or -deployment-controller`,
				"%q is not the name of a controller", name)
		case seen[bare]:
			v.fail(path, "remove one of them", "duplicate controller %q", bare)
		}
		seen[bare] = true
	}
	v.custom()
	v.leaderElection(k.LeaderElection)
	for _, field := range []struct {
		name string
		set  bool
	}{{"schedulerConfig", k.SchedulerConfig != nil}, {"schedulerReplicas", k.SchedulerReplicas > 0}} {
		if field.set && k.Scheduler != KubeScheduler {
			v.fail("spec.kubernetes."+field.name, "scheduler: "+KubeScheduler,
				"%s is about kube-scheduler, which does not run here", field.name)
		}
	}
}

// custom checks the syntax of spec.controllers.
func (v *validator) custom() {
	seen := map[string]bool{}
	for i, name := range v.scenario.Spec.Controllers {
		path := source.Item("spec.controllers", i)
		switch {
		case !controllerName.MatchString(name):
			v.fail(path, "podcounter", "%q is not the name of a controller", name)
		case seen[name]:
			v.fail(path, "remove one of them", "duplicate controller %q", name)
		}
		seen[name] = true
	}
}

// leaderElection checks what client-go demands of the times (leaderelection.NewLeaderElector).
func (v *validator) leaderElection(e *LeaderElection) {
	if e == nil {
		return
	}
	const path = "spec.kubernetes.leaderElection"
	lease, deadline, retry := DefaultLeaseDuration, DefaultRenewDeadline, DefaultRetryPeriod
	for _, field := range []struct {
		set *notation.Duration
		to  *time.Duration
	}{{e.LeaseDuration, &lease}, {e.RenewDeadline, &deadline}, {e.RetryPeriod, &retry}} {
		if field.set != nil {
			*field.to = field.set.Duration
		}
	}
	switch {
	case lease <= 0 || lease%time.Second != 0:
		v.fail(path+".leaseDuration", notation.Text(DefaultLeaseDuration), "must be whole seconds, at least one")
	case lease <= deadline:
		v.fail(path, "leaseDuration: "+notation.Text(deadline+5*time.Second),
			"leaseDuration, %s, must be longer than renewDeadline, %s", notation.Text(lease), notation.Text(deadline))
	case retry <= 0:
		v.fail(path+".retryPeriod", notation.Text(DefaultRetryPeriod), "must be longer than 0s")
	case float64(deadline) <= leaderelection.JitterFactor*float64(retry):
		v.fail(path, "a shorter retryPeriod", "renewDeadline, %s, must be longer than %.1f times retryPeriod, %s",
			notation.Text(deadline), leaderelection.JitterFactor, notation.Text(retry))
	}
}

var controllerName = regexp.MustCompile(`^[a-z0-9]([a-z0-9-]*[a-z0-9])?$`)
