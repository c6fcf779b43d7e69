package cri

import (
	"path"
	"strings"
	"time"

	runtimeapi "k8s.io/cri-api/pkg/apis/runtime/v1"

	"github.com/kubestep/kubestep/sim/engine"
)

// Program is what runs in the containers of an image. The zero value runs until somebody stops it, listens at once on each port, answers
// 200 to each request, and exits at once after SIGTERM.
type Program struct {
	// Image is a glob of the images that it runs in, as path.Match; empty for all.
	Image string
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
	From, Until time.Duration
}

// Pull says how an image is pulled.
type Pull struct {
	Takes Range
	// Fails is the error, such as "not found"; empty for none.
	Fails string
	// Times is how many pulls of a node fail; 0 means all.
	Times int
}

// programOf is the first program for an image. found means that there is one.
func (r *Runtime) programOf(image string) (found Program, ok bool) {
	// A kubelet pulls web:latest for a container with the image web.
	image = strings.TrimSuffix(image, ":latest")
	for _, p := range r.options.Programs {
		if p.Image == "" || strings.TrimSuffix(p.Image, ":latest") == image {
			return p, true
		}
		if ok, err := path.Match(p.Image, image); err == nil && ok {
			return p, true
		}
	}
	return Program{}, false
}

// programIn is the program of a container: that for its image, or one that does what is expected of the container.
func (r *Runtime) programIn(s *sandbox, config *runtimeapi.ContainerConfig) Program {
	p, found := r.programOf(config.GetImage().GetUserSpecifiedImage())
	pod := s.config.GetMetadata()
	if !found && r.options.Ends != nil && r.options.Ends(pod.GetNamespace(), pod.GetName(), config.GetMetadata().GetName()) {
		p.Exits = &Exit{}
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
	return engine.Hash(r.options.Seed, "cri|"+r.options.Node+"|"+key)
}

// respond is what the program of a container answers at a time since its start.
func (p *Program) respond(path string, age time.Duration, otherwise int) Result {
	out := Result{Code: otherwise, Hangs: p.Hangs}
	for _, a := range p.Answers {
		if (a.Path == "" || a.Path == path) && age >= a.From && (a.Until == 0 || age < a.Until) {
			out.Code, out.Body = a.Code, a.Body
		}
	}
	return out
}
