//go:build linux

package kubelet

import (
	"context"
	"testing"
	"testing/synctest"
	"time"
)

// TestShutdowns: a shutdown waits for locks, for InhibitDelayMaxSec at most, and a kubelet that crashes gives its locks back.
func TestShutdowns(t *testing.T) {
	for _, test := range []struct {
		name string
		// held does something with a lock that a kubelet has.
		held func(l *Logind, b *bus, crash func())
		// off is how long after the begin nothing delays the shutdown any more; 0 means never.
		off time.Duration
	}{
		{"no kubelet", nil, 1},
		{"a lock that is not given back", func(*Logind, *bus, func()) {}, inhibitDelay},
		{"a lock that is given back", func(_ *Logind, b *bus, _ func()) {
			time.Sleep(2 * time.Second)
			if err := b.ReleaseInhibitLock(1); err != nil {
				t.Error(err)
			}
		}, 2 * time.Second},
		{"a kubelet that crashes", func(_ *Logind, _ *bus, crash func()) {
			time.Sleep(time.Second)
			crash()
		}, time.Second},
		{"a shutdown that is canceled", func(l *Logind, _ *bus, _ func()) {
			time.Sleep(time.Second)
			l.Cancel()
		}, 0},
		{"a node that loses power", func(l *Logind, _ *bus, _ func()) { l.Reset() }, 0},
	} {
		t.Run(test.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				l, began, off := NewLogind(), time.Now(), time.Duration(0)
				ctx, crash := context.WithCancel(t.Context())
				b := l.connect(ctx)
				if test.held != nil {
					if _, err := b.InhibitShutdown(); err != nil {
						t.Fatal(err)
					}
				}
				l.Shutdown(func() { off = max(time.Since(began), 1) })
				l.Shutdown(func() { t.Error("shut down twice") })
				if test.held != nil {
					test.held(l, b, crash)
				}
				time.Sleep(time.Minute)
				if off != test.off {
					t.Errorf("off after %s, want %s", off, test.off)
				}
				if l.IsGoingDown() != (off > 0) {
					t.Errorf("going down: %t", l.IsGoingDown())
				}
				if !<-b.signals {
					t.Error("the kubelet was told of a cancellation first")
				}
				crash()
			})
		})
	}
}
