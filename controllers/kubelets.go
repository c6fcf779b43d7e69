//go:build linux

package controllers

import (
	"context"
	"fmt"
	"net"
	"net/netip"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/util/wait"
	"k8s.io/apiserver/pkg/authentication/user"
	"k8s.io/klog/v2"

	"github.com/kubestep/kubestep/controllers/kubelet"
	"github.com/kubestep/kubestep/controllers/podnetwork"
	"github.com/kubestep/kubestep/sim"
	"github.com/kubestep/kubestep/sim/cluster/cri"
	"github.com/kubestep/kubestep/sim/cluster/program"
	"github.com/kubestep/kubestep/sim/engine"
	"github.com/kubestep/kubestep/sim/toolchain/exact"
	"github.com/kubestep/kubestep/sim/trace"
)

// kubelets are those of a simulation, and what their nodes share: the network, and a folder for files.
type kubelets struct {
	sim      *sim.Simulation
	options  *KubeletOptions
	root     string
	runtimes map[string]*cri.Runtime
	// logind is that of each node.
	logind map[string]*kubelet.Logind
	// manifests are those of each node whose kubelet looks for static Pods.
	manifests map[string]*kubelet.Manifests
	// addresses are those of the nodes, by actor.
	addresses map[string]net.Addr
	// nodes are those of the kubelets, by actor, and servers those of requests to their servers.
	nodes, servers map[string]string
	// running are the kubelets, by node, that have started.
	running map[string]runningKubelet

	// fronts are servers in the bubble, by their addresses.
	fronts map[string]func(context.Context) (net.Conn, error)

	renewals *renewals
	// network connects the Pods.
	network *podnetwork.Network

	// plugins are those of the nodes, by node; none without plugins.
	plugins map[string]*nodePlugins
	// csi is for the volumes of drivers; nil without drivers.
	csi *kubelet.CSI
	// sinks are those of the logs of kubelets that do not log with the logger that they get, by node.
	sinks sync.Map
}

// RunsKubelets reports whether this program runs upstream's kubelet.
func RunsKubelets() bool { return exact.Enabled() }

// addKubelets adds the processes of the kubelets, and returns their names.
func (c *Processes) addKubelets(options Options) ([]string, error) {
	o := options.Kubelets
	if o == nil {
		return nil, nil
	}
	k := &kubelets{
		sim: c.sim, options: o,
		runtimes: map[string]*cri.Runtime{}, logind: map[string]*kubelet.Logind{},
		manifests: map[string]*kubelet.Manifests{}, addresses: map[string]net.Addr{}, running: map[string]runningKubelet{},
		nodes: map[string]string{}, servers: map[string]string{}, network: podnetwork.New(c.sim),
		fronts: map[string]func(context.Context) (net.Conn, error){}, renewals: &renewals{}, plugins: map[string]*nodePlugins{},
	}
	c.kubelets = k
	// It stays when the simulation ends: until their goroutines have ended, the kubelets must not see the machine.
	if _, done := exact.SetMachine(exact.Machine{Dial: k.dial, Addresses: k.addressesOf, File: k.file, Exit: c.kubeletExits}); !done {
		return nil, ErrNoKubelet
	}
	var err error
	if k.root, err = os.MkdirTemp("", "kubestep-"); err != nil {
		return nil, &FolderError{err}
	}
	c.sim.OnEnd(func() { _ = os.RemoveAll(k.root) })
	c.neverStop()
	c.leaveOutRenewals(o.LooksAtLeases)
	c.leadLogs(k, options.Verbosity)
	c.sim.OnEnd(kubelet.SetVersion(KubernetesVersion))
	var names []string
	for _, node := range o.Nodes {
		name, actor := KubeletProcess(node.Name), KubeletActor(node.Name)
		names = append(names, name)
		k.nodes[actor], k.servers[serverOf+actor] = node.Name, node.Name
		k.addresses[actor] = &net.IPNet{IP: net.ParseIP(node.Address), Mask: net.CIDRMask(24, 32)}
		if err := kubelet.WriteMachine(k.on(node.Name, "/"), c.sim.Engine.Date(), node.Memory); err != nil {
			return nil, &FolderError{err}
		}
		if err := k.writeManifests(node); err != nil {
			return nil, &FolderError{err}
		}
		k.runtimes[node.Name] = cri.New(cri.Options{
			Node: node.Name, Seed: c.sim.Seed, Programs: o.Programs, Address: o.PodAddress,
			File:  func(name string) string { return k.on(node.Name, name) },
			Image: program.Image, Pod: func(ns, pod string) *corev1.Pod { return c.pod(node.Name, ns, pod) },
			Dial: k.network.Connect, Lookup: k.network.Lookup,
			Go:      func(f func()) { c.sim.Go("containers@"+node.Name, func(context.Context) { f() }) },
			Context: c.sim.Context(), Ends: func(ns, pod, name string) bool { return c.isInit(node.Name, ns, pod, name) },
			Zero: c.sim.Engine.Zero(), Notice: c.noticed(actor),
		})
		k.logind[node.Name] = kubelet.NewLogind()
		c.addPlugins(k, node)
		k.network.Add(podnetwork.Node{Name: node.Name, Address: node.Address, Runtime: k.runtimes[node.Name]})
		c.processes[name] = newProcess(c.sim, KubeletName, name, "@"+node.Name)
		c.launch[name] = func(p *process) error {
			c.startKubelet(p, k, node, c.sim.Observer.Logger(options.Verbosity))
			return nil
		}
	}
	return names, nil
}

