package runner

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"gopkg.in/yaml.v3"
	utilfeature "k8s.io/apiserver/pkg/util/feature"
	"k8s.io/component-base/featuregate"
	"k8s.io/kubernetes/pkg/controller/apis/config"

	"github.com/kubestep/kubestep/controllers"
	"github.com/kubestep/kubestep/scenarios/language/format"
	"github.com/kubestep/kubestep/scenarios/language/source"
	"github.com/kubestep/kubestep/scenarios/language/spelling"
)

// setFeatureGates sets the scenario's gates, which are a property of the process, and returns the function
// that sets them back.
func setFeatureGates(s *format.Scenario) (restore func(), err error) {
	gates := s.Spec.Kubernetes.FeatureGates
	known := utilfeature.DefaultMutableFeatureGate.GetAll()
	before := map[string]bool{}
	restore = func() {
		// Setting a gate back to the value that it had cannot fail.
		_ = utilfeature.DefaultMutableFeatureGate.SetFromMap(before)
	}
	for _, name := range slices.Sorted(maps.Keys(gates)) {
		path := fmt.Sprintf("spec.kubernetes.featureGates[%s]", name)
		spec, ok := known[featuregate.Feature(name)]
		if !ok {
			return restore, s.Errorf(path, tryGate(name, featureNames(known)), "unknown feature gate %q", name)
		}
		before[name] = utilfeature.DefaultFeatureGate.Enabled(featuregate.Feature(name))
		if err := utilfeature.DefaultMutableFeatureGate.SetFromMap(map[string]bool{name: gates[name]}); err != nil {
			delete(before, name)
			restore()
			try := ""
			if spec.LockToDefault {
				try = "remove " + name + ": no value but " + strconv.FormatBool(spec.Default) + " is possible"
			}
			return func() {}, s.Errorf(path, try, "%v", err)
		}
	}
	return restore, nil
}

// tryGate is the gate that was probably meant, or where they all are.
func tryGate(name string, known []string) string {
	if near := spelling.Nearest(name, known); near != "" {
		return near
	}
	return "a feature gate of Kubernetes, such as MaxUnavailableStatefulSet, or remove " + name
}

func featureNames(known map[featuregate.Feature]featuregate.FeatureSpec) []string {
	var names []string
	for name := range known {
		names = append(names, string(name))
	}
	slices.Sort(names)
	return names
}

// componentConfig is the manager's configuration with the scenario's fields on top.
func componentConfig(s *format.Scenario) (*config.KubeControllerManagerConfiguration, error) {
	overrides, err := s.Spec.Kubernetes.ConfigJSON()
	if err != nil {
		return nil, s.Errorf("spec.kubernetes.config", "", "%v", err)
	}
	out, err := controllers.NewConfig(overrides)
	if err != nil {
		return nil, configError(s, err)
	}
	setLeaderElection(&out.Generic.LeaderElection, s.Spec.Kubernetes.LeaderElection)
	if out.Generic.MinResyncPeriod.Duration <= 0 {
		return nil, s.Errorf("spec.kubernetes.config", "", "%v", fmt.Errorf("minResyncPeriod must be positive"))
	}
	return out, nil
}

// configError places an error about the manager's configuration at the field that it names.
func configError(s *format.Scenario, err error) error {
	const path, try = "spec.kubernetes.config", "deploymentController: {concurrentDeploymentSyncs: 5}"
	var wrong *controllers.ConfigError
	if !errors.As(err, &wrong) {
		return s.Errorf(path, "", "%v", err)
	}
	at := s.Position(path)
	if node := configField(s.Spec.Kubernetes.Config, strings.Split(wrong.Field, ".")); node != nil {
		at = source.Position{Line: node.Line, Column: node.Column}
	}
	return s.Place(source.Problem(cmp.Or(wrong.Try, try), "%v", err), path, at)
}

// configField finds the name of a field in a mapping. The path may lack its beginning.
func configField(mapping *yaml.Node, path []string) *yaml.Node {
	if mapping == nil || mapping.Kind != yaml.MappingNode {
		return nil
	}
	for i := 0; i+1 < len(mapping.Content); i += 2 {
		name, value := mapping.Content[i], mapping.Content[i+1]
		rest := path
		if strings.EqualFold(name.Value, path[0]) {
			if rest = path[1:]; len(rest) == 0 {
				return name
			}
		}
		if found := configField(value, rest); found != nil {
			return found
		}
	}
	return nil
}

// checkControllers looks for controllers that upstream does not know.
func checkControllers(s *format.Scenario) error {
	var unknown *controllers.UnknownError
	if _, err := controllers.Resolve(s.Spec.Kubernetes.Controllers); errors.As(err, &unknown) {
		try := spelling.Nearest(strings.TrimPrefix(unknown.Name, "-"), controllers.Names())
		if try == "" {
			try = strings.Join(controllers.Workload, ", ")
		}
		return s.Errorf(fmt.Sprintf("spec.kubernetes.controllers[%d]", unknown.Index), try, "%v", err)
	}
	return nil
}
