package docs

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/kubestep/kubestep/scenarios/language/verb"
	"github.com/kubestep/kubestep/scenarios/library"
)

// asked is a question of a lesson, with what a learner has read before.
type asked struct {
	lesson string
	number int
	*verb.Ask
	// before are the sentences of the title, the introduction and the notes before the question. What earlier answers explain is
	// not among them: a lesson builds on its own answers.
	before []string
}

// questions are those of the course, in its order.
func questions(t *testing.T) (all []asked) {
	t.Helper()
	for _, name := range library.Course {
		lesson, err := library.Load(name)
		if err != nil {
			t.Fatal(err)
		}
		before := append([]string{lesson.Spec.Title}, sentences(lesson.Spec.About)...)
		number := 0
		for _, step := range lesson.Spec.Steps {
			switch v := step.Verb.(type) {
			case *verb.Note:
				before = append(before, sentences(v.Text)...)
			case *verb.Show:
				before = append(before, strings.Join(v.Focus, " "))
			case *verb.Ask:
				number++
				all = append(all, asked{name, number, v, slices.Clone(before)})
			}
		}
	}
	if len(all) < 70 {
		t.Errorf("the course has only %d questions", len(all))
	}
	return all
}

var (
	sentenceEnd = regexp.MustCompile(`[.?!](\s+|$)`)
	wordsOf     = regexp.MustCompile(`[\pL\pN][\pL\pN%-]*`)
	suffix      = regexp.MustCompile(`(s|es|ed|d|ing|ies|y)$`)
)

func sentences(text string) []string { return sentenceEnd.Split(text, -1) }

// small are words that say nothing by themselves.
var small = strings.Fields("a an and are as at be by each for from gets has have in is it its keeps of on only or other same some so that " +
	"s not been the their them then there they this to until was when where which will with")

// spelled are numbers as words.
var spelled = map[string]string{"zero": "0", "none": "0", "one": "1", "two": "2", "three": "3", "four": "4", "five": "5", "six": "6"}

// stems are the words of a text that say something, without their endings.
func stems(text string) (out []string) {
	for _, word := range wordsOf.FindAllString(strings.ToLower(text), -1) {
		if number, ok := spelled[word]; ok {
			word = number
		}
		if !slices.Contains(small, word) {
			out = append(out, suffix.ReplaceAllString(word, ""))
		}
	}
	return out
}

// distinctive are the words of a choice that are neither in the question nor in another choice.
func (a asked) distinctive(choice string) []string {
	known := stems(a.Question)
	for _, other := range a.Choices {
		if other != choice {
			known = append(known, stems(other)...)
		}
	}
	return slices.DeleteFunc(stems(choice), func(stem string) bool { return slices.Contains(known, stem) })
}

// unavoidable are the questions whose right choice has its words in a sentence before that does not answer it, with the reason.
var unavoidable = map[string]string{
	"reconcile-loop 3":     "it is somebody else who deletes Pods before; whether the controller ever does is the question",
	"garbage-collection 3": "two is how many there are in the beginning; whether they come back is the question",
	"leader-election 2":    "how often a lease is renewed does not say how long it lasts",
	"disruption-budget 2":  "all three is what somebody asks for; how many the API server deletes is the question",
}

// names reports whether a sentence has half of the words that distinguish a choice. A number may mean anything: if there are only
// numbers, the sentence also has to be about what the question is about.
func (a asked) names(choice, sentence string) bool {
	known, words := stems(sentence), a.distinctive(choice)
	in := func(words []string) (count int) {
		for _, word := range words {
			if slices.Contains(known, word) {
				count++
			}
		}
		return count
	}
	if len(words) == 0 || 2*in(words) < len(words) {
		return false
	}
	counted := !slices.ContainsFunc(words, func(word string) bool { return !number.MatchString(word) })
	return !counted || in(stems(a.Question)) >= 2
}

// tells reports whether a sentence names the right choice and no wrong one.
func (a asked) tells(sentence string) bool {
	wrong := func(choice string) bool { return choice != a.Answer && a.names(choice, sentence) }
	return a.names(a.Answer, sentence) && !slices.ContainsFunc(a.Choices, wrong)
}

var number = regexp.MustCompile(`^[0-9]+$`)

// TestNoIntroductionAnswersAQuestion looks for the answer of each question in what is read before it: no sentence has the words that
// distinguish the right choice.
func TestNoIntroductionAnswersAQuestion(t *testing.T) {
	for _, a := range questions(t) {
		name := fmt.Sprintf("%s %d", a.lesson, a.number)
		found := ""
		for _, sentence := range a.before {
			if a.tells(sentence) {
				found = sentence
			}
		}
		switch reason := unavoidable[name]; {
		case found != "" && reason == "":
			t.Errorf("%s: %q is answered before it is asked: %q has words of %q: %q", name, a.Question, found, a.Answer, a.distinctive(a.Answer))
		case found == "" && reason != "":
			t.Errorf("%s is no exception any more", name)
		}
	}
}

// TestEveryLetterIsRight counts the letters of the right choices: nobody passes by always giving the same one.
func TestEveryLetterIsRight(t *testing.T) {
	right, choices, all := map[int]map[string]int{}, map[int]int{}, 0
	total := map[string]int{}
	for _, a := range questions(t) {
		n := len(a.Choices)
		at := slices.Index(a.Choices, a.Answer)
		if at < 0 {
			continue // any text is an answer
		}
		if right[n] == nil {
			right[n] = map[string]int{}
		}
		letter := string(rune('a' + at))
		right[n][letter]++
		total[letter]++
		choices[n]++
		all++
	}
	most := map[int]int{2: 65, 3: 40, 4: 35}
	for n, letters := range right {
		for letter, count := range letters {
			if count*100 > most[n]*choices[n] {
				t.Errorf("%s is right in %d of %d questions with %d choices", letter, count, choices[n], n)
			}
		}
	}
	for letter, count := range total {
		if count*100 > 40*all {
			t.Errorf("whoever always answers %s is right in %d of %d questions", letter, count, all)
		}
	}
}
