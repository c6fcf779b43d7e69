package apps

import (
	"fmt"
	"maps"
	"slices"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/kubernetes/pkg/api/v1/pod"
	daemonutil "k8s.io/kubernetes/pkg/controller/daemon/util"

	"github.com/kubestep/kubestep/controllers/explain/arithmetic"
	"github.com/kubestep/kubestep/controllers/placement"
)

// roll replaces Pods of an old revision, as far as the limits allow (rollingUpdate).
func (d *daemons) roll() {
	for _, node := range d.nodes {
		if run, _ := placement.RunsDaemonPod(node, d.set); run && d.onNode[node.Name] == nil {
			d.onNode[node.Name] = []*corev1.Pod{}
		}
	}
	surge, err := daemonutil.SurgeCount(d.set, d.desired)
	if err != nil {
		return
	}
	unavailable, err := daemonutil.UnavailableCount(d.set, d.desired)
	if err != nil {
		return
	}
	if surge == 0 && unavailable == 0 && d.desired > 0 {
		unavailable = 1
	}
	step := d.out.Step("limits", daemonUpdateFile, "updatedDesiredNodeCounts")
	step.Line("maxUnavailable", fmt.Sprintf("of %d nodes", d.desired), unavailable)
	step.Line("maxSurge", fmt.Sprintf("of %d nodes", d.desired), surge)
	if surge > 0 {
		d.surge(surge)
	} else {
		d.replace(unavailable)
	}
}

// revisions are the Pods of a node that are not terminating, of the newest and of an old revision; ok is false if there are
// several of one.
func (d *daemons) revisions(node string) (newest, old *corev1.Pod, ok bool) {
	generation, err := daemonutil.GetTemplateGeneration(d.set)
	if err != nil {
		generation = nil
	}
	for _, p := range d.onNode[node] {
		if p.DeletionTimestamp != nil {
			continue
		}
		of := &old
		if daemonutil.IsPodUpdated(p, d.hash, generation) {
			of = &newest
		}
		if *of != nil {
			return nil, nil, false
		}
		*of = p
	}
	return newest, old, true
}

func (d *daemons) isAvailable(p *corev1.Pod) bool {
	return pod.IsPodAvailable(p, d.set.Spec.MinReadySeconds, d.now)
}

// replace deletes old Pods, so that no more than the limit are unavailable. Old Pods that are not available go anyway.
func (d *daemons) replace(most int) {
	var allowed, candidates, missing []string
	for _, node := range slices.Sorted(maps.Keys(d.onNode)) {
		newest, old, ok := d.revisions(node)
		switch {
		case !ok, (newest == nil) == (old == nil):
			missing = append(missing, node+" (no Pod)")
		case newest != nil && !d.isAvailable(newest):
			missing = append(missing, node+" ("+newest.Name+" is not available)")
		case newest != nil:
		case !d.isAvailable(old):
			allowed = append(allowed, old.Name)
		default:
			candidates = append(candidates, old.Name)
		}
	}
	unavailable := len(missing) + len(allowed)
	step := d.out.Step("old Pods", daemonUpdateFile, "rollingUpdate")
	step.Line("not available", arithmetic.Few(append(slices.Clone(missing), allowed...)), unavailable)
	room := max(0, most-unavailable)
	step.Line("to spare", fmt.Sprintf("maxUnavailable %d - %d not available", most, unavailable), room)
	step.Line("old, not available", "they are replaced anyway", len(allowed))
	step.Line("old, available", "", len(candidates))
	goes := min(room, len(candidates))
	switch {
	case goes == 0:
		d.deletes = allowed
	case goes == len(candidates):
		d.deletes = append(allowed, candidates...)
	default:
		d.deletes, d.deleted = append(allowed, candidates...), len(allowed)+goes
	}
	if len(d.deletes) == 0 && len(candidates) > 0 {
		d.waits = append(d.waits, fmt.Sprintf("%d not available, maxUnavailable %d: %s", unavailable, most, arithmetic.Few(missing)))
	}
}

// surge creates new Pods beside old ones, and deletes an old one when its new one is available.
func (d *daemons) surge(most int) {
	var allowed, candidates, gone, elsewhere []string
	surging, available := 0, 0
	for _, node := range slices.Sorted(maps.Keys(d.onNode)) {
		newest, old, ok := d.revisions(node)
		if !ok {
			surging++
			continue
		}
		if old != nil && d.isAvailable(old) || old == nil && newest != nil && d.isAvailable(newest) {
			available++
		}
		run := slices.ContainsFunc(d.nodes, func(n *corev1.Node) bool {
			run, _ := placement.RunsDaemonPod(n, d.set)
			return n.Name == node && run
		})
		switch {
		case old == nil:
		case newest != nil && !d.isAvailable(newest):
			surging++
		case newest != nil:
			gone = append(gone, old.Name)
		case !run && !d.isAvailable(old):
			gone = append(gone, old.Name)
		case !run:
			elsewhere = append(elsewhere, old.Name)
		case !d.isAvailable(old):
			allowed = append(allowed, node)
		default:
			candidates = append(candidates, node)
		}
	}
	room := max(0, most-surging)
	step := d.out.Step("new Pods beside old ones", daemonUpdateFile, "rollingUpdate")
	step.Line("to create", fmt.Sprintf("maxSurge %d - %d new ones not available", most, surging), room)
	step.Line("old to delete", "their new ones are available", len(gone))
	spare := min(max(0, available-d.desired), len(elsewhere))
	d.deletes = append(gone, elsewhere[:spare]...)
	d.creates = append(allowed, candidates[:min(room, len(candidates))]...)
	if len(d.creates)+len(d.deletes) == 0 && len(candidates)+surging > 0 {
		d.waits = append(d.waits, fmt.Sprintf("%d of maxSurge %d new Pods are not available", surging, most))
	}
}
