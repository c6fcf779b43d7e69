package runner

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net"
	"slices"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	"k8s.io/apimachinery/pkg/labels"

	"github.com/kubestep/kubestep/controllers"
	"github.com/kubestep/kubestep/controllers/kubelet"
	"github.com/kubestep/kubestep/scenarios/language/format"
	"github.com/kubestep/kubestep/scenarios/language/notation"
	"github.com/kubestep/kubestep/scenarios/language/source"
	"github.com/kubestep/kubestep/scenarios/language/verb"
	"github.com/kubestep/kubestep/sim/cluster/cri"
	"github.com/kubestep/kubestep/sim/cluster/node"
	"github.com/kubestep/kubestep/sim/cluster/program"
)

// validateKubelets checks what is said about upstream's kubelet, and what only the stand-in can do.
func validateKubelets(s *format.Scenario) error {
	if !s.RunsKubelets() {
		return nil
	}
	var list source.ErrorList
	add := func(err error) {
		var one *source.Error
		if errors.As(err, &one) {
			list = append(list, one)
		}
	}
	if !controllers.RunsKubelets() {
		add(s.Errorf("spec.kubernetes.kubelet", "make build, or kubelet: "+format.SimpleKubelet, "%v", controllers.ErrNoKubelet))
		return list.Err()
	}
	if !controllers.RunsPlugins() {
		for _, at := range pluginFields(s) {
			add(s.Errorf(at, "a program with Kubernetes 1.37, or leave it out", "%v", controllers.ErrNoPlugins))
		}
	}
	_, err := kubeletConfig(s)
	add(err)
	upstream := map[string]bool{}
	for _, name := range kubeletNodes(s) {
		upstream[name] = true
	}
	for i, step := range s.Spec.Steps {
		if v, ok := step.Verb.(verb.ClockSetter); ok && slices.ContainsFunc(v.SetsClocks(s), func(n string) bool { return upstream[n] }) {
			add(s.Errorf(source.Item("spec.steps", i), "kubelet: "+format.SimpleKubelet,
				"the clocks of nodes with upstream's kubelet cannot be changed: the processes of a simulation share one clock"))
		}
	}
	return list.Err()
}

// startKubelets starts the stand-in of the kubelets, if it runs the Pods.
func (r *run) startKubelets() error {
	if !r.scenario.RunsStandIn() {
		r.kubelets = node.Idle(r.sim)
		return nil
	}
	rules, err := podRules(r.scenario)
	if err != nil {
		return err
	}
	r.kubelets = node.Start(r.sim, rules)
	r.kubelets.Leave(kubeletNodes(r.scenario)...)
	return nil
}

// kubeletNodes are the nodes whose Pods upstream's kubelet runs.
func kubeletNodes(s *format.Scenario) (names []string) {
	for _, n := range s.Spec.Cluster.EachNode() {
		if s.RunsKubelet(n) {
			names = append(names, n.Name)
		}
	}
	return names
}

// kubeletActors are the actors of upstream's kubelets.
func kubeletActors(s *format.Scenario) (actors []string) {
	for _, n := range kubeletNodes(s) {
		actors = append(actors, controllers.KubeletActor(n))
	}
	return actors
}

// kubeletNames are the processes of upstream's kubelets.
func kubeletNames(s *format.Scenario) (names []string) {
	for _, n := range kubeletNodes(s) {
		names = append(names, controllers.KubeletProcess(n))
	}
	return names
}

// kubeletOptions are those of upstream's kubelets, nil if the scenario has the stand-in.
func (r *run) kubeletOptions() (*controllers.KubeletOptions, error) {
	s := r.scenario
	if !s.RunsKubelets() {
		return nil, nil
	}
	config, err := kubeletConfig(s)
	if err != nil {
		return nil, err
	}
	out := &controllers.KubeletOptions{
		Config: config, PodAddress: r.kubelets.NextAddress, CSIDrivers: csiDrivers(s), DRADrivers: draDrivers(s),
	}
	if r.mayRest() {
		out.LooksAtLeases = r.looksAtLeases
	}
	for _, n := range s.Spec.Cluster.EachNode() {
		if !s.RunsKubelet(n) {
			continue
		}
		made := controllers.KubeletNode{
			Name: n.Name, Address: r.kubelets.NextHost(), Labels: n.Labels, Pods: n.Pods, Devices: n.Devices,
		}
		cpu, memory := resource.MustParse(cmp.Or(n.CPU, node.DefaultCPU)), resource.MustParse(cmp.Or(n.Memory, node.DefaultMemory))
		made.CPUs, made.Memory = int(cpu.Value()), uint64(memory.Value())
		if n.Disk != "" {
			disk := resource.MustParse(n.Disk)
			made.Disk = uint64(disk.Value())
		}
		if made.StaticPods, err = staticPods(s, n); err != nil {
			return nil, err
		}
		out.Nodes = append(out.Nodes, made)
	}
	for _, p := range s.Spec.Cluster.Programs {
		made, err := programOf(p)
		if err != nil {
			return nil, s.Errorf(programsPath, "", "%v", err)
		}
		out.Programs = append(out.Programs, made)
		if p.WritesTo != "" {
			kubelet.MeasureVolumes(config)
		}
	}
	return out, nil
}

const kubeletConfigPath = "spec.kubernetes.kubeletConfig"

// KubeletServer is the server of the kubelet of a node; ok is false if none listens there.
func (l Live) KubeletServer(node string) (found controllers.KubeletServer, ok bool) {
	return l.run.control.KubeletServer(node)
}

