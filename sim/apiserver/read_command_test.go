package apiserver_test

import (
	"fmt"
	"slices"
	"strings"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/watch"

	"github.com/kubestep/kubestep/sim/apiserver"
)

func (w *world) get(c command) (string, error) {
	path, err := c.positional(0)
	if err != nil {
		return "", err
	}
	return w.send(c, w.request(c, "get", path)), nil
}

func (w *world) list(c command) (string, error) {
	path, err := c.positional(0)
	if err != nil {
		return "", err
	}
	req := w.request(c, "list", path)
	req.ListOptions = c.listOptions()
	if c.HasArg("continue") {
		req.ListOptions.Continue = w.page
	}
	return w.send(c, req), nil
}

// namedStream is an open watch.
type namedStream struct {
	name, resource string
	stream         *apiserver.Stream
}

func (w *world) watch(c command) (string, error) {
	name, err := c.positional(0)
	if err != nil {
		return "", err
	}
	path, err := c.positional(1)
	if err != nil {
		return "", err
	}
	req := w.request(c, "watch", path)
	req.ListOptions = c.listOptions()
	stream, err := w.server.OpenWatch(req, nil)
	if err != nil {
		return refusal(c, err), nil
	}
	w.watches = append(w.watches, &namedStream{name, req.Resource.Resource, stream})
	return "", nil
}

func (w *world) events(c command) (string, error) {
	name, err := c.positional(0)
	if err != nil {
		return "", err
	}
	i := slices.IndexFunc(w.watches, func(s *namedStream) bool { return s.name == name })
	if i < 0 {
		return "", fmt.Errorf("no watch %s is open", name)
	}
	var lines strings.Builder
	for {
		event, ok := w.watches[i].stream.Next()
		if !ok {
			break
		}
		fmt.Fprintf(&lines, "%s ", event.Type)
		if status, failed := event.Object.(*metav1.Status); failed && event.Type == watch.Error {
			fmt.Fprintf(&lines, "%d %s: %s\n", status.Code, status.Reason, status.Message)
			continue
		}
		lines.WriteString(one(c, w.watches[i].resource, event.Object))
	}
	if lines.Len() == 0 {
		return "none", nil
	}
	return lines.String(), nil
}

func (w *world) stopWatches() {
	for _, s := range w.watches {
		s.stream.Stop()
	}
}

// written tells what was committed since it was asked last.
func (w *world) written() string {
	commits := w.commits
	w.commits = nil
	if len(commits) == 0 {
		return "none"
	}
	var lines strings.Builder
	for _, commit := range commits {
		fmt.Fprintf(&lines, "%s %s", commit.Op, one(command{}, commit.Resource.Resource, commit.Object))
	}
	return lines.String()
}

func (w *world) compact(c command) (string, error) {
	revision := w.server.Revision()
	if rv := c.number("rv"); rv != nil {
		revision = uint64(*rv)
	}
	w.server.Compact(revision)
	if w.mirror != nil {
		w.mirror.server.Compact(revision)
	}
	return "", nil
}

func (w *world) sleep(c command) (string, error) {
	text, err := c.positional(0)
	if err != nil {
		return "", err
	}
	duration, err := time.ParseDuration(text)
	if err != nil {
		return "", err
	}
	time.Sleep(duration)
	w.server.Expire(time.Now())
	if w.mirror != nil {
		w.mirror.server.Expire(time.Now())
		w.mirror.seen = len(w.mirror.commits)
	}
	next, ok := w.server.NextExpiry()
	if !ok {
		return "nothing is to expire", nil
	}
	return fmt.Sprintf("next expiry in %v", time.Until(next)), nil
}
