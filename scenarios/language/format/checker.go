package format

import (
	"errors"
	"reflect"
	"slices"
	"time"

	"github.com/kubestep/kubestep/sim/kinds"

	"github.com/kubestep/kubestep/scenarios/language/manifest"

	"gopkg.in/yaml.v3"

	"github.com/kubestep/kubestep/scenarios/language/notation"
	"github.com/kubestep/kubestep/scenarios/language/source"
)

// Checker validates the value of a verb in a step: see Verb.Check. Field names are relative to the verb, as in "target"
// or "set[app]"; "" is the verb itself. Errors that the decoder has found are not reported again.
type Checker struct {
	v    *validator
	path string
	left time.Duration
	// step is its index. A step of a branch comes after all others.
	step int
}

func (c *Checker) at(field string) string {
	if field == "" {
		return c.path
	}
	return source.Join(c.path, field)
}

// Scenario is what the step belongs to.
func (c *Checker) Scenario() *Scenario { return c.v.scenario }

// Fails reports whether the step is meant to fail.
func (c *Checker) Fails() bool { return c.v.fails(c.step) }

// Left is the maximum time from the step to the horizon.
func (c *Checker) Left() time.Duration { return c.left }

// IsWritten reports whether the field is in the file, and HasFailed whether it could not be decoded.
func (c *Checker) IsWritten(field string) bool { return c.v.scenario.Has(c.at(field)) }

// HasFailed reports whether the field, or a part of it, could not be decoded.
func (c *Checker) HasFailed(field string) bool { return c.v.failed[c.at(field)] }

// Has reports whether the field is in the file and could be decoded.
func (c *Checker) Has(field string) bool { return c.v.has(c.at(field)) }

// Fail reports an error, with a suggestion.
func (c *Checker) Fail(field, try, format string, args ...any) {
	c.v.fail(c.at(field), try, format, args...)
}

// FailErr reports the error of a parser, with its hint, if it is one.
func (c *Checker) FailErr(field string, err error) { c.v.failErr(c.at(field), err) }

// Target validates KIND/NAME. is, if given, selects the kinds that the verb supports; otherwise is the error for
// others.
func (c *Checker) Target(field, text, otherwise string, is func(*kinds.Kind) bool) {
	c.v.target(c.at(field), text, otherwise, is)
}

// Selector checks a label selector; an empty one is not a selector.
func (c *Checker) Selector(field, text string) { c.v.selector(c.at(field), text) }

// LabelKey checks the key of a label or an annotation.
func (c *Checker) LabelKey(field, key string) { c.v.labelKey(c.at(field), key) }

// LabelValue checks the value of a label.
func (c *Checker) LabelValue(field, value string) { c.v.labelValue(c.at(field), value) }

// Manifests validates manifests, with errors at their own lines. Objects of named must have a name.
func (c *Checker) Manifests(text string, named bool) {
	c.v.defined(c.step, c.v.manifests(c.path, text, named), c.path)
}

// Level requires one of total and perPod.
func (c *Checker) Level(total, perPod notation.Quantity) { c.v.level(c.path, total, perPod) }

// WaitFor validates what a verb waits for, and its timeout.
func (c *Checker) WaitFor(field, text string, timeout *notation.Duration) {
	if timeout != nil && timeout.Duration == 0 {
		c.Fail("timeout", notation.Text(DefaultWaitTimeout), "must be longer than 0s")
	}
	if text != "" {
		_, err := notation.ParseWait(c.v.scenario.Kinds(), text)
		c.FailErr(field, err)
	}
}

// One requires exactly one of the text fields of the verb's struct that select its target, and returns their names.
func (c *Checker) One(of Verb, noun, try string) (found []string) {
	for _, f := range fieldsOf(reflect.TypeOf(of).Elem()) {
		if f.typ.Kind() == reflect.String && c.IsWritten(f.name) {
			found = append(found, f.name)
		}
	}
	switch {
	case len(found) == 0 && !c.HasFailed(""):
		c.Fail("", try, "%s needs a %s", of.Keyword(), noun)
	case len(found) > 1:
		c.Fail(found[1], "split it into two steps",
			"%s has only one %s, and this one already has %s", of.Keyword(), noun, found[0])
	}
	return found
}

// PatchBody is a patch as a mapping or list, parsed from its text if it is a string; nil if there is none.
func (c *Checker) PatchBody(field string, patch *yaml.Node) *yaml.Node {
	if patch == nil || c.HasFailed(field) {
		return nil
	}
	node, err := source.PatchBody(patch)
	if e, ok := err.(*source.Error); ok {
		at := c.v.scenario.TextPosition(c.at(field), e.Line, 0)
		c.v.report(c.v.scenario.Place(e, c.at(field), at))
		return nil
	}
	return node
}

// target checks KIND/NAME; is, if given, says which kinds the verb works on.
func (v *validator) target(path, text, otherwise string, is func(*kinds.Kind) bool) {
	if text == "" {
		return // reported as missing or empty
	}
	target, err := notation.ParseTarget(v.scenario.Kinds(), text)
	if problem := new(source.Error); errors.As(err, &problem) && is != nil && problem.Try == "deployment/"+text {
		// The hint names a kind that the field takes.
		if takes := kinds.BuiltIn().Which(is); len(takes) > 0 && !slices.ContainsFunc(takes, isDeployment) {
			problem.Try = takes[0].Singular + "/" + text
		}
	}
	if err == nil && is != nil {
		err = target.OneOf(otherwise, is)
	}
	v.failErr(path, err)
}

func isDeployment(k *kinds.Kind) bool { return k.Singular == "deployment" }

// manifests reports errors inside manifests at their own lines. They may be many for one field.
func (v *validator) manifests(path, text string, named bool) []manifest.Manifest {
	if v.failed[path] {
		return nil
	}
	manifests, err := manifest.Read(v.scenario.Kinds(), v.scenario.File, path, text)
	if list, ok := err.(source.ErrorList); ok {
		for _, e := range list {
			v.report(e)
		}
	}
	for _, m := range manifests {
		if named && m.Unstructured.GetName() == "" {
			v.report(v.scenario.Place(source.Problem("create instead of apply",
				"%s has generateName, which apply cannot use", m.GVK.Kind), path, m.Position))
		}
	}
	return manifests
}
