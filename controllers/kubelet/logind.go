//go:build linux

package kubelet

import (
	"context"
	"os"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"

	"k8s.io/klog/v2"
	"k8s.io/kubernetes/pkg/kubelet/nodeshutdown/systemd"
)

// Logind is systemd-logind of a node, in memory: who shuts the node down tells it, and it waits while a kubelet holds a lock.
type Logind struct {
	mu    sync.Mutex
	buses []*bus
	// delay is InhibitDelayMaxSec.
	delay time.Duration
	// shutdown is the one that is being prepared; nil for none.
	shutdown *preparation
	locks    systemd.InhibitLock
}

// inhibitDelay is systemd's default of InhibitDelayMaxSec.
const inhibitDelay = 5 * time.Second

// NewLogind returns that of a node that has booted for the first time.
func NewLogind() *Logind { return &Logind{delay: inhibitDelay} }

// preparation is a shutdown that locks delay.
type preparation struct {
	timer *time.Timer
	// off stops the node.
	off func()
}

// Shutdown prepares a shutdown: it calls off as soon as nobody holds a lock, or after InhibitDelayMaxSec. It does nothing during another
// shutdown.
func (l *Logind) Shutdown(off func()) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.shutdown != nil {
		return
	}
	s := &preparation{off: off}
	l.shutdown = s
	l.tell(true)
	s.timer = time.AfterFunc(l.delay, func() {
		l.mu.Lock()
		defer l.mu.Unlock()
		l.proceed(s)
	})
	l.released()
}

// Cancel ends the preparation of a shutdown, if one is delayed.
func (l *Logind) Cancel() {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.shutdown == nil || l.shutdown.off == nil {
		return
	}
	l.shutdown.timer.Stop()
	l.shutdown = nil
	l.tell(false)
}

// Reset is what happens to it when the node loses power.
func (l *Logind) Reset() {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.shutdown != nil {
		l.shutdown.timer.Stop()
	}
	l.shutdown, l.buses = nil, nil
}

// IsGoingDown reports whether nothing delays the shutdown any more.
func (l *Logind) IsGoingDown() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.shutdown != nil && l.shutdown.off == nil
}

// tell tells kubelets that a shutdown begins, or that it was canceled. The caller holds the lock.
func (l *Logind) tell(begins bool) {
	for _, b := range l.buses {
		select {
		case b.signals <- begins:
		default: // it has not read those before
		}
	}
}

// released continues a shutdown that nobody delays. The caller holds the lock.
func (l *Logind) released() {
	if l.shutdown != nil && !slices.ContainsFunc(l.buses, func(b *bus) bool { return len(b.locks) > 0 }) {
		l.proceed(l.shutdown)
	}
}

// proceed ends the wait of a shutdown. The caller holds the lock.
func (l *Logind) proceed(s *preparation) {
	if l.shutdown != s || s.off == nil {
		return
	}
	s.timer.Stop()
	off := s.off
	s.off = nil
	off()
}

// bus is the connection of a kubelet to logind.
type bus struct {
	logind  *Logind
	signals chan bool
	locks   []systemd.InhibitLock
	// config writes the file of logind's configuration, which it needs no connection for.
	config systemd.DBusCon
}

// signalsMax is how many signals wait for a kubelet.
const signalsMax = 16

// connect connects a kubelet, until ctx ends.
func (l *Logind) connect(ctx context.Context) *bus {
	l.mu.Lock()
	defer l.mu.Unlock()
	b := &bus{logind: l, signals: make(chan bool, signalsMax)}
	l.buses = append(l.buses, b)
	context.AfterFunc(ctx, func() { _ = b.Close() })
	return b
}

// inhibitDelayKey precedes the value in the file that OverrideInhibitDelay writes.
const inhibitDelayKey = "InhibitDelayMaxSec="

// CurrentInhibitDelay implements inhibitor, as do the other methods of bus.
func (b *bus) CurrentInhibitDelay() (time.Duration, error) {
	b.logind.mu.Lock()
	defer b.logind.mu.Unlock()
	return b.logind.delay, nil
}

// InhibitShutdown takes a lock.
func (b *bus) InhibitShutdown() (systemd.InhibitLock, error) {
	b.logind.mu.Lock()
	defer b.logind.mu.Unlock()
	b.logind.locks++
	b.locks = append(b.locks, b.logind.locks)
	return b.logind.locks, nil
}

// ReleaseInhibitLock gives a lock back.
func (b *bus) ReleaseInhibitLock(lock systemd.InhibitLock) error {
	b.logind.mu.Lock()
	defer b.logind.mu.Unlock()
	at := slices.Index(b.locks, lock)
	if at < 0 {
		return os.NewSyscallError("close", syscall.EBADF)
	}
	b.locks = slices.Delete(b.locks, at, at+1)
	b.logind.released()
	return nil
}

// OverrideInhibitDelay writes a file of the node.
func (b *bus) OverrideInhibitDelay(delay time.Duration) error {
	return b.config.OverrideInhibitDelay(delay)
}

// ReloadLogindConf makes logind read that file.
func (b *bus) ReloadLogindConf() error {
	data, err := os.ReadFile("/etc/systemd/logind.conf.d/99-kubelet.conf")
	if err != nil {
		return err
	}
	for line := range strings.Lines(string(data)) {
		value, found := strings.CutPrefix(strings.TrimSpace(line), inhibitDelayKey)
		seconds, err := strconv.Atoi(value)
		if !found || err != nil {
			continue
		}
		b.logind.mu.Lock()
		b.logind.delay = time.Duration(seconds) * time.Second
		b.logind.mu.Unlock()
	}
	return nil
}

// MonitorShutdown returns the signals.
func (b *bus) MonitorShutdown(klog.Logger) (<-chan bool, error) { return b.signals, nil }

// Close ends the connection and gives its locks back.
func (b *bus) Close() error {
	l := b.logind
	l.mu.Lock()
	defer l.mu.Unlock()
	l.buses = slices.DeleteFunc(l.buses, func(other *bus) bool { return other == b })
	l.released()
	return nil
}
