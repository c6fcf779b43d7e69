package place

import (
	"cmp"
	"encoding/json"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kubestep/kubestep/controllers"
	"github.com/kubestep/kubestep/scenarios/language/format"
	"github.com/kubestep/kubestep/scenarios/language/notation"
	"github.com/kubestep/kubestep/sim/trace"
)

// A lease keeps two processes from working at the same time, but not their requests from arriving: one that a leader sends before its
// lease expires may arrive after the next leader has acted.

const (
	// leaseDuration is the default of --leader-elect-lease-duration.
	leaseDuration = 15 * time.Second
	// takeover is enough for the next leader to take the lease, to start its controllers and to act.
	takeover = 10 * time.Second
)

// depose lets a write of a leader arrive after its lease has expired. Without replicas, nobody takes over.
func depose(l *Look, s spot) []format.FaultRule {
	process, lease := leaderOf(l.kubernetes, s.write.Actor)
	if process == "" {
		return nil
	}
	transit := lease + takeover
	return []format.FaultRule{
		with(s.write.rule(), func(rule *format.FaultRule) { rule.Delay = &notation.Delay{Min: transit, Max: transit} }),
		{
			Request: &format.FaultRequest{Actor: process, Verb: "update", Resource: "leases"},
			At:      notation.NewDuration(Rounded(s.write.At)), For: notation.NewDuration(transit), Fail: "InternalError",
		},
	}
}

// schedulerLease is how long the lease of kube-scheduler is: spec.kubernetes.leaderElection is about kube-controller-manager only.
func schedulerLease(k format.Kubernetes) time.Duration {
	var config struct {
		LeaderElection struct {
			LeaseDuration metav1.Duration `json:"leaseDuration"`
		} `json:"leaderElection"`
	}
	if text, err := k.SchedulerConfigJSON(); err == nil && text != nil && json.Unmarshal(text, &config) == nil {
		return cmp.Or(config.LeaderElection.LeaseDuration.Duration, leaseDuration)
	}
	return leaseDuration
}

// leaderOf is the process of an actor, and how long its lease is, if others of its component wait for that. It is empty otherwise.
func leaderOf(k format.Kubernetes, actor string) (process string, lease time.Duration) {
	name, suffix := trace.SplitActor(actor)
	component, replicas, lease := controllers.ManagerName, k.Replicas, leaseDuration
	if k.LeaderElection != nil && k.LeaderElection.LeaseDuration != nil {
		lease = k.LeaderElection.LeaseDuration.Duration
	}
	if name == trace.SchedulerActor {
		component, replicas, lease = trace.SchedulerActor, k.SchedulerReplicas, schedulerLease(k)
	}
	for n, process := range controllers.ReplicaNames(component, replicas) {
		if suffix != "" && suffix == controllers.ReplicaSuffix(replicas, n) {
			return process, lease
		}
	}
	return "", 0
}
