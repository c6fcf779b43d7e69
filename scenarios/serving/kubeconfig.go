package serving

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/kubestep/kubestep/scenarios/cli"
	"github.com/kubestep/kubestep/scenarios/cli/interrupt"
	"github.com/kubestep/kubestep/scenarios/cli/output"
	"github.com/kubestep/kubestep/scenarios/serving/control"
	"github.com/kubestep/kubestep/scenarios/serving/internal/merging"
	"github.com/kubestep/kubestep/scenarios/serving/internal/running"
	"github.com/kubestep/kubestep/sim/trace/file/input"
)

// KubeconfigFile is the file in which clients find a cluster, in the current folder, unless its user names another one.
func KubeconfigFile(cluster string) string {
	if cluster == running.Default {
		return "kubestep.kubeconfig"
	}
	return "kubestep-" + cluster + ".kubeconfig"
}

// kubeconfig is what clients of a cluster at an address need, with a new token.
func (a *address) kubeconfig(cluster string) control.Kubeconfig {
	return control.Kubeconfig{Name: control.ContextOf(cluster), Server: a.url, Authority: a.authority, Token: newToken()}
}

// claim takes the name of the cluster. A machine without a folder for names runs it anyway; it is not listed then.
func (o *Options) claim(streams cli.Streams, config control.Kubeconfig) (release func(), err error) {
	release, err = running.Claim(context.Background(), o.Name, config)
	var taken *running.TakenError
	switch {
	case errors.As(err, &taken):
		return nil, cli.Usage(taken.Error(), "--name with another name; kubestep get clusters lists those that run")
	case err != nil:
		fmt.Fprintf(streams.Stderr(), "Warning: kubestep get clusters does not list this cluster: %v\n", err)
		return func() {}, nil
	}
	return release, nil
}

// checkKubeconfig refuses a file in which clients find a cluster that runs.
func (o *Options) checkKubeconfig() error {
	if input.What(o.Kubeconfig) != input.Session {
		return nil
	}
	other, err := running.Ask(context.Background(), o.Kubeconfig)
	if err != nil {
		return nil // nobody needs it any more, or it is another's, which nobody replaces
	}
	problem := fmt.Sprintf("is the kubeconfig of a cluster that runs at %s", other.Session.URL)
	return &output.ExistsError{Path: o.Kubeconfig, Problem: problem, Try: "--name dev, or another --kubeconfig"}
}

// tellClients writes the files in which clients find the cluster. remove removes it from them.
func (o *Options) tellClients(streams cli.Streams, config control.Kubeconfig) (remove func(), err error) {
	own, err := o.writeKubeconfig(config.Text())
	if err != nil {
		return nil, err
	}
	merged, err := o.merge(streams, config)
	if err != nil {
		own()
		return nil, err
	}
	return func() { merged(); own() }, nil
}

// writeKubeconfig writes a file that only its owner can read. It replaces what an earlier session has left behind, and
// nothing else. remove removes it, unless somebody else has written it since.
func (o *Options) writeKubeconfig(text []byte) (remove func(), err error) {
	err = output.WriteFile(o.Kubeconfig, text, output.Rights{
		Own: []input.Kind{input.Session}, Whole: isWritten, Private: true, Instead: "another --kubeconfig",
	})
	if err != nil {
		return nil, err
	}
	return alsoAtExit(func() { removeKubeconfig(o.Kubeconfig, text) }), nil
}

// alsoAtExit has a function called at the end of the process, unless it was called before.
func alsoAtExit(do func()) func() {
	forget := interrupt.AtExit(do)
	return func() { forget(); do() }
}

// isWritten reports whether a file is what kubestep serve wrote, byte for byte.
func isWritten(file *input.File) bool {
	text, err := io.ReadAll(file)
	if err != nil {
		return false
	}
	k, err := control.ParseKubeconfig(text)
	return err == nil && bytes.Equal(k.Text(), text)
}

func removeKubeconfig(path string, config []byte) {
	file, err := input.Open(path, input.Session)
	if err != nil {
		return
	}
	defer file.Close()
	if now, err := io.ReadAll(file); err == nil && bytes.Equal(now, config) {
		_ = os.Remove(path)
	}
}

// merge adds the cluster to the kubeconfig file of kubectl, if it is to be there. unmerge removes it again.
func (o *Options) merge(streams cli.Streams, config control.Kubeconfig) (unmerge func(), err error) {
	if !o.Merge {
		return func() {}, nil
	}
	path, err := merging.Path()
	if err != nil {
		return nil, cli.Usage("--merge-kubeconfig: "+err.Error(), "to set the variable KUBECONFIG")
	}
	merged, err := merging.Add(path, config)
	if err != nil {
		return nil, mergeError(err)
	}
	return alsoAtExit(func() {
		if err := merged.Remove(); err != nil {
			fmt.Fprintf(streams.Stderr(), "Warning: the context %s is still in %s: %v\n", config.Name, path, err)
		}
	}), nil
}

// mergeError is an error about the kubeconfig file of kubectl as a wrong use of the command line.
func mergeError(err error) error {
	var wrong *merging.Error
	var exists *output.ExistsError
	var lost *output.Error
	switch {
	case errors.As(err, &wrong):
		return cli.Usage(wrong.Error(), wrong.Try)
	case errors.As(err, &exists), errors.As(err, &lost):
		return err
	}
	return cli.InputError(err)
}

// selects is the command that makes kubectl use the cluster.
func (o *Options) selects(about control.Session) string {
	if o.Merge {
		return "kubectl config use-context " + control.ContextOf(o.Name) + "   # the current context until the session ends"
	}
	return about.Export()
}

func absolute(path string) string {
	if full, err := filepath.Abs(path); err == nil {
		return full
	}
	return path
}
