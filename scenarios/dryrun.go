package scenarios

import (
	"fmt"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kubestep/kubestep/scenarios/expr"
	"github.com/kubestep/kubestep/sim/apiserver"
	"github.com/kubestep/kubestep/sim/kinds"
)

// Validate checks what can be known of a scenario before it runs, beyond its format: that the expressions
// compile, that the controllers, gates and configuration exist, and that the API server would accept each
// manifest in an empty cluster. brought are the names of the controllers that the caller would run beside
// those of the scenario (RunOptions.Controllers). It returns an ErrorList.
func Validate(s *Scenario, brought ...string) error {
	var list ErrorList
	add := func(err error) {
		switch e := err.(type) {
		case nil:
		case ErrorList:
			list = append(list, e...)
		case *Error:
			list = append(list, e)
		default:
			list = append(list, s.Errorf("", "", "%v", err))
		}
	}
	env, err := expr.NewEnv(kinds.BuiltIn())
	if err != nil {
		return fmt.Errorf("expressions: %w", err)
	}
	r := &run{scenario: s, env: env}
	add(r.compileChecks())
	for i := range s.Spec.Steps {
		add(r.compileStep(i))
	}
	for i, f := range s.Spec.Faults {
		if f.When != "" {
			_, err := r.compile(FaultPath(i)+".when", f.When)
			add(err)
		}
	}
	restore, err := setFeatureGates(s)
	restore()
	add(err)
	_, err = componentConfig(s)
	add(err)
	add(checkControllers(s))
	_, err = admission(s)
	add(err)
	add(validateProcesses(s, brought))
	add(validateLoads(s))
	_, err = podRules(s)
	add(err)
	server, err := apiserver.New(nil)
	if err != nil {
		return err
	}
	add(validateFaults(s, server, brought))
	for i, st := range s.Spec.Steps {
		add(dryRun(s, server, i, st))
	}
	if len(list) > 0 {
		return list
	}
	return nil
}

// compileStep compiles the expressions of a step.
func (r *run) compileStep(i int) error {
	st := r.scenario.Spec.Steps[i]
	if st.When != "" {
		if _, err := r.compile(StepPath(i)+".when", st.When); err != nil {
			return err
		}
	}
	if st.Expect != nil {
		if _, err := r.compile(StepPath(i)+".expect.that", st.Expect.That); err != nil {
			return err
		}
	}
	if st.Ask != nil {
		if _, err := r.compile(StepPath(i)+".ask.that", st.Ask.That); err != nil {
			return err
		}
		if st.Ask.For != "" {
			_, err := r.waitFor(StepPath(i)+".ask.for", st.Ask.For)
			return err
		}
	}
	if st.Wait != nil {
		_, err := r.waitFor(StepPath(i)+".wait.for", st.Wait.For)
		return err
	}
	return nil
}

// dryRun creates a step's manifests without storing them, so that upstream's validation speaks. A step that
// is meant to fail is left to the run.
func dryRun(s *Scenario, server *apiserver.Server, i int, st Step) error {
	text := st.Apply + st.Create
	if text == "" || st.Fails != "" {
		return nil
	}
	r := &run{scenario: s}
	manifests, err := s.Manifests(StepPath(i)+"."+st.Verb(), text)
	if err != nil {
		return err
	}
	var list ErrorList
	for _, m := range manifests {
		req := r.request("create", targetOf(m))
		req.Name, req.Object = "", m.Object
		req.CreateOptions = metav1.CreateOptions{DryRun: []string{metav1.DryRunAll}}
		if _, err := server.Do(req); err != nil {
			if positioned, ok := r.manifestError(i, m, err).(*Error); ok {
				list = append(list, positioned)
			}
		}
	}
	if len(list) > 0 {
		return list
	}
	return nil
}
