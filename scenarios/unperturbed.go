package scenarios

// Perturbs counts what the scenario makes go wrong: the standing rules, and the steps that do something to requests,
// watches, processes, Pods, nodes, or behind everyone's back. What users do, such as deleting or evicting a Pod, is not
// counted: it is what the controllers are there for.
func (s *Scenario) Perturbs() (faults, steps int) {
	for _, st := range s.Spec.Steps {
		if st.perturbs() {
			steps++
		}
	}
	return len(s.Spec.Faults), steps
}

func (s Step) perturbs() bool {
	return s.Fault != nil || s.Controller != nil || s.Pod != nil || s.Node != nil || s.Edit != nil
}
