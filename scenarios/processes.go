package scenarios

import (
	"cmp"
	"context"
	"maps"
	"slices"
	"strings"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	componentconfig "k8s.io/component-base/config"

	"github.com/kubestep/kubestep/controllers"
	"github.com/kubestep/kubestep/scenarios/spelling"
)

// setLeaderElection puts the scenario's times over those of the component configuration.
func setLeaderElection(out *componentconfig.LeaderElectionConfiguration, in *LeaderElection) {
	if in == nil {
		return
	}
	for _, field := range []struct {
		from *Duration
		to   *metav1.Duration
	}{{in.LeaseDuration, &out.LeaseDuration}, {in.RenewDeadline, &out.RenewDeadline}, {in.RetryPeriod, &out.RetryPeriod}} {
		if field.from != nil {
			field.to.Duration = field.from.Duration
		}
	}
}

// elects says whether the replicas of kube-controller-manager elect a leader.
func elects(s *Scenario) bool {
	k := s.Spec.Kubernetes
	if e := k.LeaderElection; e != nil {
		return e.LeaderElect == nil || *e.LeaderElect
	}
	return k.Replicas > 1
}

// customControllers are the controllers beside kube-controller-manager: all that the caller brings, and
// those that come with kubestep if the scenario names them.
func customControllers(s *Scenario, brought map[string]controllers.Custom) map[string]controllers.Custom {
	custom := maps.Clone(brought)
	if custom == nil {
		custom = map[string]controllers.Custom{}
	}
	for _, name := range s.Spec.Controllers {
		if _, ok := custom[name]; !ok {
			custom[name] = controllers.Builtin[name]
		}
	}
	return custom
}

// validateProcesses checks the names of processes: those of spec.controllers, and what crashes.
// brought are the controllers that the scenario's caller brings.
func validateProcesses(s *Scenario, brought []string) error {
	known := append(slices.Sorted(maps.Keys(controllers.Builtin)), brought...)
	var list ErrorList
	for i, name := range s.Spec.Controllers {
		if !slices.Contains(known, name) {
			list = append(list, s.Errorf(itemPath("spec.controllers", i), cmp.Or(spelling.Nearest(name, known), strings.Join(known, ", ")),
				"unknown controller %q: neither does it come with kubestep, nor does a Go test bring it", name))
		}
	}
	running := append(controllers.ManagerNames(s.Spec.Kubernetes.Replicas), s.Spec.Controllers...)
	running = append(running, brought...)
	for i, st := range s.Spec.Steps {
		if st.Controller == nil {
			continue
		}
		if verb, name := st.Controller.does(); !slices.Contains(running, name) {
			list = append(list, s.Errorf(StepPath(i)+".controller."+verb, "one of "+strings.Join(running, ", "),
				"no process is named %q", name))
		}
	}
	if len(list) > 0 {
		return list
	}
	return nil
}

// does says what happens to which process.
func (f *ControllerFault) does() (verb, process string) {
	for _, field := range []struct{ verb, process string }{
		{"crash", f.Crash}, {"restart", f.Restart}, {"pause", f.Pause}, {"resume", f.Resume},
	} {
		if field.process != "" {
			return field.verb, field.process
		}
	}
	return "", ""
}

// controllerFault makes something happen to a process.
func controllerFault(_ context.Context, r *run, _ int, st Step) error {
	f := st.Controller
	cause := r.taskSeq()
	switch {
	case f.Restart != "":
		return r.control.Restart(f.Restart, cause)
	case f.Pause != "":
		return r.control.Pause(f.Pause, cause)
	case f.Resume != "":
		return r.control.Resume(f.Resume, cause)
	}
	after := time.Duration(0)
	if f.After != nil {
		after = f.After.Duration
	}
	return r.control.Crash(f.Crash, after, cause)
}
