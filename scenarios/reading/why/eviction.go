package why

import (
	"cmp"
	"fmt"
	"slices"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/kubestep/kubestep/sim/trace"
)

// processes is the resource of processes in evictions (resourcePids in pkg/kubelet/eviction/helpers.go).
const processes = "pids"

const mebibyte = 1 << 20

// ranked says of a Pod that its kubelet has evicted which threshold was met, and why this Pod came first, with the numbers of the others.
func (i *Instant) ranked(o trace.Object) (lines []string) {
	p, ok := i.object(o).(*corev1.Pod)
	if !ok || i.dump != nil || p.Status.Reason != evicted {
		return nil
	}
	var of *trace.Record
	for _, seq := range i.factsOf(p) {
		if record := i.rec.Record(seq); seq <= i.seq && record.Container.Eviction != nil {
			of = record
		}
	}
	if of == nil {
		return nil
	}
	e := of.Container.Eviction
	lines = append(lines, fmt.Sprintf("of %s, %s was available, less than the threshold of %s",
		cmp.Or(e.Signal, e.Resource), amountOf(e, e.Available), amountOf(e, e.Threshold)))
	if e.Of == 1 {
		return append(lines, "it was the only Pod of the node")
	}
	rule := "those that use more than they request first, then those of the lowest priority, then those that use most beyond their request"
	if e.Resource == processes {
		rule = "those of the lowest priority first, then those with most processes"
	}
	lines = append(lines, fmt.Sprintf("it was Pod %d of %d in the order of eviction: %s", e.Rank, e.Of, rule))
	for _, c := range i.withIt(of) {
		lines = append(lines, placeOf(c))
	}
	return lines
}

// withIt are the places of all Pods in the order that a record has one of.
func (i *Instant) withIt(of *trace.Record) []*trace.Container {
	all := []*trace.Container{of.Container}
	for _, step := range []int64{-1, 1} {
		for seq := of.Seq + step; seq > 0 && seq <= i.rec.Len(); seq += step {
			other := i.rec.Record(seq)
			if other == nil || other.At != of.At {
				break
			}
			if c := other.Container; c != nil && c.Eviction != nil && other.Actor == of.Actor {
				all = append(all, c)
			}
		}
	}
	slices.SortFunc(all, func(a, b *trace.Container) int { return cmp.Compare(a.Eviction.Rank, b.Eviction.Rank) })
	return all
}

// placeOf is the line of a Pod in the order.
func placeOf(c *trace.Container) string {
	e := c.Eviction
	if e.Resource == processes {
		return fmt.Sprintf("%d. %s has priority %d and %d process%s", e.Rank, c.Name, e.Priority, e.Used,
			map[bool]string{false: "es"}[e.Used == 1])
	}
	beyond := "not more than it requests"
	if e.Used > e.Requested {
		beyond = amountOf(e, e.Used-e.Requested) + " more than it requests"
	}
	return fmt.Sprintf("%d. %s uses %s, %s (%s), and has priority %d", e.Rank, c.Name, amountOf(e, e.Used), beyond,
		amountOf(e, e.Requested), e.Priority)
}

// amountOf is an amount of the resource of an eviction: bytes in the unit that people read, and numbers as they are.
func amountOf(e *trace.Eviction, n int64) string {
	if e.Resource != string(corev1.ResourceMemory) && e.Resource != string(corev1.ResourceEphemeralStorage) {
		return fmt.Sprint(n)
	}
	if n > mebibyte {
		n -= n % mebibyte
	}
	return resource.NewQuantity(n, resource.BinarySI).String()
}
