// Package running knows the clusters that kubestep serve runs on this machine, by their names.
//
// A folder of the user has a kubeconfig file for each cluster, under its name, as long as the cluster runs. The files say where to ask; the
// clusters themselves say what they are of. So nothing in the folder can be out of date but a whole file: that of a process that was
// killed. Nobody answers at its address with its certificate and its token, and whoever notices removes it.
package running

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/kubestep/kubestep/scenarios/cli/interrupt"
	"github.com/kubestep/kubestep/scenarios/cli/output"
	"github.com/kubestep/kubestep/scenarios/serving/control"
)

// Default is the name of a cluster that nobody names.
const Default = "kubestep"

// nameMax is kind's limit, which leaves room for what is added to the name.
const nameMax = 50

// nameForm is kind's (pkg/cluster/internal/create), but that a name begins and ends with a letter or a digit.
var nameForm = regexp.MustCompile(`^[a-z0-9]([a-z0-9.-]*[a-z0-9])?$`)

// NameProblem is what is wrong with a name; empty if nothing is.
func NameProblem(name string) string {
	switch {
	case len(name) > nameMax:
		return fmt.Sprintf("has %d characters, and a name of a cluster has at most %d", len(name), nameMax)
	case !nameForm.MatchString(name):
		return "is not a name of a cluster: lower case letters, digits, - and ., with a letter or a digit at both ends"
	}
	return ""
}

// ending is that of the files.
const ending = ".kubeconfig"

// folder has the files.
func folder() (string, error) {
	of, err := os.UserCacheDir()
	return filepath.Join(of, "kubestep", "clusters"), err
}

// File is the kubeconfig file of a cluster with a name, whether it runs or not.
func File(name string) (string, error) {
	in, err := folder()
	return filepath.Join(in, name+ending), err
}

// Names are those of the clusters that run, as far as the files say.
func Names() []string {
	in, err := folder()
	if err != nil {
		return nil
	}
	entries, _ := os.ReadDir(in)
	var names []string
	for _, entry := range entries {
		if name, ok := strings.CutSuffix(entry.Name(), ending); ok && NameProblem(name) == "" {
			names = append(names, name)
		}
	}
	return names
}

// Cluster is one that runs.
type Cluster struct {
	Name string
	// Session and State are what it says; Silent means that it has not answered in time.
	Session control.Session
	State   control.State
	Silent  bool
}

// answerMax is how long a cluster may take to answer, in real time.
const answerMax = 2 * time.Second

// ErrGone means that the file of a cluster is left from a process that was killed.
var ErrGone = errors.New("the cluster does not run any more")

// Ask asks the cluster of a kubeconfig file whether it runs. The error is ErrGone, or that of the file.
func Ask(ctx context.Context, file string) (Cluster, error) {
	client, err := control.Connect(file)
	if err != nil {
		return Cluster{}, err
	}
	ctx, cancel := context.WithTimeout(ctx, answerMax)
	defer cancel()
	session, state, err := client.About(ctx)
	switch {
	case errors.Is(err, context.DeadlineExceeded):
		return Cluster{Silent: true, Session: control.Session{URL: client.URL()}}, nil
	case err != nil:
		return Cluster{}, ErrGone
	}
	return Cluster{Name: session.Cluster, Session: session, State: state}, nil
}

// List asks all clusters, and removes the files of those that are gone. They are in the order of their names.
func List(ctx context.Context) []Cluster {
	names := Names()
	found := make([]*Cluster, len(names))
	var all sync.WaitGroup
	for i, name := range names {
		all.Go(func() {
			file, err := File(name)
			if err != nil {
				return
			}
			c, err := Ask(ctx, file)
			switch {
			case errors.Is(err, ErrGone) && ctx.Err() == nil:
				_ = forget(ctx, file)
			case err == nil:
				c.Name = name
				found[i] = &c
			}
		})
	}
	all.Wait()
	var out []Cluster
	for _, c := range found {
		if c != nil {
			out = append(out, *c)
		}
	}
	slices.SortFunc(out, func(a, b Cluster) int { return cmp.Compare(a.Name, b.Name) })
	return out
}

// forget removes the file of a cluster that is gone, unless another one has taken the name in the meantime.
func forget(ctx context.Context, file string) error {
	_, err := output.Take(file, func(path string) bool {
		_, err := Ask(ctx, path)
		return errors.Is(err, ErrGone)
	})
	return err
}

// TakenError means that a cluster with a name runs already.
type TakenError struct {
	Name    string
	Cluster Cluster
}

// Error implements error.
func (e *TakenError) Error() string {
	return fmt.Sprintf("a cluster with the name %s already runs at %s", e.Name, e.Cluster.Session.URL)
}

// Claim takes a name for a cluster that can be asked at once, and keeps it until release or the end of the process. The error is a
// *TakenError if the name is taken.
func Claim(ctx context.Context, name string, config control.Kubeconfig) (release func(), err error) {
	file, err := File(name)
	if err != nil {
		return nil, err
	}
	if err := output.PrivateFolder(filepath.Dir(file)); err != nil {
		return nil, err
	}
	for range claimTries {
		err = output.New(file, config.Text())
		if err == nil {
			remove := func() { _ = os.Remove(file) }
			forget := interrupt.AtExit(remove)
			return func() { forget(); remove() }, nil
		}
		if !errors.Is(err, fs.ErrExist) {
			return nil, err
		}
		other, asked := Ask(ctx, file)
		switch {
		case asked == nil:
			return nil, &TakenError{name, other}
		case errors.Is(asked, ErrGone):
			if err := forget(ctx, file); err != nil {
				return nil, err
			}
		case !errors.Is(asked, fs.ErrNotExist):
			return nil, asked
		}
	}
	return nil, err
}

// claimTries is how often a name that has become free is tried.
const claimTries = 3
