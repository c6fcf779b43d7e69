package runner

import (
	"cmp"
	"errors"
	"regexp"
	"strconv"

	"gopkg.in/yaml.v3"

	"github.com/kubestep/kubestep/controllers"
	"github.com/kubestep/kubestep/controllers/scheduler"
	"github.com/kubestep/kubestep/scenarios/language/format"
	"github.com/kubestep/kubestep/scenarios/language/source"
	"github.com/kubestep/kubestep/scenarios/language/spelling"
)

// schedulerOptions are those of upstream's kube-scheduler, nil if the scenario has the stand-in.
func schedulerOptions(s *format.Scenario) (*controllers.SchedulerOptions, error) {
	k := s.Spec.Kubernetes
	if k.Scheduler != format.KubeScheduler {
		return nil, nil
	}
	overrides, err := k.SchedulerConfigJSON()
	if err != nil {
		return nil, s.Errorf(schedulerConfigPath, "", "%v", err)
	}
	config, err := scheduler.NewConfig(overrides)
	if err != nil {
		return nil, schedulerConfigError(s, err)
	}
	return &controllers.SchedulerOptions{Config: config, Replicas: k.SchedulerReplicas, Elect: schedulersElect(s)}, nil
}

// schedulersElect reports whether the kube-schedulers elect a leader. Upstream's does so by default; here, one without a competitor
// does only if the scenario says so.
func schedulersElect(s *format.Scenario) bool {
	k := s.Spec.Kubernetes
	asked := fieldAt(k.SchedulerConfig, "leaderElection.leaderElect")
	if asked != nil && asked.Tag == "!!bool" {
		return asked.Value == "true"
	}
	return k.SchedulerReplicas > 1
}

// schedulerNames are the processes of kube-scheduler.
func schedulerNames(s *format.Scenario) []string {
	if s.Spec.Kubernetes.Scheduler != format.KubeScheduler {
		return nil
	}
	return controllers.ReplicaNames(controllers.SchedulerName, s.Spec.Kubernetes.SchedulerReplicas)
}

const schedulerConfigPath = "spec.kubernetes.schedulerConfig"

// schedulerConfigError places an error about kube-scheduler's configuration at the field that it names.
func schedulerConfigError(s *format.Scenario, err error) error {
	var wrong *scheduler.ConfigError
	if !errors.As(err, &wrong) {
		return s.Errorf(schedulerConfigPath, "", "%v", err)
	}
	try := wrong.Try
	if wrong.Name != "" {
		try = spelling.Among(wrong.Name, wrong.Known)
	}
	at := s.Position(schedulerConfigPath)
	if node := fieldAt(s.Spec.Kubernetes.SchedulerConfig, wrong.Field); node != nil {
		at = source.Position{Line: node.Line, Column: node.Column}
	}
	const example = "profiles: [{schedulerName: default-scheduler}]"
	return s.Place(source.Problem(cmp.Or(try, example), "%v", err), schedulerConfigPath, at)
}

// pathStep is a name, or the index of an item, in a path such as profiles[0].plugins.
var pathStep = regexp.MustCompile(`[^.\[\]]+|\[\d+\]`)

// fieldAt finds the value at a path, or the last one on the way to it; nil without any.
func fieldAt(node *yaml.Node, path string) *yaml.Node {
	var found *yaml.Node
	for _, step := range pathStep.FindAllString(path, -1) {
		next := child(node, step)
		if next == nil {
			return found
		}
		node, found = next, next
	}
	return found
}

// child is the value of a field of a mapping, or an item of a list.
func child(node *yaml.Node, step string) *yaml.Node {
	if node == nil {
		return nil
	}
	if node.Kind == yaml.AliasNode {
		node = node.Alias
	}
	if index, err := strconv.Atoi(step[1:max(1, len(step)-1)]); step[0] == '[' && err == nil {
		if node.Kind == yaml.SequenceNode && index < len(node.Content) {
			return node.Content[index]
		}
		return nil
	}
	return source.Field(node, step)
}
