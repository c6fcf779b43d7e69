package runner

import (
	"errors"
	"slices"
	"sync"
	"time"

	networkingv1 "k8s.io/api/networking/v1"

	"github.com/kubestep/kubestep/scenarios/language/expr"
	"github.com/kubestep/kubestep/scenarios/language/format"
	"github.com/kubestep/kubestep/scenarios/language/source"
	"github.com/kubestep/kubestep/scenarios/language/spelling"
	"github.com/kubestep/kubestep/scenarios/language/verb"
	"github.com/kubestep/kubestep/scenarios/verdict/invariant"
	"github.com/kubestep/kubestep/sim/apiserver"
	"github.com/kubestep/kubestep/sim/apiserver/clusterip"
	"github.com/kubestep/kubestep/sim/cluster/controlplane"
)

// Plan is a scenario that can be run: what it names exists, and its expressions are compiled.
type Plan struct {
	scenario   *format.Scenario
	conditions map[string]*expr.Condition // by field path
	// disturbed means that faults were added to those of the scenario, which its author did not expect.
	disturbed bool
	// apart is how many of the last standing faults are those of Apart.
	apart int
}

// Compile compiles the expressions of a scenario, and checks nothing else, for one that is run only if it has the past of another run
// (RunOptions.Become). It makes no requests and changes nothing in the process, so it may be called in the middle of a simulation.
func Compile(s *format.Scenario) (*Plan, error) {
	p := &Plan{scenario: s}
	return p, p.compile()
}

// Prepare checks what can be known of a scenario before it runs, beyond its format: that the expressions
// compile, that the controllers, gates and configuration exist, and that the API server would accept each
// manifest in an empty cluster. brought are the names of the controllers that the caller would run beside
// those of the scenario (RunOptions.Controllers). The error is a source.ErrorList.
func Prepare(s *format.Scenario, brought ...string) (*Plan, error) {
	p := &Plan{scenario: s}
	var list source.ErrorList
	add := func(err error) {
		var several source.ErrorList
		var one *source.Error
		switch {
		case err == nil:
		case errors.As(err, &several):
			list = append(list, several...)
		case errors.As(err, &one):
			list = append(list, one)
		default:
			list = append(list, s.Errorf("", "", "%v", err))
		}
	}
	add(p.compile())
	restore, err := setFeatureGates(s)
	restore()
	add(err)
	_, err = componentConfig(s)
	add(err)
	_, err = schedulerOptions(s)
	add(err)
	add(checkControllers(s))
	_, err = admission(s)
	add(err)
	add(validateProcesses(s, brought))
	add(validateKubelets(s))
	add(validateInvariants(s))
	add(validateDefinitions(s))
	_, err = podRules(s)
	add(err)
	add(inEmptyCluster(s, func(server *apiserver.Server) {
		add(validateFaults(s, server, brought))
		for i, st := range s.Spec.Steps {
			if prober, ok := st.Verb.(verb.Prober); ok {
				add(prober.Probe(verb.Prospect{Scenario: s, Step: i, Server: server, Processes: processNames(s, brought)}))
			}
		}
	}))
	if err := list.Err(); err != nil {
		return nil, err
	}
	return p, nil
}

// With returns the plan with more standing faults, and with a later horizon. Each fault has a name, and neither a
// condition nor a draw.
func (p *Plan) With(faults []format.FaultRule, extend time.Duration) *Plan {
	scenario := *p.scenario
	scenario.Spec.Faults = slices.Concat(scenario.Spec.Faults, faults)
	scenario.Spec.Horizon.Duration += extend
	return &Plan{scenario: &scenario, conditions: p.conditions, disturbed: p.disturbed || len(faults) > 0}
}

// Apart returns a plan with standing faults in addition that change nothing before their times: until then, its run is the same as without
// them, to the last draw (fault.Rule.Apart).
func (p *Plan) Apart(faults []format.FaultRule, extend time.Duration) *Plan {
	plan := p.With(faults, extend)
	plan.apart = len(faults)
	return plan
}

// empty is the cluster that scenarios are prepared in, with the service subnet of the last one: to build an API server takes
// about as long as a short run, and a process may prepare thousands of scenarios.
var empty struct {
	sync.Mutex
	subnet string
	server *apiserver.Server
}

// inEmptyCluster calls ask with an API server that would accept whatever a new cluster does. ask must leave it empty: it may
// send dry runs only.
func inEmptyCluster(s *format.Scenario, ask func(*apiserver.Server)) error {
	empty.Lock()
	defer empty.Unlock()
	if subnet := s.Spec.Cluster.ServiceSubnet; empty.server == nil || empty.subnet != subnet {
		server, err := emptyCluster(s)
		if err != nil {
			return err
		}
		empty.subnet, empty.server = subnet, server
	}
	ask(empty.server)
	return nil
}

// emptyCluster is an API server that would accept whatever a new cluster does.
func emptyCluster(s *format.Scenario) (*apiserver.Server, error) {
	subnet := s.Spec.Cluster.ServiceSubnet
	ranges, err := clusterip.Subnets(subnet)
	if err != nil {
		return nil, s.Errorf("spec.cluster.serviceSubnet", clusterip.DefaultSubnet, "%v", err)
	}
	server, err := apiserver.New(nil, apiserver.Options{ServiceSubnet: subnet})
	if err != nil {
		return nil, err
	}
	_, err = server.Do(apiserver.Request{
		Verb: "create", Resource: networkingv1.SchemeGroupVersion.WithResource("servicecidrs"),
		Object: controlplane.ServiceCIDR(ranges),
	})
	return server, err
}

// validateInvariants wants names that exist, each in one of the lists and once.
func validateInvariants(s *format.Scenario) error {
	var found source.ErrorList
	known, first := invariant.Names(), map[string]string{}
	of := s.Spec.Invariants
	for _, list := range []struct {
		path  string
		names []string
	}{{"spec.invariants.expect", of.Expect}, {"spec.invariants.skip", of.Skip}} {
		for i, name := range list.names {
			path := source.Item(list.path, i)
			switch before := first[name]; {
			case !slices.Contains(known, name):
				try := spelling.Among(name, known)
				found = append(found, s.Errorf(path, try, "unknown invariant %q", name))
			case before != "":
				found = append(found, s.Errorf(path, "remove one of them", "duplicate %s, already in %s", name, before))
			}
			first[name] = list.path
		}
	}
	return found.Err()
}
