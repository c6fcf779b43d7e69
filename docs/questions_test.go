package docs_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/kubestep/kubestep/docs/questions"
	"github.com/kubestep/kubestep/scenarios/reading/localization"
)

// allQuestions are those of the course.
func allQuestions(t *testing.T) []questions.Asked {
	t.Helper()
	all, err := questions.OfCourse()
	if err != nil {
		t.Fatal(err)
	}
	if len(all) < 70 {
		t.Errorf("the course has only %d questions", len(all))
	}
	return all
}

// unavoidable are the questions whose right choice has its words in a sentence before that does not answer it, with the reason.
var unavoidable = map[string]string{
	"reconcile-loop 3":     "it is somebody else who deletes Pods before; whether the controller ever does is the question",
	"garbage-collection 3": "two is how many there are in the beginning; whether they come back is the question",
	"leader-election 2":    "how often a lease is renewed does not say how long it lasts",
}

// TestNoIntroductionAnswersAQuestion looks for the answer of each question in what is read before it: no sentence has the words that
// distinguish the right choice.
func TestNoIntroductionAnswersAQuestion(t *testing.T) {
	for _, a := range allQuestions(t) {
		name := fmt.Sprintf("%s %d", a.Lesson, a.Number)
		found := ""
		for _, sentence := range a.Before {
			if a.Tells(sentence) {
				found = sentence
			}
		}
		switch reason := unavoidable[name]; {
		case found != "" && reason == "":
			t.Errorf("%s: %q is answered before it is asked: %q has words of %q: %q", name, a.Question, found, a.Answer, a.Distinctive(a.Answer))
		case found == "" && reason != "":
			t.Errorf("%s is no exception any more", name)
		}
	}
}

// TestNoTranslationAnswersAQuestion does the same with the questions in other languages.
func TestNoTranslationAnswersAQuestion(t *testing.T) {
	for _, tag := range localization.Tags()[1:] {
		language, err := localization.Open(tag)
		if err != nil {
			t.Fatal(err)
		}
		all, err := questions.In(language)
		if err != nil {
			t.Fatal(err)
		}
		if len(all) < 40 {
			t.Errorf("%s has only %d questions", tag, len(all))
		}
		for _, a := range all {
			for _, sentence := range a.Before {
				if a.Tells(sentence) && unavoidable[fmt.Sprintf("%s %d", a.Lesson, a.Number)] == "" {
					t.Errorf("%s: %s %d: %q is answered before it is asked: %q has words of %q: %q", tag, a.Lesson, a.Number, a.Question,
						sentence, a.Answer, a.Distinctive(a.Answer))
				}
			}
		}
	}
}

// TestEveryLetterIsRight counts the letters of the right choices: nobody passes by always giving the same one.
func TestEveryLetterIsRight(t *testing.T) {
	right, choices, all := map[int]map[string]int{}, map[int]int{}, 0
	total := map[string]int{}
	for _, a := range allQuestions(t) {
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
