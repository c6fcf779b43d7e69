package trace

import (
	"encoding/json"
	"strconv"
	"strings"

	"github.com/kubestep/kubestep/sim/trace/diff"
)

// deletion describes the update that only marks an object as being deleted. Its finalizers, or the kubelet, keep it
// until they are done.
func deletion(s *summary) {
	c, ok := s.field("metadata.deletionTimestamp")
	if !ok {
		return
	}
	grace, _ := s.field("metadata.deletionGracePeriodSeconds")
	if seconds, ok := number(grace.New); ok && seconds > 0 && c.Old == nil {
		s.say("marked for deletion (grace " + strconv.FormatInt(seconds, 10) + "s)")
	} else if c.Old == nil {
		s.say("marked for deletion")
	} else {
		s.say("grace period shortened")
	}
}

// owners describes adoption and release.
func owners(s *summary) {
	for _, c := range s.take(under("metadata.ownerReferences")) {
		for _, value := range elements(c.New, c.Path == "metadata.ownerReferences") {
			s.say("adopted by " + ownerText(value))
		}
		for _, value := range elements(c.Old, c.Path == "metadata.ownerReferences") {
			s.say("released by " + ownerText(value))
		}
	}
}

func ownerText(value json.RawMessage) string {
	var owner struct{ Kind, Name string }
	if json.Unmarshal(value, &owner) != nil || owner.Kind == "" {
		return valueText(value)
	}
	return owner.Kind + "/" + owner.Name
}

// elements is a change's value as a list: the elements of a whole list, or one element.
func elements(value json.RawMessage, whole bool) []json.RawMessage {
	if value == nil {
		return nil
	}
	var list []json.RawMessage
	if whole && json.Unmarshal(value, &list) == nil {
		return list
	}
	return []json.RawMessage{value}
}

// finalizers describes finalizers that were added and removed.
func finalizers(s *summary) {
	for _, field := range []string{"metadata.finalizers", "spec.finalizers"} {
		for _, c := range s.take(under(field)) {
			if strings.HasSuffix(c.Path, "=*]") {
				continue
			}
			for _, value := range elements(c.New, c.Path == field) {
				s.say("finalizer " + valueText(value) + " added")
			}
			for _, value := range elements(c.Old, c.Path == field) {
				s.say("finalizer " + valueText(value) + " removed")
			}
		}
	}
}

const revisionKey = `metadata.annotations["deployment.kubernetes.io/revision"]`

// revision describes the number that a Deployment gives each of its templates.
func revision(s *summary) {
	if c, ok := s.field(revisionKey); ok {
		s.say(changed("revision", c))
	}
}

// isRolloutAnnotation matches the annotations that a Deployment copies to its ReplicaSets for kubectl.
func isRolloutAnnotation(path string) bool {
	return path == `metadata.annotations["deployment.kubernetes.io/desired-replicas"]` ||
		path == `metadata.annotations["deployment.kubernetes.io/max-replicas"]`
}

// images describes new images, of pods and of pod templates. The container is named if there are several.
func images(s *summary) {
	taken := s.take(func(path string) bool {
		return strings.HasPrefix(path, "spec.") && strings.Contains(path, "ontainers[name=") &&
			strings.HasSuffix(path, "].image")
	})
	for _, c := range taken {
		name := "image"
		if len(taken) > 1 {
			name = "image of " + containerName(c.Path)
		}
		s.say(changed(name, c))
	}
}

// containerName is the key of the last keyed element in a path.
func containerName(path string) string {
	steps, _ := diff.ParsePath(path)
	for i := len(steps) - 1; i >= 0; i-- {
		if steps[i].Kind == diff.Element {
			return steps[i].Value
		}
	}
	return ""
}

// specFields describes all changes of the desired state before those of the status.
func specFields(s *summary) {
	for _, c := range s.take(under("spec")) {
		if !isNoise(c.Path) {
			s.say(changed(c.Path, c))
		}
	}
}

// counts describes the numbers of a status. Adjacent fields with the same change are combined.
func counts(s *summary) {
	replicas, all := "", ""
	for i := range s.changes {
		c := &s.changes[i]
		if c.Path == "status.replicas" {
			all = countText(*c)
		}
	}
	var names []string
	flush := func() {
		if len(names) > 0 {
			s.say(strings.Join(names, "/") + " " + replicas)
		}
		names = nil
	}
	taken := s.take(func(path string) bool {
		name, ok := strings.CutPrefix(path, "status.")
		return ok && !strings.ContainsAny(name, ".[") && name != "observedGeneration"
	})
	for _, c := range taken {
		name := strings.TrimPrefix(c.Path, "status.")
		text := countText(c)
		switch {
		case text == "":
			s.changes = append(s.changes, c)
			continue
		case text == unset, name == "fullyLabeledReplicas" && text == all:
			continue
		case text != replicas:
			flush()
		}
		names, replicas = append(names, strings.TrimSuffix(name, "Replicas")), text
	}
	flush()
}

// unset is the text of a count that was absent and is 0.
const unset = "0 -> 0"

// countText is "old -> new" if both are numbers.
func countText(c diff.Change) string {
	old, ok := number(c.Old)
	new, okNew := number(c.New)
	if !ok || !okNew {
		return ""
	}
	return strconv.FormatInt(old, 10) + " -> " + strconv.FormatInt(new, 10)
}