// HasStandIn reports whether the stand-in of the kubelet has a node, so that no container runs there.
func (l Live) HasStandIn(node string) bool {
	return l.run.scenario.RunsStandIn() && !slices.Contains(kubeletNodes(l.run.scenario), node)
}

// ServeAt makes clients in the bubble that connect to an address reach a server in the bubble.
func (l Live) ServeAt(address string, dial func(context.Context) (net.Conn, error)) {
	l.run.control.ServeAt(address, dial)
}

// Connect connects a part of the control plane to an address of the cluster, HOST:PORT.
func (l Live) Connect(ctx context.Context, address string) (net.Conn, error) {
	return l.run.control.Connect(ctx, address)
}

// kubeletAnswers reports whether upstream's kubelet of a node answers.
func (r *run) kubeletAnswers(node string) bool {
	if r.control == nil {
		return false
	}
	_, ok := r.control.KubeletServer(node)
	return ok
}

// answers reports whether the kubelet of a node answers, of either kind.
func (r *run) answers(node string) bool {
	if slices.Contains(kubeletNodes(r.scenario), node) {
		return r.kubeletAnswers(node)
	}
	return r.kubelets.Answers(node)
}

// measured is what the containers of a Pod use, as the kubelet of its node says.
func (r *run) measured(pod *corev1.Pod) map[string]corev1.ResourceList {
	found, ok := r.control.KubeletServer(pod.Spec.NodeName)
	if !ok {
		return nil
	}
	return found.Runtime.Used(string(pod.UID))
}

// kubeletConfig is the kubelets' configuration with the scenario's fields on top.
func kubeletConfig(s *format.Scenario) (*kubelet.Configuration, error) {
	overrides, err := s.Spec.Kubernetes.KubeletConfigJSON()
	if err != nil {
		return nil, s.Errorf(kubeletConfigPath, "", "%v", err)
	}
	config, err := kubelet.NewConfig(overrides)
	if err == nil {
		return config, nil
	}
	var wrong *kubelet.ConfigError
	if !errors.As(err, &wrong) {
		return nil, s.Errorf(kubeletConfigPath, "", "%v", err)
	}
	at := s.Position(kubeletConfigPath)
	if field := fieldAt(s.Spec.Kubernetes.KubeletConfig, wrong.Field); field != nil {
		at = source.Position{Line: field.Line, Column: field.Column}
	}
	return nil, s.Place(source.Problem(wrong.Try, "%v", err), kubeletConfigPath, at)
}

// never is a time after the end of each run.
const never = 100 * 365 * 24 * time.Hour

const programsPath = "spec.cluster.programs"

// programOf is a program of the scenario for the runtime.
func programOf(p format.Program) (out cri.Program, err error) {
	out = cri.Program{Image: p.Image, Container: p.Container, Hangs: p.Hangs, Listens: since(p.Listens)}
	if p.Labels != "" {
		if out.Labels, err = labels.Parse(p.Labels); err != nil {
			return out, err
		}
	}
	if p.Shell {
		out.Runs = &program.Busybox.Runs
	}
	if p.Exits != nil {
		out.Exits = &cri.Exit{After: spanOf(p.Exits.After), Code: int32(p.Exits.Code)}
	}
	if p.Leaks != "" {
		leaks := resource.MustParse(string(p.Leaks))
		out.Leaks = leaks.Value()
	}
	if p.Writes != "" {
		writes := resource.MustParse(string(p.Writes))
		out.Writes, out.WritesTo = writes.Value(), p.WritesTo
	}
	out.Forks = int64(p.Forks)
	if p.OnTerm != nil {
		out.Term, out.IgnoresTerm = spanOf(p.OnTerm.Exits), p.OnTerm.Exits.Never
	}
	for _, a := range p.Answers {
		out.Answers = append(out.Answers, cri.Answer{Path: a.Path, Code: a.Code, Body: a.Body, From: since(a.From), Until: since(a.Until)})
	}
	for _, l := range p.Prints {
		out.Prints = append(out.Prints, cri.Line{Text: l.Line, At: since(l.At), Every: since(l.Every), Until: since(l.Until)})
	}
	if p.Pull != nil {
		out.Pull = cri.Pull{Fails: p.Pull.Fails, Times: p.Pull.Times, Takes: since(p.Pull.Takes)}
	}
	return out, nil
}

// since is the range of a delay that may be missing.
func since(d *notation.Delay) cri.Range {
	if d == nil {
		return cri.Range{}
	}
	return spanOf(*d)
}

// spanOf is the range of a delay.
func spanOf(d notation.Delay) cri.Range {
	if d.Never {
		return cri.Range{Min: never, Max: never}
	}
	return cri.Range{Min: d.Min, Max: d.Max}
}

// unusedPrograms tells of the programs that ran in no container.
func (r *run) unusedPrograms() (found []string) {
	if r.control == nil {
		return nil
	}
	unused, images := r.control.UnusedPrograms()
	for _, n := range unused {
		p, at := r.scenario.Spec.Cluster.Programs[n], source.Item(programsPath, n)
		of := []string{"the image " + cmp.Or(p.Image, "*")}
		if p.Container != "" {
			of = append(of, "the name "+p.Container)
		}
		if p.Labels != "" {
			of = append(of, "the labels "+p.Labels)
		}
		text := fmt.Sprintf("line %d: %s never ran: there was no container of %s", r.scenario.Position(at).Line, at,
			strings.Join(of, " and "))
		if len(images) > 0 {
			text += "; the images of this run are " + strings.Join(images, ", ")
		}
		found = append(found, text)
	}
	return found
}
