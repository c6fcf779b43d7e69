package runner

import (
	"slices"
	"strings"

	"k8s.io/kubernetes/cmd/kube-controller-manager/names"

	"github.com/kubestep/kubestep/controllers"
	"github.com/kubestep/kubestep/scenarios/language/format"
	"github.com/kubestep/kubestep/scenarios/language/source"
	"github.com/kubestep/kubestep/scenarios/language/spelling"
	"github.com/kubestep/kubestep/sim/apiserver"
)

// counterparts are the controllers without which an admission plugin only hinders: nobody would take the
// taint from a new node, make the service account that a pod needs, count what a quota has left, or remove
// the finalizer of a claim. Such a plugin is in the default set only where its controllers run.
var counterparts = map[string][]string{
	apiserver.ServiceAccount:        {names.ServiceAccountController},
	apiserver.TaintNodesByCondition: {names.NodeLifecycleController},
	apiserver.ResourceQuota:         {names.ResourceQuotaController},
	apiserver.StorageObjectInUseProtection: {
		names.PersistentVolumeClaimProtectionController, names.PersistentVolumeProtectionController,
	},
}

// admission resolves the scenario's list of admission plugins, in the syntax of --controllers: "*" is the
// default set, "Name" switches a plugin on and "-Name" off, and the first entry about a plugin counts.
func admission(s *format.Scenario) ([]string, error) {
	list := s.Spec.Kubernetes.Admission
	if list == nil {
		list = []string{"*"}
	}
	if err := checkAdmission(s, list); err != nil {
		return nil, err
	}
	var enabled []string
	for _, name := range apiserver.AdmissionPlugins() {
		on := slices.Contains(list, "*") && isDefaultPlugin(s, name)
		for _, entry := range list {
			if strings.TrimPrefix(entry, "-") == name {
				on = entry == name
				break
			}
		}
		if on {
			enabled = append(enabled, name)
		}
	}
	return enabled, nil
}

// checkAdmission looks for names that are not plugin's, and for duplicates.
func checkAdmission(s *format.Scenario, list []string) error {
	known := apiserver.AdmissionPlugins()
	var errs source.ErrorList
	seen := map[string]bool{}
	for i, entry := range list {
		name := strings.TrimPrefix(entry, "-")
		path := source.Item("spec.kubernetes.admission", i)
		switch {
		case seen[name]:
			errs = append(errs, s.Errorf(path, "remove one of them", "duplicate admission plugin %q", name))
		case entry != "*" && !slices.Contains(known, name):
			errs = append(errs, s.Errorf(path, spelling.Among(name, known),
				"unknown admission plugin %q", entry))
		}
		seen[name] = true
	}
	if len(errs) > 0 {
		return errs
	}
	return nil
}

// isDefaultPlugin reports whether "*" stands for this plugin, too.
func isDefaultPlugin(s *format.Scenario, plugin string) bool {
	if !slices.Contains(apiserver.DefaultAdmissionPlugins(), plugin) {
		return false
	}
	for _, controller := range counterparts[plugin] {
		if !controllers.IsEnabled(s.Spec.Kubernetes.Controllers, controller) {
			return false
		}
	}
	return true
}
