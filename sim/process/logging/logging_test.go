package logging

import (
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/go-logr/logr"
	"github.com/go-logr/logr/funcr"
	"k8s.io/klog/v2"
)

// lines is a sink that keeps what is logged.
type lines struct {
	mu  sync.Mutex
	all []string
}

func (l *lines) sink() logr.LogSink {
	return funcr.New(func(prefix, args string) {
		l.mu.Lock()
		defer l.mu.Unlock()
		l.all = append(l.all, strings.TrimSpace(prefix+" "+args))
	}, funcr.Options{}).GetSink()
}

// TestTo changes where klog's logger writes while loggers are in use.
func TestTo(t *testing.T) {
	var first, second lines
	restore := To(first.sink())
	defer restore()
	klog.InfoS("one")
	named := klog.LoggerWithName(klog.Background(), "named")
	func() {
		defer To(second.sink())()
		klog.InfoS("two")
		named.Info("three")
		func() {
			defer To(nil)()
			klog.InfoS("nowhere")
			klog.LoggerWithName(klog.Background(), "nobody").WithValues("a", 1).Error(nil, "nowhere")
		}()
	}()
	named.Info("four")
	for _, l := range []struct {
		name      string
		got, want []string
	}{
		{"first", first.all, []string{`"level"=0 "msg"="one"`, `"level"=0 "msg"="four" "logger"="named"`}},
		{"second", second.all, []string{`"level"=0 "msg"="two"`, `"level"=0 "msg"="three" "logger"="named"`}},
	} {
		if !slices.Equal(l.got, l.want) {
			t.Errorf("the %s sink has %q, want %q", l.name, l.got, l.want)
		}
	}
}

// TestLoggingWhileItChanges is for the race detector.
func TestLoggingWhileItChanges(t *testing.T) {
	var l lines
	defer To(l.sink())()
	done := make(chan struct{})
	go func() {
		defer close(done)
		for range 1000 {
			klog.InfoS("line")
		}
	}()
	for range 1000 {
		To(nil)()
	}
	<-done
}
