package network_test

import (
	"context"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
	corev1client "k8s.io/client-go/kubernetes/typed/core/v1"

	"github.com/kubestep/kubestep/sim"
	"github.com/kubestep/kubestep/sim/network"
	"github.com/kubestep/kubestep/sim/network/fault"
	"github.com/kubestep/kubestep/sim/trace"
)

// fronts are the two ways into the server. A fault must look the same on both.
var fronts = map[string]func(w *world) corev1client.ConfigMapInterface{
	"typed": func(w *world) corev1client.ConfigMapInterface {
		return w.Client("client").CoreV1().ConfigMaps("default")
	},
	"http": func(w *world) corev1client.ConfigMapInterface {
		return kubernetes.NewForConfigOrDie(config(w, "client")).CoreV1().ConfigMaps("default")
	},
}

// onBothFronts plays a simulation in which a rule holds for creations of ConfigMaps.
func onBothFronts(t *testing.T, rule fault.Rule, body func(ctx context.Context, w *world, maps corev1client.ConfigMapInterface)) {
	for name, front := range fronts {
		t.Run(name, func(t *testing.T) {
			play(t, sim.Options{Seed: 1, Request: network.Range{Min: time.Millisecond, Max: time.Millisecond}}, func(w *world) {
				armed := rule
				armed.Match.Resource, armed.Match.Verb = "configmaps", "create"
				w.Arm(&armed, 0)
				within(t, w, func(ctx context.Context) { body(ctx, w, front(w)) })
			})
		})
	}
}

// stored reports whether the store holds a ConfigMap.
func (w *world) stored(name string) bool {
	_, found := w.State.Get(configMaps.GroupResource(), "default", name)
	return found
}

// faults are the records of faults.
func (w *world) faults() []*trace.Record {
	var out []*trace.Record
	for _, r := range w.records {
		if r.Kind == trace.KindFault {
			out = append(out, r)
		}
	}
	return out
}

func TestARefusedRequestWritesNothing(t *testing.T) {
	for _, refusal := range []struct {
		code   int
		reason metav1.StatusReason
		is     func(error) bool
	}{
		{409, metav1.StatusReasonConflict, apierrors.IsConflict},
		{429, metav1.StatusReasonTooManyRequests, apierrors.IsTooManyRequests},
		{500, metav1.StatusReasonInternalError, apierrors.IsInternalError},
		{503, metav1.StatusReasonServiceUnavailable, apierrors.IsServiceUnavailable},
		{504, metav1.StatusReasonTimeout, apierrors.IsTimeout},
	} {
		rule := fault.Rule{Name: "r", Times: 1, Effect: fault.Effect{Code: refusal.code, Reason: string(refusal.reason)}}
		onBothFronts(t, rule, func(ctx context.Context, w *world, maps corev1client.ConfigMapInterface) {
			if _, err := maps.Create(ctx, configMap("a"), metav1.CreateOptions{}); !refusal.is(err) {
				t.Errorf("%s: the client sees %v", refusal.reason, err)
			}
			if w.stored("a") {
				t.Errorf("%s: it was written all the same", refusal.reason)
			}
			if _, err := maps.Create(ctx, configMap("a"), metav1.CreateOptions{}); err != nil {
				t.Errorf("%s: the second one: %v", refusal.reason, err)
			}
			// The request names the fault, which stands before it.
			recorded, refused := w.faults()[0], w.requests("client")[0]
			if refused.FaultSeq != recorded.Seq || refused.Request.Code != refusal.code || recorded.Fault.Rule != "r" {
				t.Errorf("%s: recorded as %+v and %+v", refusal.reason, recorded.Fault, refused.Request)
			}
		})
	}
}

// TestATimeoutAfterTheCommit is the nastiest of all: the client must not conclude that nothing was done.
func TestATimeoutAfterTheCommit(t *testing.T) {
	rule := fault.Rule{Name: "r", Times: 1, Effect: fault.Effect{Code: 504, Reason: "Timeout", AfterCommit: true}}
	onBothFronts(t, rule, func(ctx context.Context, w *world, maps corev1client.ConfigMapInterface) {
		if _, err := maps.Create(ctx, configMap("a"), metav1.CreateOptions{}); !apierrors.IsTimeout(err) {
			t.Errorf("the client sees %v", err)
		}
		if request := w.requests("client")[0].Request; !w.stored("a") || len(request.Writes) != 1 || request.Code != 504 {
			t.Errorf("recorded as %+v", request)
		}
		if _, err := maps.Create(ctx, configMap("a"), metav1.CreateOptions{}); !apierrors.IsAlreadyExists(err) {
			t.Errorf("the second attempt: %v", err)
		}
	})
}