// neverStop replaces the channel that ends nothing by one of the simulation, which ends what waits for it when the simulation does. A
// goroutine that waits for a channel from before the simulation would keep virtual time from passing.
func (c *Processes) neverStop() {
	before := wait.NeverStop
	never := make(chan struct{})
	wait.NeverStop = never
	context.AfterFunc(c.sim.Context(), func() { close(never) })
	c.sim.OnEnd(func() { wait.NeverStop = before })
}

// startKubelet starts the kubelet of a node.
func (c *Processes) startKubelet(p *process, k *kubelets, node KubeletNode, logger klog.Logger) {
	actor := p.actor(KubeletName)
	config := k.options.Config
	c.sim.LimitTo(actor, float64(config.KubeAPIQPS), int(config.KubeAPIBurst))
	c.sim.Identify(actor, &user.DefaultInfo{
		Name: "system:node:" + node.Name, Groups: []string{user.NodesGroup, user.AllAuthenticated},
	}, KubeletName)
	c.sim.Go(actor, func(context.Context) {
		sink := mortalSink{c.tap(k, actor, logger.GetSink()), p}
		k.lead(node.Name, sink)
		ctx := klog.NewContext(p.ctx, logger.WithSink(sink))
		if err := c.runKubelet(ctx, p, k, node); err != nil && p.ctx.Err() == nil {
			c.fail(&Error{Controller: p.name, Problem: "gave up: " + err.Error()})
		}
	})
}

func (c *Processes) runKubelet(ctx context.Context, p *process, k *kubelets, node KubeletNode) error {
	engine.Sleep(p.ctx, 1+time.Duration(engine.Hash(c.sim.Seed(), "start|"+p.name)%uint64(startStagger)))
	client := k.client(p)
	config := k.options.Config.DeepCopy()
	if node.Pods > 0 {
		config.MaxPods = int32(node.Pods)
	}
	made := kubelet.Options{
		Node: node.Name, Address: node.Address, Labels: node.Labels, Taints: node.Taints, CPUs: node.CPUs, Memory: node.Memory,
		Disk: node.Disk, Config: config, Client: client, HeartbeatClient: heartbeatClient{client, p, k.renewals}, EventClient: client,
		Logind: k.logind[node.Name], Manifests: k.manifests[node.Name], Restless: k.options.Restless, Caller: k.caller,
		Reject: func(pod *corev1.Pod) (string, string) { return c.reject(KubeletActor(node.Name), pod) },
	}
	if k.withPlugins(node, &made) {
		made.Runtime = k.runtimes[node.Name].For(p.leave, func() {})
	} else {
		made.Runtime = k.runtimes[node.Name].For(p.leave, kubelet.NoPlugins())
	}
	running, err := kubelet.New(ctx, made)
	if err != nil {
		return err
	}
	c.mu.Lock()
	k.running[node.Name] = runningKubelet{p, running}
	c.mu.Unlock()
	running.Run(ctx)
	return nil
}

// restartSec is how long systemd waits before it starts a kubelet that has exited: RestartSec of the unit in the packages of Kubernetes.
const restartSec = 10 * time.Second

