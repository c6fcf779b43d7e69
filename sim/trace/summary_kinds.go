package trace

import (
	"encoding/json"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"
)

// podPhase describes the node and the phase of a pod.
func podPhase(s *summary) {
	if c, ok := s.field("spec.nodeName"); ok && c.Old == nil {
		s.say("-> " + valueText(c.New))
	}
	if c, ok := s.field("status.phase"); ok {
		s.say(changed("phase", c))
	}
	for _, name := range []string{"status.reason", "status.message"} {
		if c, ok := s.field(name); ok && c.New != nil {
			s.say(valueText(c.New))
		}
	}
}

// containerStates describes the states of containers: why they wait, how they ended, how often they started.
func containerStates(s *summary) {
	for _, list := range []string{"status.initContainerStatuses", "status.containerStatuses"} {
		for _, c := range s.take(under(list)) {
			for _, value := range elements(c.New, c.Path == list) {
				s.say(containerState(containerName(c.Path), c.Path, value))
			}
		}
	}
}

// containerState describes one change below containerStatuses; most of them add no information.
func containerState(name, path string, value json.RawMessage) string {
	type state struct {
		Waiting    *struct{ Reason string }
		Terminated *struct {
			ExitCode int
			Reason   string
		}
	}
	var status struct {
		Name         string
		State        state
		RestartCount int
	}
	switch {
	case strings.HasSuffix(path, ".restartCount"):
		return name + " restarts " + valueText(value)
	case strings.HasSuffix(path, ".state.waiting"):
		_ = json.Unmarshal(value, &status.State.Waiting)
	case strings.HasSuffix(path, ".state.waiting.reason"):
		text, _ := stringValue(value)
		return waiting(name, text)
	case strings.HasSuffix(path, ".state.terminated"):
		_ = json.Unmarshal(value, &status.State.Terminated)
	case strings.HasSuffix(path, "tatuses") || strings.HasSuffix(path, "]"):
		_ = json.Unmarshal(value, &status)
		name = status.Name
	}
	switch {
	case status.State.Waiting != nil:
		return waiting(name, status.State.Waiting.Reason)
	case status.State.Terminated != nil:
		end := status.State.Terminated
		return name + " exited " + strconv.Itoa(end.ExitCode) + inParentheses(end.Reason)
	}
	return ""
}

func waiting(name, reason string) string {
	if reason == "" {
		return ""
	}
	return name + " waits (" + reason + ")"
}

// isStarting is true for the reasons of containers that are starting.
func isStarting(reason string) bool {
	return reason == "ContainerCreating" || reason == "PodInitializing"
}

// starts reports whether a request only says that a kubelet begins to start a pod's containers, which follows from the
// binding.
func starts(r *Request) bool {
	if r.Resource != "pods" || r.Subresource != "status" || len(r.Writes) != 1 || r.Writes[0].Op != OpUpdate {
		return false
	}
	for _, c := range r.Writes[0].Changes {
		if c.Old != nil || !isPodNoise(c.Path) {
			return false
		}
		if !strings.HasSuffix(c.Path, "ontainerStatuses") {
			continue
		}
		for _, value := range elements(c.New, true) {
			var status struct {
				State struct{ Waiting struct{ Reason string } }
			}
			if json.Unmarshal(value, &status) != nil || !isStarting(status.State.Waiting.Reason) {
				return false
			}
		}
	}
	return true
}

// isPodNoise matches the changes that accompany a pod's phase.
func isPodNoise(path string) bool {
	for _, field := range []string{
		"startTime", "podIP", "podIPs", "hostIP", "hostIPs", "qosClass", "observedGeneration",
		"containerStatuses", "initContainerStatuses", "conditions",
	} {
		if under("status." + field)(path) {
			return true
		}
	}
	return false
}

// taints describes the taints of a node.
func taints(s *summary) {
	const field = "spec.taints"
	text := func(value json.RawMessage) string {
		var taint struct{ Key, Effect string }
		_ = json.Unmarshal(value, &taint)
		return taint.Key + ":" + taint.Effect
	}
	var old, new []string
	shifted := map[string]string{}
	for _, c := range s.take(under(field)) {
		if strings.HasSuffix(c.Path, "].effect") {
			before, _ := stringValue(c.Old)
			after, _ := stringValue(c.New)
			shifted[after] = before
			continue
		}
		if c.Path != field && !strings.HasSuffix(c.Path, "]") {
			s.say(changed(c.Path, c))
			continue
		}
		for _, value := range elements(c.Old, c.Path == field) {
			old = append(old, text(value))
		}
		for _, value := range elements(c.New, c.Path == field) {
			new = append(new, text(value))
		}
	}
	// Taints are compared by index. If the first of key:NoSchedule and key:NoExecute was removed, the first index has
	// another effect now, and the second is empty.
	for i, taint := range old {
		key, effect, _ := strings.Cut(taint, ":")
		if before, ok := shifted[effect]; ok {
			old[i] = key + ":" + before
			delete(shifted, effect)
		}
	}
	for _, after := range slices.Sorted(maps.Keys(shifted)) {
		s.say("taint effect " + shifted[after] + " -> " + after)
	}
	for _, taint := range new {
		if !slices.Contains(old, taint) {
			s.say("taint " + taint)
		}
	}
	for _, taint := range old {
		if !slices.Contains(new, taint) {
			s.say("taint " + taint + " removed")
		}
	}
}

func isNodeNoise(path string) bool {
	return strings.HasSuffix(path, "lastHeartbeatTime") ||
		under("status.images")(path) || under("status.volumesInUse")(path)
}

func isJobNoise(path string) bool {
	return under("status.uncountedTerminatedPods")(path) || path == "status.startTime"
}

func isAutoscalerNoise(path string) bool {
	return under("status.currentMetrics")(path) || path == "status.lastScaleTime"
}

// endpoints describes how many addresses were added to and removed from a slice.
func endpoints(s *summary) {
	added, removed, touched := 0, 0, 0
	for _, c := range s.take(under("endpoints")) {
		switch {
		case c.Path == "endpoints":
			added, removed = len(elements(c.New, true)), len(elements(c.Old, true))
		case strings.HasSuffix(c.Path, "]") && c.Old == nil:
			added++
		case strings.HasSuffix(c.Path, "]") && c.New == nil:
			removed++
		case strings.HasSuffix(c.Path, ".conditions.ready"):
			s.say(changed(c.Path, c))
		default:
			touched++
		}
	}
	for _, n := range []struct {
		count int
		word  string
	}{{added, "added"}, {removed, "removed"}} {
		if n.count > 0 {
			s.say("endpoints " + strconv.Itoa(n.count) + " " + n.word)
		}
	}
	if touched > 0 && len(s.phrases) == 0 {
		s.say("endpoints changed")
	}
}

// leadership describes that a lease has another holder, and why it could: how long nobody had renewed the lease. A
// renewal is not described.
func leadership(s *summary) {
	holder, ok := s.field("spec.holderIdentity")
	if !ok {
		return
	}
	s.say(changed("holder", holder))
	if c, ok := s.field("spec.renewTime"); ok {
		before, after := microTime(c.Old), microTime(c.New)
		if idle := after.Sub(before); !before.IsZero() && idle > 0 {
			s.say("not renewed for " + Seconds(idle))
		}
	}
	if c, ok := s.field("spec.leaseTransitions"); ok {
		s.say(changed("transitions", c))
	}
	s.take(func(path string) bool { return strings.HasPrefix(path, "spec.") })
}

func microTime(value []byte) time.Time {
	text, _ := stringValue(value)
	at, _ := time.Parse(time.RFC3339Nano, text)
	return at
}
