package scenarios

// Perturbs counts what the scenario makes go wrong: the standing rules, and the steps that do something to requests,
// watches, processes, Pods, nodes, or behind everyone's back. What users do, such as deleting or evicting a Pod, is not
// counted: it is what the controllers are there for.
func (s *Scenario) Perturbs() (faults, steps int) {
	for _, st := range s.Spec.Steps {
		if st.Perturbs() {
			steps++
		}
	}
	return len(s.Spec.Faults), steps
}

// Perturbs says whether the step makes something go wrong.
func (s Step) Perturbs() bool {
	return s.Fault != nil || s.Controller != nil || s.Pod != nil || s.Node != nil || s.Edit != nil
}
