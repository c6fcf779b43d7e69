package scene_test

import (
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/kubestep/kubestep/scenarios/language/verb"
	"github.com/kubestep/kubestep/scenarios/library"
	"github.com/kubestep/kubestep/scenarios/reading/scene"
	"github.com/kubestep/kubestep/sim/trace"
)

// TestLessonsCanBeFollowed plays the lessons. No film is over before it can be followed, or takes so long that people stop watching. What a
// lesson asks about does not pass in less than a second: from a question to its answer, the first message of each kind that a component
// in the focus sends, and the first one that the proof of the answer looks at, are shown for at least that long.
func TestLessonsCanBeFollowed(t *testing.T) {
	lengths := map[string][2]time.Duration{"create": {time.Minute, 90 * time.Second}, "rolling-update": {80 * time.Second, 140 * time.Second}}
	for _, name := range library.Course {
		lesson, err := library.Load(name)
		if err != nil {
			t.Fatal(err)
		}
		f := followed{T: t, name: name, Scenes: scene.New(recorded(t, name))}
		want, special := lengths[name]
		if !special {
			want = [2]time.Duration{40 * time.Second, 4 * time.Minute}
		}
		if takes := f.Film.Length(); takes < want[0] || takes > want[1] {
			t.Errorf("the film of %s takes %v, not %v to %v", name, takes, want[0], want[1])
		}
		number := 0
		for _, step := range lesson.Spec.Steps {
			if ask, ok := step.Verb.(*verb.Ask); ok {
				f.question(number, ask)
				number++
			}
		}
	}
}

// followed is a lesson that somebody follows.
type followed struct {
	*testing.T
	*scene.Scenes
	name string
}

// question looks at the records from a question to its answer.
func (f *followed) question(number int, ask *verb.Ask) {
	to := f.Rec.Marks().Answers[number]
	from := to
	for from > 1 && f.Rec.Record(from).Ask == nil {
		from--
	}
	focus := f.Direction(from).Programs
	seen := map[sent]bool{}
	proofs := proofsOf(ask.For + "\n" + ask.That)
	story := f.Rec.Marks().Story
	for i, seq := range story {
		if seq <= from || seq >= to {
			continue
		}
		m, ok := sentBy(f.Rec.Record(seq))
		if !ok {
			continue
		}
		at := slices.IndexFunc(proofs, func(p sent) bool { return p.matches(m) })
		if first := slices.Contains(focus, m.actor) && !seen[m]; first || at >= 0 {
			if beat := f.Film.Beat(seq, story[i+1]); beat < time.Second {
				f.Errorf("%s, question %d: %s passes in %v: record %d. Try: show with focus: [%s] before the question",
					f.name, number+1, m, beat, seq, m.actor)
			}
		}
		seen[m] = true
		if at >= 0 {
			proofs = slices.Delete(proofs, at, at+1)
		}
	}
}

// sent is a kind of message. In a proof, what is empty is any.
type sent struct{ actor, verb, resource, subresource string }

func (s sent) String() string { return s.actor + " " + s.verb + " " + s.resource + " " + s.subresource }

// matches reports whether a proof looks at a message.
func (s sent) matches(m sent) bool {
	return s.actor == m.actor && (s.verb == "" || s.verb == m.verb) && (s.resource == "" || s.resource == m.resource && s.subresource == m.subresource)
}

func sentBy(record *trace.Record) (sent, bool) {
	actor, _ := trace.SplitActor(record.Actor)
	switch r := record.Request; {
	case r != nil && r.Resource != "events":
		resource, _, _ := strings.Cut(r.Resource, ".")
		return sent{actor, r.Verb, resource, r.Subresource}, true
	case record.Sync != nil:
		return sent{actor: actor, verb: "sync"}, true
	}
	return sent{}, false
}

// A proof looks at requests or syncs of a component, or at the changes that it makes to a field.
var (
	proof   = regexp.MustCompile(`(requests|syncs)\('([a-z-]+)[@\d]*'(?:, '([\w/-]*)')?(?:, '([a-z]*)/?([a-z]*)')?`)
	changed = regexp.MustCompile(`changes\('([a-z-]+)[@\d]*', '([a-z]+)', '([a-z]+)`)
)

// proofsOf are the messages that a proof looks at.
func proofsOf(text string) (all []sent) {
	add := func(s sent) {
		if !slices.Contains(all, s) {
			all = append(all, s)
		}
	}
	for _, m := range proof.FindAllStringSubmatch(text, -1) {
		if m[1] == "syncs" {
			add(sent{actor: m[2], verb: "sync"})
			continue
		}
		add(sent{m[2], m[3], m[4], m[5]})
	}
	for _, m := range changed.FindAllStringSubmatch(text, -1) {
		of := sent{actor: m[1], resource: m[2]}
		if m[3] == "status" {
			of.subresource = "status"
		}
		add(of)
	}
	return all
}
