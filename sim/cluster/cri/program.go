package cri

import (
	"slices"
	"strconv"
	"time"

	"k8s.io/apimachinery/pkg/labels"
	runtimeapi "k8s.io/cri-api/pkg/apis/runtime/v1"

	"github.com/kubestep/kubestep/sim/cluster/glob"
	"github.com/kubestep/kubestep/sim/cluster/oci"
	"github.com/kubestep/kubestep/sim/engine"
)

// Program is what runs in containers. The zero value runs until somebody stops it, listens at once on each port, answers 200 to each
// request, and exits at once after SIGTERM.
type Program struct {
	// Image is a glob of the images that it runs in, and Container one of the names of the containers; empty for all. Labels selects the
	// Pods; nil for all.
	Image, Container string
	Labels           labels.Selector
	// Runs is a program in Go, which runs what the container says, in place of what follows; nil without one.
	Runs *oci.Image
	// Listens is how long after its start it accepts connections.
	Listens Range
	// Exits is how it ends by itself; nil for never.
	Exits *Exit
	// Leaks is by how many bytes its memory grows each second. The kernel ends a container that reaches its limit.
	Leaks int64
	// Writes is how many bytes it writes each second, in the folder WritesTo of its container; empty for one that is in no volume.
	Writes   int64
	WritesTo string
	// Forks is how many processes it starts each second. They end with it.
	Forks int64
	// Term is how long it runs after SIGTERM. IgnoresTerm makes it wait for SIGKILL.
	Term        Range
	IgnoresTerm bool
	// Hangs makes it accept connections and commands without ever answering one.
	Hangs bool
	// Answers are what it answers, the last that applies; the answer to a request that none applies to is 200.
	Answers []Answer
	// Prints is what it prints.
	Prints []Line
	// Pull is how its image is pulled.
	Pull Pull
}

// Range is a duration, or one that is drawn from the seed between two.
type Range struct{ Min, Max time.Duration }

// Fixed is the range of one duration.
func Fixed(d time.Duration) Range { return Range{d, d} }

// Exit is the end of a program.
type Exit struct {
	// After is the time from the start of its container.
	After Range
	Code  int32
}

// Answer is what a program answers to a request of HTTP, to the check of gRPC's health, or to a command, from a time on.
type Answer struct {
	// Path is that of the request; empty for all. A command's path is its first word.
	Path string
	// Code is the status of HTTP, or the exit code of a command.
	Code int
	// Body is the body of the response, or what the command prints.
	Body string
	// From and Until are times since the start of the container. Until 0 means until the end.
	From, Until Range
}

// Pull says how an image is pulled.
type Pull struct {
	Takes Range
	// Fails is the error, such as "not found"; empty for none.
	Fails string
	// Times is how many pulls of a node fail; 0 means all.
	Times int
}

// isFor reports whether the program is for an image, in some container.
func (p *Program) isFor(image string) bool { return p.Image == "" || glob.MatchesImage(p.Image, image) }

// isIn reports whether the program is for a container of a Pod.
func (p *Program) isIn(container string, pod labels.Set) bool {
	return (p.Container == "" || glob.Matches(p.Container, container)) && (p.Labels == nil || p.Labels.Matches(pod))
}

// programOf is the first program for a container.
func (r *Runtime) programOf(s *sandbox, config *runtimeapi.ContainerConfig) (found Program, ok bool) {
	image, name := config.GetImage().GetUserSpecifiedImage(), config.GetMetadata().GetName()
	for n := range r.options.Programs {
		p := &r.options.Programs[n]
		if p.isFor(image) && p.isIn(name, s.config.GetLabels()) {
			r.used[n] = true
			return *p, true
		}
	}
	return Program{}, false
}

// Unused are the programs, by their indexes, that ran in no container so far, and whose images nobody pulled.
func (r *Runtime) Unused() (indexes []int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for n := range r.options.Programs {
		if !r.used[n] {
			indexes = append(indexes, n)
		}
	}
	return indexes
}

// pullOf is how an image is pulled: the first program for all of its containers says it.
func (r *Runtime) pullOf(image string) Pull {
	for n := range r.options.Programs {
		if p := &r.options.Programs[n]; p.isFor(image) && p.Container == "" && p.Labels == nil {
			r.used[n] = true
			return p.Pull
		}
	}
	return Pull{}
}

// programIn is the program of a container: that of the scenario, or one that does what is expected of the container.
func (r *Runtime) programIn(s *sandbox, config *runtimeapi.ContainerConfig) (p Program, found bool) {
	p, found = r.programOf(s, config)
	pod := s.config.GetMetadata()
	if !found && r.options.Ends != nil && r.options.Ends(pod.GetNamespace(), pod.GetName(), config.GetMetadata().GetName()) {
		p.Exits = &Exit{}
	}
	return p, found
}

// drawn is the program with one duration in place of each range.
func (r *Runtime) drawn(p Program, key string) Program {
	one := func(of *Range, name string, n int) {
		d := r.draw(name+"|"+key+"|"+strconv.Itoa(n), *of)
		*of = Fixed(d)
	}
	p.Answers = slices.Clone(p.Answers)
	for n := range p.Answers {
		one(&p.Answers[n].From, "from", n)
		one(&p.Answers[n].Until, "until", n)
	}
	p.Prints = slices.Clone(p.Prints)
	for n := range p.Prints {
		one(&p.Prints[n].At, "prints", n)
		one(&p.Prints[n].Every, "prints every", n)
		one(&p.Prints[n].Until, "prints until", n)
	}
	return p
}

// draw is a duration in a range; the seed and the key decide it.
func (r *Runtime) draw(key string, of Range) time.Duration {
	if of.Max <= of.Min {
		return of.Min
	}
	width := uint64(of.Max-of.Min) + 1
	return of.Min + time.Duration(r.number(key)%width)
}

// number is one that the seed and the key decide.
func (r *Runtime) number(key string) uint64 {
	return engine.Hash(r.options.Seed(), "cri|"+r.options.Node+"|"+key)
}

// respond is what the program of a container answers at a time since its start. Its times are drawn.
func (p *Program) respond(path string, age time.Duration, otherwise int) Result {
	out := Result{Code: otherwise, Hangs: p.Hangs}
	for _, a := range p.Answers {
		if (a.Path == "" || a.Path == path) && age >= a.From.Min && (a.Until.Min == 0 || age < a.Until.Min) {
			out.Code, out.Body = a.Code, a.Body
		}
	}
	return out
}
