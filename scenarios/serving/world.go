package serving

import (
	_ "embed" // the scenario without a file
	"fmt"
	"slices"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/kubernetes/cmd/kube-controller-manager/names"

	"github.com/kubestep/kubestep/controllers"
	"github.com/kubestep/kubestep/scenarios/cli"
	"github.com/kubestep/kubestep/scenarios/language/format"
	"github.com/kubestep/kubestep/scenarios/language/notation"
	"github.com/kubestep/kubestep/scenarios/language/verb"
	"github.com/kubestep/kubestep/scenarios/runner"
	"github.com/kubestep/kubestep/sim/apiserver/authorization"
	"github.com/kubestep/kubestep/sim/network/live"
	"github.com/kubestep/kubestep/sim/trace"
)

// threeNodes is the scenario that is served without a file: only a cluster.
//
//go:embed world.yaml
var threeNodes []byte

// open reads a scenario; without a file, that of three nodes.
func open(file string) (*format.Scenario, error) {
	if file == "" {
		return format.Parse("", threeNodes, verb.All)
	}
	return runner.Open(file)
}

// read reads the scenario, and leaves out what the flags leave out.
func (o *Options) read(file string) (*format.Scenario, error) {
	s := o.Scenario
	if s == nil {
		var err error
		if s, err = open(file); err != nil {
			return nil, err
		}
	}
	own := *s
	if o.Seed != nil {
		own.Spec.Seed = *o.Seed
	}
	switch all := len(own.Spec.Steps); {
	case o.Steps > all:
		return nil, cli.Usage(fmt.Sprintf("--steps %d, but the scenario has %s", o.Steps, trace.Count(all, "step")),
			fmt.Sprintf("--steps %d", all))
	case o.Steps >= 0:
		own.Spec.Steps = slices.Clone(own.Spec.Steps[:o.Steps])
	}
	return &own, nil
}

// podEnds is how long Pods that are meant to end run, such as those of Jobs, in a scenario that is only a cluster and has no rules
// for its Pods.
const podEnds = 5 * time.Second

// world is the scenario of the session, with what a user expects of a cluster: the API server serves definitions and records
// who manages which fields, and in a scenario that is only a cluster all controllers run, requests need a role, the objects of the system
// are there, Pods that are meant to end do, and the date is that of today. The saved session says all of it.
func (o *Options) world(file string, pace live.Pace) (*format.Scenario, error) {
	s, err := o.read(file)
	if err != nil {
		return nil, err
	}
	s.Spec.Cluster.CustomResources, s.Spec.Cluster.ManagedFields = true, true
	if len(s.Spec.Steps) > 0 {
		return s, nil
	}
	if o.Steps != 0 {
		complete(s)
	}
	if pace.Speed == 1 && s.Spec.Start.IsZero() {
		// Clients compute some ages from their own clocks. No virtual time passes before they connect, and then at their pace.
		s.Spec.Start = time.Now().UTC().Truncate(time.Second)
	}
	return s, nil
}

// complete adds what a scenario that is only a cluster does not say.
func complete(s *format.Scenario) {
	if s.Spec.Kubernetes.Controllers == nil {
		s.Spec.Kubernetes.Controllers = []string{"*"}
	}
	cluster := &s.Spec.Cluster
	if !s.Has("spec.cluster.authorization") {
		cluster.Authorization.Mode = authorization.RBAC
	}
	cluster.SystemObjects = cluster.SystemObjects || !s.Has("spec.cluster.systemObjects")
	cluster.KubeletDetails = cluster.KubeletDetails || !s.Has("spec.cluster.kubeletDetails")
	if !s.Has("spec.cluster.pods") && len(cluster.Pods) == 1 {
		ends := cluster.Pods[0]
		ends.Complete = &notation.Delay{Min: podEnds, Max: podEnds}
		for _, policy := range []corev1.RestartPolicy{corev1.RestartPolicyOnFailure, corev1.RestartPolicyNever} {
			ends.Match.RestartPolicy = string(policy)
			cluster.Pods = slices.Insert(cluster.Pods, 0, ends)
		}
	}
}

// missingControllers says which controllers a user may miss; empty if there are none.
func missingControllers(s *format.Scenario) string {
	list := s.Spec.Kubernetes.Controllers
	var off []string
	for _, name := range []string{names.NamespaceController, names.GarbageCollectorController, names.ServiceAccountController} {
		if !controllers.IsEnabled(list, name) {
			off = append(off, name)
		}
	}
	if len(off) == 0 {
		return ""
	}
	return fmt.Sprintf("The scenario runs without %s.\n  Try: kubernetes: {controllers: ['*']} in the scenario, to run all controllers\n\n",
		strings.Join(off, ", "))
}
