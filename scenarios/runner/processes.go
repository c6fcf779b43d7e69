package runner

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	componentconfig "k8s.io/component-base/config"

	"github.com/kubestep/kubestep/controllers"
	"github.com/kubestep/kubestep/scenarios/language/format"
	"github.com/kubestep/kubestep/scenarios/language/notation"
	"github.com/kubestep/kubestep/scenarios/language/source"
	"github.com/kubestep/kubestep/scenarios/language/spelling"
)

// setLeaderElection puts the scenario's times over those of the component configuration.
func setLeaderElection(out *componentconfig.LeaderElectionConfiguration, in *format.LeaderElection) {
	if in == nil {
		return
	}
	for _, field := range []struct {
		from *notation.Duration
		to   *metav1.Duration
	}{{in.LeaseDuration, &out.LeaseDuration}, {in.RenewDeadline, &out.RenewDeadline}, {in.RetryPeriod, &out.RetryPeriod}} {
		if field.from != nil {
			field.to.Duration = field.from.Duration
		}
	}
}

// elects reports whether the replicas of kube-controller-manager elect a leader.
func elects(s *format.Scenario) bool {
	k := s.Spec.Kubernetes
	if e := k.LeaderElection; e != nil {
		return e.LeaderElect == nil || *e.LeaderElect
	}
	return k.Replicas > 1
}

// customControllers are the controllers beside kube-controller-manager: all that the caller brings, and
// those that come with kubestep if the scenario names them.
func customControllers(s *format.Scenario, brought map[string]controllers.Custom) map[string]controllers.Custom {
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

// validateProcesses checks the names of spec.controllers.
// brought are the controllers that the scenario's caller brings.
func validateProcesses(s *format.Scenario, brought []string) error {
	known := append(slices.Sorted(maps.Keys(controllers.Builtin)), brought...)
	var list source.ErrorList
	for i, name := range s.Spec.Controllers {
		if !slices.Contains(known, name) {
			try := cmp.Or(spelling.Nearest(name, known), strings.Join(known, ", ")+
				"; kubestep validate --controller "+name+" accepts the name of one that only a Go test has")
			list = append(list, s.Errorf(source.Item("spec.controllers", i), try,
				"unknown controller %q: it is not part of kubestep, and no Go test provides it", name))
		}
	}
	return list.Err()
}

// processNames are the processes with controllers.
func processNames(s *format.Scenario, brought []string) []string {
	return slices.Concat(
		controllers.ManagerNames(s.Spec.Kubernetes.Replicas), schedulerNames(s), kubeletNames(s), s.Spec.Controllers, brought)
}
