package recording

import (
	"strconv"
	"strings"
	"time"
)

// statefulSet assigns the Pods to their ordinals.
func (w *Workload) statefulSet(s *State, object map[string]any, seq int64, now time.Duration) {
	s.Strategy = text(object, "spec", "updateStrategy", "type")
	s.Revision = hashOf(text(object, "status", "updateRevision"))
	g := w.group(w.life, object, seq, now)
	start := number(object, 0, "spec", "ordinals", "start")
	byOrdinal := map[int]Cell{}
	last := start + s.Replicas - 1
	for _, c := range g.Cells {
		ordinal, err := strconv.Atoi(c.Pod.Name[strings.LastIndexByte(c.Pod.Name, '-')+1:])
		if err != nil {
			continue
		}
		c.New = c.revision == text(object, "status", "updateRevision")
		byOrdinal[ordinal] = c
		last = max(last, ordinal)
	}
	g.Cells = nil
	for ordinal := start; ordinal <= last; ordinal++ {
		c := byOrdinal[ordinal]
		c.Place = strconv.Itoa(ordinal)
		g.Cells = append(g.Cells, c)
	}
	g.New = true
	s.Groups = []Group{g}
	if s.Partition = number(object, 0, "spec", "updateStrategy", "rollingUpdate", "partition"); s.Partition > 0 {
		s.Facts = append(s.Facts, "partition "+strconv.Itoa(s.Partition))
	}
	if policy := text(object, "spec", "podManagementPolicy"); policy != "" {
		s.Facts = append(s.Facts, policy)
	}
}

// hashOf is the distinguishing part of a ControllerRevision's name.
func hashOf(name string) string { return name[strings.LastIndexByte(name, '-')+1:] }

// daemonSet assigns the Pods to their nodes.
func (w *Workload) daemonSet(s *State, object map[string]any, seq int64, now time.Duration) {
	s.Strategy = text(object, "spec", "updateStrategy", "type")
	s.Replicas = number(object, 0, "status", "desiredNumberScheduled")
	s.SaysAvailable = number(object, 0, "status", "numberAvailable")
	g := w.group(w.life, object, seq, now)
	newest := w.newestRevision(seq)
	byNode := map[string][]Cell{}
	var unbound []Cell
	for _, c := range g.Cells {
		c.New = c.revision == newest
		if node := w.nodeOf(c, seq); node != "" {
			byNode[node] = append(byNode[node], c)
		} else {
			unbound = append(unbound, c)
		}
	}
	g.Cells = nil
	for _, node := range w.lives.nodes {
		if !node.exists(seq) {
			continue
		}
		cells := byNode[node.object.Name]
		if len(cells) == 0 {
			cells = []Cell{{}}
		}
		for _, c := range cells {
			c.Place = node.object.Name
			g.Cells = append(g.Cells, c)
		}
	}
	g.Cells = append(g.Cells, unbound...)
	for _, bound := range []string{"maxUnavailable", "maxSurge"} {
		switch v := field(object, "spec", "updateStrategy", "rollingUpdate", bound).(type) {
		case int64:
			s.Facts = append(s.Facts, bound+" "+strconv.FormatInt(v, 10))
		case string:
			s.Facts = append(s.Facts, bound+" "+v)
		}
	}
	g.Spec, g.Actual = s.Replicas, number(object, 0, "status", "currentNumberScheduled")
	g.Ready, g.Available = number(object, 0, "status", "numberReady"), s.SaysAvailable
	g.New = true
	s.Groups = []Group{g}
}

// newestRevision is the hash of the most recently created Pods.
func (w *Workload) newestRevision(seq int64) string {
	newest, born := "", int64(-1)
	for _, pod := range w.life.owned.list {
		if len(pod.states) > 0 && pod.born <= seq && pod.born > born {
			newest, born = pod.states[0].Revision, pod.born
		}
	}
	return newest
}

// nodeOf is the node of a Pod. A DaemonSet's Pod that is not bound yet names its node only in its affinity.
func (w *Workload) nodeOf(c Cell, seq int64) string {
	if c.node != "" {
		return c.node
	}
	object := w.replay.ObjectAt(c.Pod, seq)
	terms, _ := field(object, "spec", "affinity", "nodeAffinity",
		"requiredDuringSchedulingIgnoredDuringExecution", "nodeSelectorTerms").([]any)
	for _, t := range terms {
		term, _ := t.(map[string]any)
		fields, _ := term["matchFields"].([]any)
		for _, f := range fields {
			match, _ := f.(map[string]any)
			if values, _ := match["values"].([]any); len(values) == 1 && match["key"] == "metadata.name" {
				node, _ := values[0].(string)
				return node
			}
		}
	}
	return ""
}
