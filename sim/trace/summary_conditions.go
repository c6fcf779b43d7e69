package trace

import (
	"encoding/json"
	"strings"

	"github.com/kubestep/kubestep/sim/trace/diff"
)

// condition holds the fields of a status condition that are shown.
type condition struct {
	Type, Status, Reason, Message string
}

// conditionChange is the change of a condition. Unchanged fields are empty in both.
type conditionChange struct {
	kind           string
	before, after  condition
	added, removed bool
}

// conditions describes the conditions of a status: Available False -> True (MinimumReplicasAvailable).
func conditions(s *summary) {
	changes := conditionChanges(s)
	messages := ""
	for _, c := range changes {
		text := c.text()
		s.say(text)
		if text == "" && c.after.Message != "" {
			messages = c.kind + " " + valueText(marshal(c.after.Message))
		}
	}
	if len(s.phrases) == 0 {
		s.say(messages)
	}
}

func (c *conditionChange) text() string {
	switch {
	case c.added:
		return c.kind + " " + c.after.Status + inParentheses(c.after.Reason)
	case c.removed:
		return c.kind + " gone"
	case c.after.Status != "":
		return c.kind + " " + c.before.Status + " -> " + c.after.Status + inParentheses(c.after.Reason)
	case c.before.Reason != "" && c.after.Reason != "":
		return c.kind + " (" + c.before.Reason + " -> " + c.after.Reason + ")"
	case c.after.Reason != "":
		return c.kind + " (" + c.after.Reason + ")"
	}
	return ""
}

func inParentheses(text string) string {
	if text == "" {
		return ""
	}
	return " (" + text + ")"
}

// conditionChanges takes all changes of conditions, one for each condition, in order.
func conditionChanges(s *summary) []*conditionChange {
	const field = "status.conditions"
	var found []*conditionChange
	of := func(kind string) *conditionChange {
		for _, c := range found {
			if c.kind == kind {
				return c
			}
		}
		found = append(found, &conditionChange{kind: kind})
		return found[len(found)-1]
	}
	for _, c := range s.take(under(field)) {
		if c.Path == field {
			for _, value := range elements(c.Old, true) {
				old := decodeCondition(value)
				*of(old.Type) = conditionChange{kind: old.Type, before: old, removed: true}
			}
			for _, value := range elements(c.New, true) {
				new := decodeCondition(value)
				*of(new.Type) = conditionChange{kind: new.Type, after: new, added: true}
			}
			continue
		}
		steps, err := diff.ParsePath(c.Path)
		if err != nil || len(steps) < 3 || steps[2].Kind != diff.Element {
			continue
		}
		change := of(steps[2].Value)
		if len(steps) == 3 {
			change.before, change.after = decodeCondition(c.Old), decodeCondition(c.New)
			change.added, change.removed = c.Old == nil, c.New == nil
			continue
		}
		change.before.set(steps[3].Name, c.Old)
		change.after.set(steps[3].Name, c.New)
	}
	return found
}

func decodeCondition(value json.RawMessage) condition {
	var c condition
	if value != nil {
		_ = json.Unmarshal(value, &c)
	}
	return c
}

func (c *condition) set(field string, value json.RawMessage) {
	text, _ := stringValue(value)
	switch field {
	case "status":
		c.Status = text
	case "reason":
		c.Reason = text
	case "message":
		c.Message = text
	}
}

// podReadiness describes the condition of a pod that controllers wait for, and why it has no node. The others lead to these.
func podReadiness(s *summary) {
	var others []*conditionChange
	for _, c := range conditionChanges(s) {
		switch {
		case c.kind == "Ready" && c.after.Status == "True":
			s.say("Ready")
		case c.kind == "Ready" && c.before.Status == "True":
			s.say("not Ready" + inParentheses(c.after.Reason))
		case c.kind == "PodScheduled" && c.after.Status == "False", !strings.HasPrefix(c.kind, "Pod") && !podSteps[c.kind]:
			others = append(others, c)
		}
	}
	for _, c := range others {
		s.say(c.text())
	}
}

// podSteps are the conditions that lead to Ready.
var podSteps = map[string]bool{"Ready": true, "ContainersReady": true, "Initialized": true}
