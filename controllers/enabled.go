package controllers

import genericapp "k8s.io/controller-manager/app"

// IsEnabled reports whether a --controllers list enables the controller of this canonical name. A nil list is Workload;
// one with an unknown name enables nothing.
func IsEnabled(list []string, name string) bool {
	if list == nil {
		list = Workload
	}
	resolved, err := Resolve(list)
	return err == nil && genericapp.IsControllerEnabled(name, known().disabled, resolved)
}
