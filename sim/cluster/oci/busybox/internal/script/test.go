package script

import (
	"io/fs"
	"regexp"
	"strconv"

	"mvdan.cc/sh/v3/expand"
	"mvdan.cc/sh/v3/syntax"
)

func fsMode(bits uint64) fs.FileMode { return fs.FileMode(bits) }

// testWords is the command test, which is also called [.
func testWords(s *shell, words []string) int {
	if words[0] == "[" {
		if words[len(words)-1] != "]" {
			s.complain("[: missing ]")
			return codeUsage
		}
		words = words[:len(words)-1]
	}
	t := &tester{shell: s, words: words[1:]}
	if len(t.words) == 0 {
		return 1
	}
	value := t.or()
	if t.failed || len(t.words) > 0 {
		s.complain("%v", errTest)
		return codeUsage
	}
	return code(value)
}

// tester reads the words of a test from the left.
type tester struct {
	shell  *shell
	words  []string
	failed bool
}

func (t *tester) peek(n int) string {
	if n < len(t.words) {
		return t.words[n]
	}
	return ""
}

func (t *tester) or() bool {
	value := t.and()
	for t.peek(0) == "-o" {
		t.words = t.words[1:]
		other := t.and()
		value = value || other
	}
	return value
}

func (t *tester) and() bool {
	value := t.primary()
	for t.peek(0) == "-a" {
		t.words = t.words[1:]
		other := t.primary()
		value = value && other
	}
	return value
}

func (t *tester) primary() bool {
	switch n := len(t.words); {
	case n == 0:
		t.failed = true
		return false
	case n >= 3 && isBinary(t.words[1]):
		value := t.shell.compare(t.words[0], t.words[1], t.words[2], false)
		t.words = t.words[3:]
		return value
	case n >= 2 && t.words[0] == "!":
		t.words = t.words[1:]
		return !t.primary()
	case n >= 3 && t.words[0] == "(":
		t.words = t.words[1:]
		value := t.or()
		if t.failed = t.failed || t.peek(0) != ")"; !t.failed {
			t.words = t.words[1:]
		}
		return value
	case n >= 2 && len(t.words[0]) == 2 && t.words[0][0] == '-':
		value := t.shell.unary(t.words[0], t.words[1])
		t.words = t.words[2:]
		return value
	}
	value := t.words[0] != ""
	t.words = t.words[1:]
	return value
}

var binary = map[string]bool{
	"=": true, "==": true, "!=": true, "<": true, ">": true, "-eq": true, "-ne": true, "-lt": true, "-le": true, "-gt": true, "-ge": true,
}

func isBinary(word string) bool { return binary[word] }

// compare compares two words. globs means that the second one of = and != is a pattern.
func (s *shell) compare(a, operator, b string, globs bool) bool {
	same := a == b
	if globs {
		same = matches(b, a)
	}
	switch operator {
	case "=", "==":
		return same
	case "!=":
		return !same
	case "<":
		return a < b
	case ">":
		return a > b
	case "=~":
		matched, err := regexp.MatchString(b, a)
		return err == nil && matched
	}
	x, errX := strconv.Atoi(a)
	y, errY := strconv.Atoi(b)
	if errX != nil || errY != nil {
		s.complain("%s: bad number", map[bool]string{true: a, false: b}[errX != nil])
		return false
	}
	switch operator {
	case "-eq":
		return x == y
	case "-ne":
		return x != y
	case "-lt":
		return x < y
	case "-le":
		return x <= y
	case "-gt":
		return x > y
	}
	return x >= y
}

// unary tests one word.
func (s *shell) unary(operator, word string) bool {
	switch operator {
	case "-n":
		return word != ""
	case "-z":
		return word == ""
	}
	info, err := s.process.Container.Files.Stat(s.process.Path(word))
	if err != nil {
		return false
	}
	switch operator {
	case "-f":
		return info.Mode().IsRegular()
	case "-d":
		return info.IsDir()
	case "-s":
		return info.Size() > 0
	case "-x":
		return info.Mode().Perm()&0o111 != 0
	case "-h", "-L":
		_, err := s.process.Container.Files.Readlink(s.process.Path(word))
		return err == nil
	}
	return operator == "-e" || operator == "-r" || operator == "-w"
}

// extendedTest is [[ ]].
func (s *shell) extendedTest(e syntax.TestExpr) bool {
	word := func(e syntax.TestExpr, asPattern bool) string {
		w, ok := e.(*syntax.Word)
		if !ok {
			return ""
		}
		expanded, err := expand.Literal(s.config(), w)
		if asPattern {
			expanded, err = expand.Pattern(s.config(), w)
		}
		s.fails(err)
		return expanded
	}
	switch t := e.(type) {
	case *syntax.Word:
		return word(t, false) != ""
	case *syntax.ParenTest:
		return s.extendedTest(t.X)
	case *syntax.UnaryTest:
		if t.Op == syntax.TsNot {
			return !s.extendedTest(t.X)
		}
		return s.unary(t.Op.String(), word(t.X, false))
	case *syntax.BinaryTest:
		switch t.Op {
		case syntax.AndTest:
			return s.extendedTest(t.X) && s.extendedTest(t.Y)
		case syntax.OrTest:
			return s.extendedTest(t.X) || s.extendedTest(t.Y)
		}
		globs := t.Op == syntax.TsMatch || t.Op == syntax.TsMatchShort || t.Op == syntax.TsNoMatch
		return s.compare(word(t.X, false), t.Op.String(), word(t.Y, globs), globs)
	}
	return false
}
