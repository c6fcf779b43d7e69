package trace

import (
	"bytes"
	"encoding/json"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/kubestep/kubestep/sim/trace/diff"
)

// Summarize describes a write briefly: which fields an update changed, with old and new values, and the important
// fields of a new object. Fields of the status are named without that prefix and counts without "Replicas": ready 3 ->
// 4 is status.readyReplicas, while spec.replicas 3 -> 4 is the desired state.
func Summarize(w *Write) string {
	resource := resourceName(w.Resource)
	switch w.Op {
	case OpCreate:
		describe, known := creations[resource]
		if !known {
			describe = workload
		}
		return describe(newObject(w.New))
	case OpDelete:
		return "removed"
	}
	s := &summary{changes: expand(w.Changes)}
	for _, part := range wordings[resource] {
		part(s)
	}
	for _, part := range wordingsOfAll {
		part(s)
	}
	if len(s.phrases) == 0 {
		return minor(w.Changes)
	}
	return strings.Join(s.phrases, ", ")
}

// expand splits the change of a whole map of labels or annotations into one for each of its keys.
func expand(changes []diff.Change) []diff.Change {
	expanded := make([]diff.Change, 0, len(changes))
	for _, c := range changes {
		if c.Path != "metadata.annotations" && c.Path != "metadata.labels" {
			expanded = append(expanded, c)
			continue
		}
		var old, new map[string]json.RawMessage
		_, _ = json.Unmarshal(c.Old, &old), json.Unmarshal(c.New, &new)
		keys := slices.AppendSeq(slices.Collect(maps.Keys(old)), maps.Keys(new))
		slices.Sort(keys)
		for _, key := range slices.Compact(keys) {
			path := diff.Step{Kind: diff.Field, Name: key}.Append([]byte(c.Path))
			expanded = append(expanded, diff.Change{Path: string(path), Old: old[key], New: new[key]})
		}
	}
	return expanded
}

// summary is a write whose description is being built: the functions of a resource take changes from it and add
// phrases.
type summary struct {
	changes []diff.Change
	phrases []string
}

// wordings are the functions that describe a resource's own fields. They are called before wordingsOfAll.
var wordings = map[string][]func(*summary){
	"pods":                     {deletion, podPhase, containerStates, podReadiness, drop(isPodNoise)},
	"nodes":                    {taints, drop(isNodeNoise)},
	"replicasets":              {drop(isRolloutAnnotation)},
	"deployments":              {images},
	"jobs":                     {drop(isJobNoise)},
	"horizontalpodautoscalers": {drop(isAutoscalerNoise)},
	"endpointslices":           {endpoints},
	"leases":                   {leadership},
}

var wordingsOfAll = []func(*summary){
	deletion, owners, finalizers, revision, images, specFields, counts, conditions, remaining,
}

func (s *summary) say(phrase string) {
	if phrase != "" {
		s.phrases = append(s.phrases, phrase)
	}
}

// take removes and returns the changes that match. What is left moves to the front of the list, which expand has made.
func (s *summary) take(match func(path string) bool) []diff.Change {
	var taken []diff.Change
	left := s.changes[:0]
	for _, c := range s.changes {
		if match(c.Path) {
			taken = append(taken, c)
		} else {
			left = append(left, c)
		}
	}
	s.changes = left
	return taken
}

// field takes the change of one field; ok says that there is one.
func (s *summary) field(path string) (c diff.Change, ok bool) {
	taken := s.take(func(p string) bool { return p == path })
	if len(taken) == 0 {
		return diff.Change{}, false
	}
	return taken[0], true
}

// under matches a path and everything below it.
func under(prefix string) func(string) bool {
	return func(path string) bool {
		rest, ok := strings.CutPrefix(path, prefix)
		return ok && (rest == "" || rest[0] == '.' || rest[0] == '[')
	}
}

// drop returns a function that removes noise.
func drop(noise func(path string) bool) func(*summary) {
	return func(s *summary) { s.take(noise) }
}

// isNoise matches changes that accompany a more specific one.
func isNoise(path string) bool {
	for _, suffix := range []string{
		"observedGeneration", "lastUpdateTime", "lastTransitionTime", "lastProbeTime", "lastHeartbeatTime",
		"=*]", `["kubectl.kubernetes.io/last-applied-configuration"]`,
	} {
		if strings.HasSuffix(path, suffix) {
			return true
		}
	}
	return path == "metadata.generation" || path == "metadata.deletionGracePeriodSeconds"
}

// remaining describes the changes that no other function took, by their whole path.
func remaining(s *summary) {
	for _, c := range s.changes {
		if !isNoise(c.Path) {
			s.say(changed(strings.TrimPrefix(c.Path, "status."), c))
		}
	}
}

// minor describes an update of noise only, such as a heartbeat: the names of the fields without their paths.
func minor(changes []diff.Change) string {
	var said []string
	for _, c := range changes {
		if c.Old == nil && string(c.New) == "0" {
			continue
		}
		name := c.Path[strings.LastIndexByte(c.Path, '.')+1:]
		if text := changed(name, c); !slices.Contains(said, text) && !strings.HasSuffix(name, "]") {
			said = append(said, text)
		}
	}
	return strings.Join(said[:min(len(said), 2)], ", ")
}

// changed describes a change as "name old -> new".
func changed(name string, c diff.Change) string {
	old, new := valueText(c.Old), valueText(c.New)
	switch {
	case c.Old == nil:
		return name + " " + new
	case c.New == nil:
		return name + " " + old + " -> none"
	}
	return name + " " + old + " -> " + new
}

// longValue is where a printed value is cut; the JSON lines have all of it.
const longValue = 48

// valueText formats a value: strings without quotes, nothing as none, long ones cut.
func valueText(value json.RawMessage) string {
	if value == nil || string(value) == "null" {
		return "none"
	}
	if text, ok := stringValue(value); ok {
		if strings.ContainsAny(text, " \n\t,") || text == "" {
			text = strconv.Quote(text)
		}
		return cut(text, longValue)
	}
	if value[0] == '[' || value[0] == '{' {
		var compact bytes.Buffer
		if json.Compact(&compact, value) == nil {
			return cut(compact.String(), longValue)
		}
	}
	return cut(string(value), longValue)
}

func stringValue(value json.RawMessage) (string, bool) {
	var text string
	if len(value) == 0 || value[0] != '"' || json.Unmarshal(value, &text) != nil {
		return "", false
	}
	return text, true
}

// number reads a count; a missing one is 0.
func number(value json.RawMessage) (n int64, ok bool) {
	if value == nil {
		return 0, true
	}
	n, err := strconv.ParseInt(string(value), 10, 64)
	return n, err == nil
}
