package controllers

import (
	"slices"
	"strings"
	"testing"
	"time"

	utilfeature "k8s.io/apiserver/pkg/util/feature"

	"github.com/kubestep/kubestep/sim"
	"github.com/kubestep/kubestep/sim/engine"
)

// TestStates starts every controller that kube-controller-manager knows, once with upstream's defaults and
// once with what the states ask for, and compares who runs with what State says.
func TestStates(t *testing.T) {
	t.Run("as they are", func(t *testing.T) {
		running := everyController(t, "")
		for _, d := range Descriptors() {
			if state := d.State(); state.Runs != slices.Contains(running, d.Name) {
				t.Errorf("%s: the table says %q, runs: %t", d.Name, state, !state.Runs)
			}
		}
	})
	t.Run("with what they need", func(t *testing.T) {
		before, gates, want := map[string]bool{}, map[string]bool{}, []string{}
		var config []string
		for _, d := range Descriptors() {
			state := d.State()
			for _, gate := range state.Gates {
				before[gate], gates[gate] = false, true
			}
			if state.Config != "" {
				config = append(config, state.Config)
			}
			if state.Reason == "" {
				want = append(want, d.Name)
			}
		}
		if err := utilfeature.DefaultMutableFeatureGate.SetFromMap(gates); err != nil {
			t.Fatal(err)
		}
		defer func() {
			if err := utilfeature.DefaultMutableFeatureGate.SetFromMap(before); err != nil {
				t.Error(err)
			}
		}()
		running := everyController(t, "{"+strings.Join(config, ", ")+"}")
		if !slices.Equal(running, want) {
			t.Errorf("run %v\nwant %v", running, want)
		}
	})
}

// everyController runs a simulation that lists all controllers for a minute, and returns those that run.
func everyController(t *testing.T, config string) []string {
	t.Helper()
	list := []string{}
	for _, d := range Descriptors() {
		list = append(list, d.Name)
	}
	var running []string
	err := engine.Bubble(start, func() {
		world, err := sim.New(sim.Options{Seed: 1})
		if err != nil {
			t.Error(err)
			return
		}
		defer world.End()
		componentConfig, err := NewConfig([]byte(config))
		if err != nil {
			t.Error(err)
			return
		}
		control, err := Start(world, Options{ManagerOptions: ManagerOptions{Config: componentConfig, Controllers: list}})
		if err != nil {
			t.Error(err)
			return
		}
		world.Run(time.Minute)
		if err := control.Err(); err != nil {
			t.Error(err)
		}
		running = control.Names()
	})
	if err != nil {
		t.Fatal(err)
	}
	return running
}
