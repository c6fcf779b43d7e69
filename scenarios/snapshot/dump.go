package snapshot

import (
	"bufio"
	"io"
	"regexp"
	"time"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/kubestep/kubestep/scenarios/format"
	"github.com/kubestep/kubestep/sim/input"
	"github.com/kubestep/kubestep/sim/kinds"
)

// Dump is what a dump contains, unchanged.
type Dump struct {
	// Objects are those of built-in kinds, without Events and Leases.
	Objects []*unstructured.Unstructured
	// At is the last time that the objects mention: about when the dump was taken.
	At time.Time
}

// Read reads a dump. Errors are *Error.
func Read(in io.Reader) (*Dump, error) {
	all, err := read(in)
	if err != nil {
		return nil, err
	}
	d := &Dump{At: newest(all)}
	for _, o := range all {
		if kinds.BuiltIn().Serving(o.GroupVersionKind()) != nil && o.GetKind() != "Event" && o.GetKind() != "Lease" {
			d.Objects = append(d.Objects, o)
		}
	}
	if len(d.Objects) == 0 {
		return nil, &Error{"contains no objects of built-in kinds", howToDump}
	}
	return d, nil
}

// Has reports whether a dump has objects of a resource.
func (d *Dump) Has(resource schema.GroupResource) bool {
	for _, o := range d.Objects {
		if kinds.BuiltIn().Serving(o.GroupVersionKind()).GroupResource() == resource {
			return true
		}
	}
	return false
}

// anyObject finds an API version in YAML or JSON, and anyScenario that of a scenario.
var (
	anyObject   = regexp.MustCompile(`(?m)^\s*"?apiVersion"?:`)
	anyScenario = regexp.MustCompile(`(?m)^\s*"?apiVersion"?:\s*"?` + regexp.QuoteMeta(format.APIVersion))
)

// IsDump reports whether a file has objects of Kubernetes instead of a scenario.
func IsDump(path string) bool {
	file, err := input.Open(path)
	if err != nil {
		return false
	}
	defer file.Close()
	const head = 64 << 10
	begin, _ := bufio.NewReaderSize(file, head).Peek(head)
	return anyObject.Match(begin) && !anyScenario.Match(begin)
}
