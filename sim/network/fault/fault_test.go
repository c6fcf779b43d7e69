package fault

import (
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/cockroachdb/datadriven"
)

// TestRules runs the scripts in testdata. Each of their blocks adds rules and shows them requests or watch events:
//
//	rule NAME KEY=VALUE...     adds a rule: actor, verb, resource, sub, ns, name, write, nth, times, from, until,
//	                           chance, and an effect: fail=CODE, reason, hold, delay; watch makes it one of watches, kubelet one
//	                           of Pods that a kubelet is to admit, with node and reject=REASON, and timer one of delayed
//	                           additions
//	request ACTOR VERB RESOURCE[/SUB] NS/NAME [write=N] [at=TIME]
//	watch ACTOR TYPE RESOURCE NS/NAME [at=TIME]
//	pod NODE NS/NAME [at=TIME]
//	timer ACTOR NS/NAME [at=TIME]
//	end NAME                   ends a rule
//	silence                    prints why rules never triggered
//	acts at=TIME               prints the rules that act, with a quiet time of a minute
//	interferes ACTOR since=TIME at=TIME
//	                           prints the rules that may apply to an actor again, or hold something of it
//
// The n-th draw of chance is n tenths.
func TestRules(t *testing.T) {
	datadriven.Walk(t, "testdata", func(t *testing.T, path string) {
		datadriven.RunTest(t, path, func(t *testing.T, d *datadriven.TestData) string {
			draws := 0
			set := &Set{Chance: func(string) float64 {
				draws++
				return float64(draws) / 10
			}}
			var out strings.Builder
			for _, line := range append(strings.Split(d.Input, "\n"), "") {
				if words := strings.Fields(line); len(words) > 0 {
					out.WriteString(command(t, set, words))
				}
			}
			return out.String()
		})
	})
}

func command(t *testing.T, set *Set, words []string) string {
	place := Requests
	switch words[0] {
	case "rule":
		set.Add(parseRule(t, words[1], words[2:]))
		return ""
	case "end":
		return fmt.Sprintf("ended %d\n", len(set.End(words[1])))
	case "silence":
		var out strings.Builder
		for _, rule := range set.Rules() {
			fmt.Fprintf(&out, "%s: %s\n", rule.Name, rule.WhyUnused())
		}
		return out.String()
	case "acts", "interferes":
		return words[0] + " " + strings.Join(words[1:], " ") + ": " + strings.Join(acting(t, set, words), ", ") + "\n"
	case "watch":
		place = Watches
	case "pod":
		place = Kubelets
		words = slices.Concat([]string{"pod", "kubelet", "", "pods"}, words[2:], []string{"node=" + words[1]})
	case "timer":
		place = Timers
		words = slices.Concat([]string{"timer", words[1], "", ""}, words[2:])
	}
	subject, at := parseSubject(t, words[1:])
	triggered := []string{}
	for _, rule := range set.Trigger(place, at, subject) {
		triggered = append(triggered, rule.Name+" ("+rule.Effect.String()+")")
	}
	return strings.Join(words[1:], " ") + ": " + strings.Join(triggered, ", ") + "\n"
}

// acting names the rules that act, or that interfere with an actor.
func acting(t *testing.T, set *Set, words []string) []string {
	times := map[string]time.Duration{}
	for _, word := range words[1:] {
		if key, value, found := strings.Cut(word, "="); found {
			times[key] = duration(t, value)
		}
	}
	var names []string
	for _, rule := range set.Rules() {
		acts := rule.Acts(times["at"], time.Minute)
		if words[0] == "interferes" {
			acts = rule.Interferes(times["at"], func(actor string) bool { return actor == words[1] }, times["since"])
		}
		if acts {
			names = append(names, rule.Name)
		}
	}
	return names
}

func parseSubject(t *testing.T, words []string) (Subject, time.Duration) {
	s := Subject{Actor: words[0], Verb: words[1]}
	s.Resource, s.Subresource, _ = strings.Cut(words[2], "/")
	s.Namespace, s.Name, _ = strings.Cut(words[3], "/")
	var at time.Duration
	for _, word := range words[4:] {
		switch key, value, _ := strings.Cut(word, "="); key {
		case "write":
			s.Write = number(t, value)
		case "node":
			s.Node = value
		case "at":
			at = duration(t, value)
		}
	}
	return s, at
}

func parseRule(t *testing.T, name string, words []string) *Rule {
	r := &Rule{Name: name}
	for _, word := range words {
		key, value, _ := strings.Cut(word, "=")
		texts := map[string]*string{
			"actor": &r.Match.Actor, "verb": &r.Match.Verb, "resource": &r.Match.Resource, "sub": &r.Match.Subresource,
			"ns": &r.Match.Namespace, "name": &r.Match.ObjectName, "reason": &r.Effect.Reason,
			"node": &r.Match.Node, "reject": &r.Effect.Reject,
		}
		numbers := map[string]*int{"write": &r.Match.Write, "nth": &r.Nth, "times": &r.Times, "fail": &r.Effect.Code}
		times := map[string]*time.Duration{"from": &r.From, "until": &r.Until, "delay": &r.Effect.DelayMax}
		switch {
		case texts[key] != nil:
			*texts[key] = value
		case numbers[key] != nil:
			*numbers[key] = number(t, value)
		case times[key] != nil:
			*times[key] = duration(t, value)
		case key == "chance":
			r.Probability, _ = strconv.ParseFloat(value, 64)
		case key == "hold":
			r.Effect.Hold = true
		case key == "watch":
			r.Place = Watches
		case key == "kubelet":
			r.Place = Kubelets
		case key == "timer":
			r.Place = Timers
		default:
			t.Fatalf("unknown word %q", word)
		}
	}
	return r
}

func number(t *testing.T, text string) int {
	n, err := strconv.Atoi(text)
	if err != nil {
		t.Fatal(err)
	}
	return n
}

func duration(t *testing.T, text string) time.Duration {
	d, err := time.ParseDuration(text)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// TestEveryEffectHasWords sets each field of an effect: a trace says what a rule does.
func TestEveryEffectHasWords(t *testing.T) {
	// These go with Crash and DelayMax, and Reason with Code.
	parts := map[string]bool{"Restart": true, "DelayMin": true, "ResponseMin": true, "Reason": true}
	for field := range reflect.TypeFor[Effect]().Fields() {
		var effect Effect
		switch value := reflect.ValueOf(&effect).Elem().FieldByIndex(field.Index); value.Kind() {
		case reflect.Bool:
			value.SetBool(true)
		case reflect.Int, reflect.Int64:
			value.SetInt(int64(time.Minute))
		case reflect.String:
			value.SetString("some")
		default:
			t.Fatalf("the field %s has the type %s", field.Name, value.Type())
		}
		if effect.String() == (Effect{}).String() && !parts[field.Name] {
			t.Errorf("no word of an effect says %s", field.Name)
		}
	}
}
