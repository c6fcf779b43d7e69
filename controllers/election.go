package controllers

import (
	"cmp"
	"context"
	"errors"
	"strconv"
	"strings"
	"time"

	coordinationv1 "k8s.io/api/coordination/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/watch"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/kubernetes/scheme"
	typedcorev1 "k8s.io/client-go/kubernetes/typed/core/v1"
	"k8s.io/client-go/tools/leaderelection"
	"k8s.io/client-go/tools/leaderelection/resourcelock"
	"k8s.io/client-go/tools/record"
	componentconfig "k8s.io/component-base/config"
	"k8s.io/klog/v2"
	"k8s.io/utils/ptr"

	"github.com/kubestep/kubestep/sim/apiserver"
	"github.com/kubestep/kubestep/sim/engine"
	"github.com/kubestep/kubestep/sim/trace"
)

// election lets a replica of a component compete for its lease, as upstream's main does. The elector is client-go's: the leader
// renews the lease every retryPeriod; the others check it as often, and take it when it has not changed for leaseDuration. Only
// the leader leads.
type election struct {
	process *process
	// component is the name that the replicas share. It is that of the lease, unless config has another.
	component string
	config    componentconfig.LeaderElectionConfiguration
	after     time.Duration
	// ready runs before the process takes part, and lead while it leads.
	ready, lead func(context.Context) error
	fail        func(error)
}

// run takes part until the process ends. A replica that loses the lease exits, like the real one: it cannot know what
// the new leader does in the meantime. Nothing restarts it.
func (e *election) run(ctx context.Context) error {
	p := e.process
	engine.Sleep(p.ctx, e.after)
	if e.ready != nil {
		if err := e.ready(ctx); err != nil {
			return err
		}
	}
	client := apiserver.NewClientset(&leaseGate{p}, nil)
	broadcaster := record.NewBroadcaster(record.WithContext(ctx))
	defer broadcaster.Shutdown()
	broadcaster.StartRecordingToSink(&typedcorev1.EventSinkImpl{Interface: client.CoreV1().Events("")})
	elector, err := e.elector(ctx, client, broadcaster.NewRecorder(scheme.Scheme, corev1.EventSource{Component: e.component}))
	if err != nil {
		return err
	}
	p.reached(stageElection)
	elector.Run(ctx)
	<-ctx.Done()
	return nil
}

func (e *election) elector(
	ctx context.Context, client kubernetes.Interface, recorder record.EventRecorder,
) (*leaderelection.LeaderElector, error) {
	p, config := e.process, e.config
	// kube-controller-manager's main sets these two, and not the defaults of its configuration.
	name, namespace := cmp.Or(config.ResourceName, e.component), cmp.Or(config.ResourceNamespace, metav1.NamespaceSystem)
	// A real replica adds a random part to its host's name, in case two run on one host.
	lock, err := resourcelock.New(config.ResourceLock, namespace, name, client.CoreV1(), client.CoordinationV1(),
		resourcelock.ResourceLockConfig{Identity: p.identity(), EventRecorder: recorder})
	if err != nil {
		return nil, err
	}
	return leaderelection.NewLeaderElector(leaderelection.LeaderElectionConfig{
		Lock: lock, Name: name,
		LeaseDuration: config.LeaseDuration.Duration, RenewDeadline: config.RenewDeadline.Duration,
		RetryPeriod: config.RetryPeriod.Duration,
		Callbacks: leaderelection.LeaderCallbacks{
			OnStartedLeading: func(ctx context.Context) {
				p.reached(stageLeading)
				if err := e.lead(ctx); err != nil {
					e.fail(err)
				}
			},
			OnStoppedLeading: func() {
				if !p.dead.Load() && p.sim.Context().Err() == nil {
					klog.FromContext(ctx).Error(nil, "leaderelection lost")
					p.exit(trace.ProcessLostLease)
				}
			},
		},
	})
}

// identity is what a process writes into the lease. Upstream adds a random id, so that a restarted process does not
// mistake the lease of its previous run for its own.
func (p *process) identity() string {
	if p.life == 0 {
		return p.name
	}
	return p.name + "_" + strconv.Itoa(p.life+1)
}

// leaseGate sends the requests of an election. They pass the engine like all others, but not the gate of the
// controllers' clients: that one hides leases, because most are heartbeats of nodes.
type leaseGate struct {
	process *process
}

type answer struct {
	object runtime.Object
	err    error
}

// Do implements apiserver.Transport.
func (g *leaseGate) Do(req apiserver.Request) (runtime.Object, error) {
	s := g.process.sim
	req.Actor = g.process.name
	key := strings.Join([]string{req.Actor, req.Verb, req.Path(), req.Namespace, req.Name}, "|")
	answers := make(chan answer, 1)
	scheduled := s.Engine.Schedule(&engine.Event{
		Key: key,
		Due: func() time.Duration { return s.Engine.Now() + s.Travel(key) },
		Run: func() {
			if g.process.dead.Load() {
				answers <- answer{err: errDead}
				return
			}
			s.Receive(req, !g.changesHands(req), func(object runtime.Object, err error) { answers <- answer{object, err} })
		},
		Abandon: func() { answers <- answer{err: errDead} },
	})
	if !scheduled {
		return nil, errDead
	}
	a := <-answers
	return a.object, a.err
}

// changesHands reports whether a request takes the lease. All others come every few seconds, like the heartbeats of
// nodes, and are background as well.
func (g *leaseGate) changesHands(req apiserver.Request) bool {
	lease, ok := req.Object.(*coordinationv1.Lease)
	if !ok || !req.Writes() {
		return false
	}
	stored, found := g.process.sim.State.Get(req.Resource.GroupResource(), req.Namespace, lease.Name)
	return !found || ptr.Deref(stored.(*coordinationv1.Lease).Spec.HolderIdentity, "") != ptr.Deref(lease.Spec.HolderIdentity, "")
}

// Watch implements apiserver.Transport.
func (g *leaseGate) Watch(apiserver.Request) (watch.Interface, error) {
	return nil, errors.New("an election watches nothing")
}
