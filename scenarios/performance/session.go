package main

import (
	"bytes"
	"context"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"github.com/kubestep/kubestep/scenarios/serving/control"
)

// sessionOf is a session that is measured: a Deployment that clients watch while it grows.
type sessionOf struct {
	name string
	// replicas are those of the Deployment. watches are how many watches of Pods there are, and slow how many of them read slowly.
	replicas, watches, slow int
}

// sessions are those of the page.
func sessions() []sessionOf {
	return []sessionOf{
		{name: "1000 replicas", replicas: 1000},
		{name: "1000 replicas, 100 watches, 40 of them slow", replicas: 1000, watches: 100, slow: 40},
		{name: "3000 replicas, 100 watches, 40 of them slow", replicas: 3000, watches: 100, slow: 40},
	}
}

// sessionWorld is the cluster of the sessions.
const sessionWorld = `apiVersion: kubestep.dev/v1alpha1
kind: Scenario
metadata: {name: world}
spec:
  title: A cluster to use
  cluster: {nodes: [{count: 30, pods: 200}]}
`

// served is what a session has cost.
type served struct {
	cost
	virtual time.Duration
	// after is the resident memory when the clients have gone, in bytes; 0 if the system does not say.
	after int64
	// read is how many bytes the clients have read, and ended how many watches the server has ended.
	read, ended int64
}

// session measures a session: from its start until the Deployment is available and the clients have gone. Virtual time passes as fast as
// possible, so the machine's speed does not change what happens.
func (m *meter) session(of sessionOf) (*served, error) {
	file, config := filepath.Join(m.dir, "world.yaml"), filepath.Join(m.dir, "session.kubeconfig")
	if err := os.WriteFile(file, []byte(sessionWorld), 0o644); err != nil {
		return nil, err
	}
	cmd := m.command(false, "serve", file, "--step", "--name", "performance", "--kubeconfig", config)
	var said bytes.Buffer
	cmd.Stdout, cmd.Stderr = &said, &said
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	out, err := use(of, config, cmd)
	if err != nil {
		_ = cmd.Process.Kill()
	} else {
		err = cmd.Process.Signal(os.Interrupt)
	}
	if err = errors.Join(err, cmd.Wait()); err != nil {
		return nil, fmt.Errorf("a session with %s: %w\n%s", of.name, err, said.String())
	}
	out.cost = costOf(cmd.ProcessState)
	return out, nil
}

// use uses a session.
func use(of sessionOf, config string, cmd *exec.Cmd) (*served, error) {
	ctx := context.Background()
	to, err := awaited(config)
	if err != nil {
		return nil, err
	}
	client, err := control.Connect(config)
	if err != nil {
		return nil, err
	}
	w := &watchers{server: to.Server, token: to.Token, roots: x509.NewCertPool()}
	w.roots.AppendCertsFromPEM(to.Authority)
	if err := w.open(ctx, of.watches, of.slow); err != nil {
		return nil, err
	}
	if err := w.deploy(ctx, of.replicas); err != nil {
		return nil, err
	}
	const hour = time.Hour
	state, err := client.Until(ctx, fmt.Sprintf("deployment('web').status.availableReplicas == %d", of.replicas), hour)
	if err == nil && state.Error != "" {
		err = errors.New(state.Error)
	}
	if err != nil {
		return nil, err
	}
	out := &served{virtual: state.At(), read: w.bytes.Load(), ended: w.closed.Load()}
	w.close()
	out.after = settled(cmd.Process.Pid)
	return out, nil
}

// awaited is the kubeconfig file of a session that starts.
func awaited(config string) (to *control.Kubeconfig, err error) {
	for deadline := time.Now().Add(time.Minute); time.Now().Before(deadline); time.Sleep(50 * time.Millisecond) {
		if to, err = control.ReadKubeconfig(config); err == nil {
			return to, nil
		}
	}
	return nil, err
}

// settled is the resident memory of a process when it has had time to give some back, in bytes; 0 if the system does not say.
func settled(pid int) (least int64) {
	const looks = 15
	for i := range looks {
		time.Sleep(time.Second)
		data, err := os.ReadFile(fmt.Sprintf("/proc/%d/statm", pid))
		if err != nil {
			return 0
		}
		var size, resident int64
		if _, err := fmt.Sscan(string(data), &size, &resident); err != nil {
			return 0
		}
		if now := resident * int64(os.Getpagesize()); i == 0 || now < least {
			least = now
		}
	}
	return least
}

var sessionsHead = []string{"session", "CPU time", "virtual time", "read by clients", "watches ended", "peak memory", "memory afterwards"}

// sessions measures the sessions, and tells on progress what it does.
func (m *meter) sessions(progress io.Writer) (string, error) {
	var rows [][]string
	for _, of := range sessions() {
		fmt.Fprintf(progress, "session with %s: ", of.name)
		used, err := m.session(of)
		if err != nil {
			return "", err
		}
		fmt.Fprintln(progress, seconds(used.cpu))
		rows = append(rows, []string{
			of.name, seconds(used.cpu), used.virtual.Round(time.Second).String(), fmt.Sprintf("%d MB", used.read/1_000_000),
			fmt.Sprint(used.ended), megabytes(used.memory), megabytes(used.after),
		})
	}
	var out strings.Builder
	table(&out, sessionsHead, rows)
	return out.String(), nil
}
