package notation

import "strings"

// FaultDraw is the range of a fault: the seed draws each field independently. One seed is one point of the range, and a
// sweep over many seeds tries many (docs/explanation/exploration.md).
type FaultDraw struct {
	At    *Delay `yaml:"at,omitempty" example:"0s..30s" doc:"In spec.faults: virtual time from which the rule is active."`
	Nth   *Range `yaml:"nth,omitempty" example:"1..12" doc:"Number of the first match that the rule applies to."`
	Write *Range `yaml:"write,omitempty" example:"1..4" doc:"With a request: its position among the writes of its sync."`
	Times *Range `yaml:"times,omitempty" example:"1..16" doc:"Number of matches that the rule applies to."`
	For   *Delay `yaml:"for,omitempty" example:"1s..2m" doc:"Virtual time from the start of the rule until it ends."`
	Stale *Delay `yaml:"stale,omitempty" example:"5s..1m" doc:"With a list request: the age of the state that is the answer."`
	// Restart is restartAfter of the rule.
	Restart *Delay   `yaml:"restartAfter,omitempty" example:"1s..30s" doc:"With crash: delay until the process starts again."`
	Actor   []string `yaml:"actor,omitempty" example:"[deployment-controller, replicaset-controller]" doc:"Actor that sends or watches: one of these."`
}

// String lists what is drawn: nth 1..12, actor one of a, b.
func (d *FaultDraw) String() string {
	var words []string
	if d.At != nil {
		words = append(words, "at "+d.At.String())
	}
	if d.Nth != nil {
		words = append(words, "nth "+d.Nth.String())
	}
	if d.Write != nil {
		words = append(words, "write "+d.Write.String())
	}
	if d.Times != nil {
		words = append(words, "times "+d.Times.String())
	}
	for _, span := range d.Spans() {
		if span.Of != nil {
			words = append(words, span.Name+" "+span.Of.String())
		}
	}
	if len(d.Actor) > 0 {
		words = append(words, "actor "+strings.Join(d.Actor, " or "))
	}
	return strings.Join(words, ", ")
}

// Span is a range of times, and the field that has it.
type Span struct {
	Name string
	Of   *Delay
}

// Spans are the ranges of times, of which most faults draw none.
func (d *FaultDraw) Spans() []Span {
	return []Span{{"for", d.For}, {"stale", d.Stale}, {"restartAfter", d.Restart}}
}

// StepDraw is what the seed draws of a step.
type StepDraw struct {
	At       *Delay `yaml:"at,omitempty" example:"20s..40s" doc:"Virtual time since the start at which the step happens."`
	After    *Delay `yaml:"after,omitempty" example:"0s..5s" doc:"Virtual time since the end of the previous step."`
	Replicas *Range `yaml:"replicas,omitempty" example:"2..9" doc:"With scale: replicas, in place of the given number. With create and apply: spec.replicas of the objects that have a Pod template."`
	Count    *Range `yaml:"count,omitempty" example:"1..3" doc:"With pod: count."`
	// Restart is restartAfter of the verb.
	Restart *Delay `yaml:"restartAfter,omitempty" example:"1s..30s" doc:"With controller: restartAfter."`
}

// String lists what is drawn: drawn: at 20s..40s, replicas 2..9.
func (d *StepDraw) String() string {
	var words []string
	for _, span := range []Span{{"at", d.At}, {"after", d.After}, {RestartAfter, d.Restart}} {
		if span.Of != nil {
			words = append(words, span.Name+" "+span.Of.String())
		}
	}
	for _, size := range d.Sizes() {
		if size.Of != nil {
			words = append(words, size.Name+" "+size.Of.String())
		}
	}
	return "drawn: " + strings.Join(words, ", ")
}

// RestartAfter is the name of the field that StepDraw.Restart draws.
const RestartAfter = "restartAfter"

// Size is a range of numbers, and the field that has it.
type Size struct {
	Name string
	Of   *Range
}

// Sizes are the ranges of numbers.
func (d *StepDraw) Sizes() []Size { return []Size{{"replicas", d.Replicas}, {"count", d.Count}} }

// PoolDraw is what the seed draws of a group of nodes.
type PoolDraw struct {
	Count *Range `yaml:"count" required:"true" example:"1..5" doc:"Number of nodes, in place of count."`
}
