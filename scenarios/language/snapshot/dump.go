package snapshot

import (
	"errors"
	"io"
	"path/filepath"
	"regexp"
	"strings"
	"time"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/validation"

	"github.com/kubestep/kubestep/scenarios/language/definition"
	"github.com/kubestep/kubestep/scenarios/language/format"
	"github.com/kubestep/kubestep/scenarios/language/source"
	"github.com/kubestep/kubestep/scenarios/language/verb"
	"github.com/kubestep/kubestep/sim/kinds"
	"github.com/kubestep/kubestep/sim/trace/file/input"
)

// Dump is what a dump contains, unchanged.
type Dump struct {
	// Objects are those of the kinds in Kinds, without Events and Leases.
	Objects []*unstructured.Unstructured
	// Kinds are Kubernetes' own kinds, and those that definitions in the dump define.
	Kinds *kinds.Table
	// At is the last time that the objects mention: about when the dump was taken.
	At time.Time
	// File is the name of the file, for hints.
	File string

	events events
}

// Read reads a dump. Errors are *Error.
func Read(in io.Reader) (*Dump, error) {
	all, err := read(in)
	if err != nil {
		return nil, err
	}
	d := &Dump{At: newest(all), Kinds: definition.TableOf(all), events: events{}}
	for _, o := range all {
		if o.GetKind() == "Event" {
			d.events.add(o)
		}
		if d.Kinds.Serving(o.GroupVersionKind()) == nil || o.GetKind() == "Event" || o.GetKind() == "Lease" {
			continue
		}
		if kinds.BuiltIn().Serving(o.GroupVersionKind()) != nil {
			if _, err := known(o); err != nil {
				return nil, malformed(o, err)
			}
		}
		d.Objects = append(d.Objects, o)
	}
	if len(d.Objects) == 0 {
		return nil, &Error{"contains no objects of built-in kinds, or of kinds that it defines", howToDump}
	}
	return d, nil
}

// Has reports whether a dump has objects of a resource.
func (d *Dump) Has(resource schema.GroupResource) bool {
	for _, o := range d.Objects {
		if d.Resource(o) == resource {
			return true
		}
	}
	return false
}

// Resource is the resource of an object of the dump.
func (d *Dump) Resource(o *unstructured.Unstructured) schema.GroupResource {
	return d.Kinds.Serving(o.GroupVersionKind()).GroupResource()
}

// IsDump reports whether a file has objects of Kubernetes instead of a scenario.
func IsDump(path string) bool {
	return input.What(path) == input.Dump
}

// Looks reports whether a text begins as a dump does.
func Looks(begin []byte) bool { return input.Of(begin) == input.Dump }

// Load reads the scenario that a dump makes. Errors are source.ErrorList.
func Load(path string) (*format.Scenario, *Report, error) {
	file, err := input.Open(path, input.Dump)
	if err != nil {
		return nil, nil, source.ErrorList{{File: path, Message: err.Error()}}
	}
	defer file.Close()
	return Parse(path, file)
}

// Parse reads the scenario that the text of a dump makes; path is its name.
func Parse(path string, in io.Reader) (*format.Scenario, *Report, error) {
	text, report, err := Scenario(in, Options{Name: ScenarioName(path), Source: filepath.Base(path)})
	var problem *Error
	switch {
	case errors.As(err, &problem):
		return nil, nil, source.ErrorList{{File: path, Message: problem.Message, Try: problem.Try}}
	case err != nil:
		return nil, nil, err
	}
	scenario, err := format.Parse(made+path, text, verb.All)
	return scenario, report, err
}

// made precedes the name of a dump in errors of the scenario that it makes: their lines are those of the scenario.
const made = "the scenario of "

var notInLabel = regexp.MustCompile(`[^a-z0-9]+`)

// ScenarioName is the name of the scenario that a file makes, a DNS-1123 label: "Dump 2.yaml" is dump-2.
func ScenarioName(path string) string {
	return Label(strings.TrimSuffix(filepath.Base(path), filepath.Ext(path)))
}

// Label makes a DNS-1123 label of a text.
func Label(text string) string {
	text = strings.Trim(notInLabel.ReplaceAllString(strings.ToLower(text), "-"), "-")
	text = strings.Trim(text[:min(len(text), validation.DNS1123LabelMaxLength)], "-")
	if text == "" {
		return "incident"
	}
	return text
}