// TestRetryAfter: the caller waits twice and never sees the error, because client-go sends the request again.
func TestRetryAfter(t *testing.T) {
	rule := fault.Rule{Name: "r", Times: 2, Effect: fault.Effect{Code: 429, Reason: "TooManyRequests", RetryAfter: 3 * time.Second}}
	onBothFronts(t, rule, func(ctx context.Context, w *world, maps corev1client.ConfigMapInterface) {
		begin := w.Engine.Now()
		if _, err := maps.Create(ctx, configMap("a"), metav1.CreateOptions{}); err != nil {
			t.Errorf("the client sees %v", err)
		}
		if took := w.Engine.Now() - begin; took < 6*time.Second || took > 7*time.Second || len(w.requests("client")) != 3 {
			t.Errorf("%d requests in %s, want 3 in 6s", len(w.requests("client")), took)
		}
	})
	rule.Times = 0
	onBothFronts(t, rule, func(ctx context.Context, w *world, maps corev1client.ConfigMapInterface) {
		_, err := maps.Create(ctx, configMap("a"), metav1.CreateOptions{})
		if n := len(w.requests("client")); !apierrors.IsTooManyRequests(err) || n != 1+network.RetryMax {
			t.Errorf("after %d requests: %v", n, err)
		}
	})
}

func TestADelayedRequestIsExecutedLater(t *testing.T) {
	rule := fault.Rule{Name: "r", Times: 1, Effect: fault.Effect{DelayMin: 5 * time.Second, DelayMax: 5 * time.Second}}
	onBothFronts(t, rule, func(ctx context.Context, w *world, maps corev1client.ConfigMapInterface) {
		begin := w.Engine.Now()
		if _, err := maps.Create(ctx, configMap("a"), metav1.CreateOptions{}); err != nil {
			t.Error(err)
		}
		if took := w.Engine.Now() - begin; took != 5*time.Second+time.Millisecond {
			t.Errorf("it took %s", took)
		}
	})
}

// TestADelayedResponse: the write is executed at once, and the client learns of it later.
func TestADelayedResponse(t *testing.T) {
	rule := fault.Rule{Name: "r", Times: 1, Effect: fault.Effect{ResponseMin: 2 * time.Second, ResponseMax: 2 * time.Second}}
	onBothFronts(t, rule, func(ctx context.Context, w *world, maps corev1client.ConfigMapInterface) {
		begin := w.Engine.Now()
		if _, err := maps.Create(ctx, configMap("a"), metav1.CreateOptions{}); err != nil {
			t.Error(err)
		}
		answered, executed := w.Engine.Now()-begin, w.requests("client")[0].At-begin
		if answered != 2*time.Second+time.Millisecond || executed != time.Millisecond {
			t.Errorf("executed after %s, answered after %s", executed, answered)
		}
	})
}

// TestAHeldRequestWaitsForTheEndOfItsRule: what is sent later overtakes it.
func TestAHeldRequestWaitsForTheEndOfItsRule(t *testing.T) {
	release := map[string]struct {
		until time.Duration
		end   func(w *world)
	}{
		"by time": {until: time.Minute, end: func(*world) {}},
		"by name": {end: func(w *world) {
			w.Engine.At(time.Minute, "release", func() { w.Release("r", 0) })
		}},
	}
	for name, how := range release {
		rule := fault.Rule{Name: "r", Times: 1, Until: how.until, Effect: fault.Effect{Hold: true}}
		onBothFronts(t, rule, func(ctx context.Context, w *world, maps corev1client.ConfigMapInterface) {
			how.end(w)
			done := make(chan time.Duration)
			w.Go("other", func(ctx context.Context) {
				_, err := w.Client("other").CoreV1().ConfigMaps("default").Create(ctx, configMap("b"), metav1.CreateOptions{})
				if err != nil {
					t.Error(err)
				}
				done <- w.Engine.Now()
			})
			if _, err := maps.Create(ctx, configMap("a"), metav1.CreateOptions{}); err != nil {
				t.Error(err)
			}
			held, other := w.Engine.Now(), <-done
			// Either may be the one that triggers the rule.
			if max(held, other) != time.Minute || min(held, other) > time.Second {
				t.Errorf("%s: executed at %s and %s", name, held, other)
			}
			if released := w.faults()[1]; released.Fault.Effect != "release" || released.Fault.Count != 1 {
				t.Errorf("%s: the release is recorded as %+v", name, released.Fault)
			}
		})
	}
}

// TestAHeldRequestEndsWithTheWorld leaves nobody behind; play would tell.
func TestAHeldRequestEndsWithTheWorld(t *testing.T) {
	play(t, sim.Options{}, func(w *world) {
		w.Arm(&fault.Rule{Name: "r", Effect: fault.Effect{Hold: true}}, 0)
		w.Go("client", func(ctx context.Context) {
			_, err := w.Client("client").CoreV1().ConfigMaps("default").Create(ctx, &corev1.ConfigMap{}, metav1.CreateOptions{})
			if err == nil {
				t.Error("a request that is held for ever succeeds")
			}
		})
		w.Run(time.Minute)
	})
}