// kubeletExits ends a kubelet that gives up with os.Exit, in place of the process of the simulation. Its log says why, and systemd starts
// it again.
func (c *Processes) kubeletExits(code int) {
	a := c.sim.Activities.Current()
	if a == nil || c.kubelets == nil || c.kubelets.nodes[a.Actor] == "" {
		return
	}
	if c.sim.Context().Err() == nil {
		p := c.processes[KubeletProcess(c.kubelets.nodes[a.Actor])]
		why := fmt.Sprintf("%s with code %d", trace.ProcessExited, code)
		c.sim.Observer.Log(p.name, trace.Log{Level: -1, Message: why}, nil)
		c.sim.Engine.Schedule(&engine.Event{Key: "exit|" + p.name, Run: func() {
			if !p.dead.Load() {
				p.crash(why)
				c.sim.Engine.As(engine.Component).After(restartSec, "restart|"+p.name, func() { c.revive(p.name, 0) })
			}
		}})
	}
	runtime.Goexit()
}

// pod returns a Pod; nil if there is none. A static Pod may start before the API server knows its mirror.
func (c *Processes) pod(node, namespace, name string) *corev1.Pod {
	object, found := c.sim.State.Get(corev1.Resource("pods"), namespace, name)
	if found {
		return object.(*corev1.Pod).DeepCopy()
	}
	c.mu.Lock()
	running := c.kubelets.running[node].kubelet
	c.mu.Unlock()
	if c.kubelets.manifests[node] == nil || running == nil {
		return nil
	}
	return running.Pod(namespace, name)
}

// isInit reports whether a container has to end before the containers of its Pod start: an init container that is no sidecar.
func (c *Processes) isInit(node, namespace, pod, container string) bool {
	of := c.pod(node, namespace, pod)
	return of != nil && slices.ContainsFunc(of.Spec.InitContainers, func(c corev1.Container) bool {
		return c.Name == container && (c.RestartPolicy == nil || *c.RestartPolicy != corev1.ContainerRestartPolicyAlways)
	})
}

// serverOf is what the actor of a request to a kubelet's server begins with, before the actor of the kubelet. It is none of the
// simulation, so such a request draws no random number of the kubelet's.
const serverOf = "server of "

// caller is the node whose kubelet calls; empty if none does. A goroutine of a kubelet ends when the simulation has ended.
func (k *kubelets) caller() (node string) {
	a := k.sim.Activities.Current()
	if a == nil {
		return ""
	}
	if node, isRequest := k.servers[a.Actor]; isRequest {
		return node
	}
	node, isKubelet := k.nodes[a.Actor]
	if isKubelet && k.sim.Context().Err() != nil {
		runtime.Goexit()
	}
	return node
}

// dial connects a kubelet to the programs in its Pods.
func (k *kubelets) dial(ctx context.Context, network, address string) (net.Conn, bool, error) {
	if k.caller() == "" {
		if front := k.fronts[address]; front != nil && k.sim.Activities.Current() != nil {
			conn, err := front(ctx)
			return conn, true, err
		}
		return nil, false, nil
	}
	if network == "unix" {
		conn, err := k.dialPlugin(ctx, address)
		return conn, true, err
	}
	to, err := netip.ParseAddrPort(address)
	if err != nil {
		return nil, true, err
	}
	containers := k.network.Runtime(to.Addr().String())
	if containers == nil {
		return nil, true, fmt.Errorf("dial %s %s: no Pod has this address", network, to)
	}
	conn, err := containers.Connect(ctx, to.Addr().String(), int32(to.Port()))
	if err != nil {
		err = &net.OpError{Op: "dial", Net: network, Addr: net.TCPAddrFromAddrPort(to), Err: os.NewSyscallError("connect", err)}
	}
	return conn, true, err
}

// addressesOf are the addresses of the caller's node.
func (k *kubelets) addressesOf() ([]net.Addr, bool) {
	a := k.sim.Activities.Current()
	if a == nil || k.addresses[a.Actor] == nil {
		return nil, false
	}
	return []net.Addr{k.addresses[a.Actor]}, true
}

// file is where a file of the caller's node is. A device is empty.
func (k *kubelets) file(name string) string {
	if !filepath.IsAbs(name) || strings.HasPrefix(name, k.root) {
		return name
	}
	node := k.caller()
	if node == "" {
		return name
	}
	if strings.HasPrefix(name, "/dev/") {
		return os.DevNull
	}
	kubelet.BeforeReading(name, k.on(node, name), k.runtimes[node])
	return k.on(node, name)
}

// on is where a file of a node is on the machine.
func (k *kubelets) on(node, name string) string { return filepath.Join(k.root, node, name) }
