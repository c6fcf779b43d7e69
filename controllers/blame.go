package controllers

import (
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"
)

// Whose fault is it? A controller that came from outside has an author, who needs to know that the fault is in this code, and
// where. What goes wrong in Kubernetes' own controllers, which are unmodified, is a fault of kubestep's.

// Panicked is the error of an author's controller that panicked: where its code did, and what helps.
func Panicked(controller, value string, stack []byte) *Error {
	e := &Error{Controller: controller, Problem: "panicked: " + value, Stack: stack, At: Culprit(string(stack))}
	e.Try = controller + " is your controller: look at the stack below"
	if e.At != "" {
		e.Try = controller + " is your controller: correct the code there; the whole stack is below"
	}
	return e
}

// GaveUp is the error of an author's controller that returned an error.
func GaveUp(controller string, err error) *Error {
	return &Error{
		Controller: controller, Problem: "gave up: " + err.Error(),
		Try: controller + " is your controller: it may return an error only if its process shall end",
	}
}

// Busy is what helps if a simulation is frozen and all goroutines that hold it up are those of authors' controllers; "" if they
// are not.
func Busy(actors []string, custom map[string]Custom) string {
	if len(actors) == 0 || slices.ContainsFunc(actors, func(actor string) bool { return custom[actor] == nil }) {
		return ""
	}
	names := slices.Sorted(maps.Keys(custom))
	names = slices.DeleteFunc(names, func(name string) bool { return !slices.Contains(actors, name) })
	return fmt.Sprintf("look at the code of %s: it may wait for timers, channels and requests, and not run or wait for anything else "+
		"without an end", strings.Join(names, ", "))
}

// Culprit is the first frame of a stack that is neither Go's nor Kubernetes' nor kubestep's: function, file and line. Frames in
// the module cache count if there is no other. It is "" if there is none.
func Culprit(stack string) string {
	_, behind, found := strings.Cut(stack, "\npanic(")
	if found {
		stack = behind
	}
	lines := strings.Split(stack, "\n")
	second := ""
	for i := 0; i+1 < len(lines); i++ {
		arguments := strings.LastIndexByte(lines[i], '(')
		if arguments < 0 || !strings.HasPrefix(lines[i+1], "\t") || strings.HasPrefix(lines[i], "created by ") {
			continue
		}
		function := lines[i][:arguments]
		file, _, _ := strings.Cut(strings.TrimSpace(lines[i+1]), " +0x")
		if !isForeign(function, file) {
			continue
		}
		frame := function + " (" + path.Base(file) + ")"
		if !strings.Contains(file, "/pkg/mod/") {
			return frame
		}
		if second == "" {
			second = frame
		}
	}
	return second
}

// own are the packages whose frames say nothing about an author's code.
var own = []string{
	"k8s.io/", "sigs.k8s.io/", "github.com/kubestep/kubestep/sim/", "github.com/kubestep/kubestep/scenarios/",
	"github.com/kubestep/kubestep/controllers.", "github.com/kubestep/kubestep/controllers/external",
}

// isForeign reports whether a function is one of an author. The path of a package of Go's has no domain.
func isForeign(function, file string) bool {
	first, _, _ := strings.Cut(function, "/")
	packageName := function[strings.LastIndexByte(function, '/')+1:]
	packageName, _, _ = strings.Cut(packageName, ".")
	folder := function[:strings.LastIndexByte(function, '/')+1] + packageName
	switch {
	case strings.Contains(file, "_test.go:"):
		return true
	case !strings.Contains(first, ".") || first == function && packageName != "main":
		return path.IsAbs(file) && !strings.Contains(file, "/src/"+folder+"/") && !strings.Contains(file, "/src/runtime/")
	}
	return !slices.ContainsFunc(own, func(prefix string) bool { return strings.HasPrefix(function, prefix) })
}
