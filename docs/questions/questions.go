// Package questions has the questions of the course, with what a learner has read before each, and finds out which sentences give an
// answer away. The tests of the lessons' texts and of the screens use it.
package questions

import (
	"regexp"
	"slices"
	"strings"
	"unicode"

	"github.com/kubestep/kubestep/scenarios/language/verb"
	"github.com/kubestep/kubestep/scenarios/library"
	"github.com/kubestep/kubestep/scenarios/reading/localization"
)

// Asked is a question of a lesson, with what a learner has read before.
type Asked struct {
	Lesson string
	// Number counts the questions of the lesson, from 1.
	Number int
	*verb.Ask
	// Before are the sentences of the title, the introduction and the notes before the question. What earlier answers explain is
	// not among them: a lesson builds on its own answers.
	Before []string
}

// OfCourse are the questions of the course, in its order.
func OfCourse() ([]Asked, error) { return In(nil) }

// In are the questions of the course in a language, as far as they have a translation.
func In(language *localization.Language) (all []Asked, err error) {
	for _, name := range library.Course {
		lesson, err := library.Load(name)
		if err != nil {
			return nil, err
		}
		if language != nil && language.Lesson(lesson.Spec.Title) == lesson.Spec.Title {
			continue
		}
		before := append([]string{language.Lesson(lesson.Spec.Title)}, sentences(language.Lesson(lesson.Spec.About))...)
		number := 0
		for _, step := range lesson.Spec.Steps {
			switch v := step.Verb.(type) {
			case *verb.Note:
				before = append(before, sentences(language.Lesson(v.Text))...)
			case *verb.Show:
				before = append(before, strings.Join(v.Focus, " "))
			case *verb.Ask:
				number++
				asked := *v
				asked.Question, asked.Answer, asked.Choices = language.Lesson(v.Question), language.Lesson(v.Answer), nil
				for _, choice := range v.Choices {
					asked.Choices = append(asked.Choices, language.Lesson(choice))
				}
				all = append(all, Asked{name, number, &asked, slices.Clone(before)})
			}
		}
	}
	return all, nil
}

var (
	sentenceEnd = regexp.MustCompile(`[.?!](\s+|$)|[。？！]`)
	wordsOf     = regexp.MustCompile(`[\pL\pN][\pL\pN%-]*`)
	suffix      = regexp.MustCompile(`(s|es|ed|d|ing|ies|y)$`)
)

func sentences(text string) []string { return sentenceEnd.Split(text, -1) }

// small are words that say nothing by themselves.
var small = strings.Fields("a an and are as at be by each for from gets has have in is it its keeps of on only or other same some so " +
	"that s not been the their them then there they this to until was when where which will with " +
	"der die das den dem des ein eine einen einem einer eines und oder in im auf an mit von zu zur zum er sie es wird werden sind ist " +
	"bei nach für nicht nur sich hat bis dann so wie als aus um wenn")

// spelled are numbers as words.
var spelled = map[string]string{"zero": "0", "none": "0", "one": "1", "two": "2", "three": "3", "four": "4", "five": "5", "six": "6"}

// stems are the words of a text that say something, without their endings.
func stems(text string) (out []string) {
	for _, word := range wordsOf.FindAllString(strings.ToLower(text), -1) {
		if pairs := pairsOf(word); len(pairs) > 0 {
			out = append(out, pairs...)
			continue
		}
		if number, ok := spelled[word]; ok {
			word = number
		}
		if !slices.Contains(small, word) {
			out = append(out, suffix.ReplaceAllString(word, ""))
		}
	}
	return out
}

// pairsOf are the pairs of characters of a word in Chinese, which has no spaces: most words are two characters long. Others have none.
func pairsOf(word string) (pairs []string) {
	runes := []rune(word)
	for i := 1; i < len(runes); i++ {
		if unicode.Is(unicode.Han, runes[i-1]) && unicode.Is(unicode.Han, runes[i]) {
			pairs = append(pairs, string(runes[i-1:i+1]))
		}
	}
	return pairs
}

// Distinctive are the words of a choice that are neither in the question nor in another choice.
func (a Asked) Distinctive(choice string) []string {
	known := stems(a.Question)
	for _, other := range a.Choices {
		if other != choice {
			known = append(known, stems(other)...)
		}
	}
	return slices.DeleteFunc(stems(choice), func(stem string) bool { return slices.Contains(known, stem) })
}

// names reports whether a sentence has half of the words that distinguish a choice. A number may mean anything: if there are only
// numbers, the sentence also has to be about what the question is about.
func (a Asked) names(choice, sentence string) bool {
	known, words := stems(sentence), a.Distinctive(choice)
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

// Tells reports whether a sentence names the right choice and no wrong one.
func (a Asked) Tells(sentence string) bool {
	wrong := func(choice string) bool { return choice != a.Answer && a.names(choice, sentence) }
	return a.names(a.Answer, sentence) && !slices.ContainsFunc(a.Choices, wrong)
}

var number = regexp.MustCompile(`^[0-9]+$`)
