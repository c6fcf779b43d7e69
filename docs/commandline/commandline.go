// Package commandline runs scripts of the command line: what a user types, what is printed, and the exit code. Its tests are the
// packages below it, divided by what is tried, each with a folder testdata of scripts in the format of txtar:
//
//   - onerun: one run, what it prints, and questions about it.
//   - comparisons: two runs, of two seeds, with faults and without, of two versions of Kubernetes.
//   - manyruns: a scenario that runs many times, to find seeds that fail.
//   - smaller: the search for a smaller scenario that fails in the same way.
//   - files: what is read and written, limits, and mistakes.
//   - sessions: commands that stay, shells, and the plugin of kubectl.
//
// A script may call kubestep, and programs that stand for other builds of it; all of them are the test binary. The commands that a script
// has beside those of testscript are exits, hashes, grows, awaits and misstates.
package commandline

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/wait"
	utilfeature "k8s.io/apiserver/pkg/util/feature"

	"github.com/kubestep/kubestep/controllers"
	"github.com/kubestep/kubestep/sim/toolchain/exact"
	"github.com/kubestep/kubestep/sim/toolchain/versions"
	"github.com/kubestep/kubestep/tui/command"
)

// Main is TestMain of a package with scripts. It makes the test binary be kubestep when a script calls it, and kubectl's plugin under the
// names that kubectl looks for.
func Main(m *testing.M) {
	testscript.Main(m, map[string]func(){
		"kubestep": with(nil), "kubectl-step": with(nil), "kubectl_complete-step": with(nil),
		"kubestep-with":         kubestepWith,
		"kubestep-" + minor(-1): standIn("v"+minor(-1)+".4", nil),
		"kubestep-" + minor(+1): standIn("v"+minor(+1)+".0", map[string]controllers.Custom{"restarter": restartPods}),
		"kubestep-" + minor(-2): standIn("v"+minor(-3)+".9", nil),
	})
}

// minor is the minor version of Kubernetes that is so many after the main one, such as 1.38 or, with -1, 1.36.
func minor(distance int) string {
	var major, main int
	if _, err := fmt.Sscanf(versions.Main, "v%d.%d.", &major, &main); err != nil {
		panic(err)
	}
	return fmt.Sprintf("%d.%d", major, main+distance)
}

// setVersions lets scripts name versions of Kubernetes by their distance from the main one, so that they stay when that moves on.
func setVersions(env *testscript.Env) error {
	for name, value := range map[string]string{
		"KUBERNETES": strings.TrimPrefix(versions.Main, "v"), "SUPPORTED": versions.Names(),
		"NEXT": minor(+1), "MAIN": minor(0), "PREVIOUS": minor(-1), "OLDER": minor(-2), "WRONG": minor(-3),
	} {
		env.Setenv(name, value)
	}
	return nil
}

// with is main, of a program with controllers of its own or with none.
func with(own map[string]controllers.Custom) func() {
	return func() { os.Exit(command.Main(os.Args[1:], command.Options{Controllers: own})) }
}

// standIn is a build for another version of Kubernetes as far as a test needs one: it says that it is, and lacks what the main
// version has, controllers that wait for their own writes.
func standIn(kubernetes string, own map[string]controllers.Custom) func() {
	return func() {
		controllers.KubernetesVersion = kubernetes
		for _, kind := range []string{"DaemonSet", "Job", "ReplicaSet", "StatefulSet"} {
			if err := utilfeature.DefaultMutableFeatureGate.Set("StaleControllerConsistency" + kind + "=false"); err != nil {
				panic(err)
			}
		}
		with(own)()
	}
}

// kubestepWith is a program of somebody's own: kubestep with a controller in it that is broken in a way that
// the first argument names.
func kubestepWith() {
	own := map[string]controllers.Custom{"mine": func(ctx context.Context, _ controllers.Clients) error {
		switch os.Args[1] {
		case "a-panic":
			panic("boom")
		case "a-panic-in-a-worker":
			wait.UntilWithContext(ctx, func(context.Context) { panic("boom") }, time.Second)
		case "an-error":
			return errors.New("no such thing")
		case "a-goroutine-left":
			<-make(chan int)
		}
		return nil
	}}
	os.Exit(command.Main(os.Args[2:], command.Options{Controllers: own}))
}

// restartPods is a controller that deletes the Pods of StatefulSets that exist when it starts, as a version does that finds
// another revision in them.
func restartPods(ctx context.Context, clients controllers.Clients) error {
	pods, err := clients.Client.CoreV1().Pods("default").List(ctx, metav1.ListOptions{})
	if err != nil {
		return err
	}
	for i := range pods.Items {
		if owner := metav1.GetControllerOf(&pods.Items[i]); owner == nil || owner.Kind != "StatefulSet" {
			continue
		}
		if err := clients.Client.CoreV1().Pods("default").Delete(ctx, pods.Items[i].Name, metav1.DeleteOptions{}); err != nil {
			return err
		}
	}
	<-ctx.Done()
	return nil
}

// Run runs the scripts of testdata, or writes what is printed into them.
func Run(t *testing.T, rewrite bool) {
	t.Helper()
	testscript.Run(t, testscript.Params{
		Dir:           "testdata",
		UpdateScripts: rewrite,
		Setup:         setVersions,
		Cmds: map[string]func(ts *testscript.TestScript, neg bool, args []string){
			"exits":  exits,
			"hashes": hashes,
			"grows":  grows,
			"awaits": awaits,

			"misstates": misstates,
		},
		// [exact] and [stock] are the builds.
		Condition: func(name string) (bool, error) {
			if name != "exact" && name != "stock" {
				return false, fmt.Errorf("unknown condition %s", name)
			}
			return name == exact.Build(), nil
		},
	})
}

// exits CODE COMMAND... runs a command and wants this exit code.
func exits(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: exits CODE COMMAND [ARG...]")
	}
	err := ts.Exec(args[1], args[2:]...)
	code := "0"
	if err != nil {
		code = err.Error()[len("exit status "):]
	}
	if code != args[0] {
		ts.Fatalf("exit code %s, want %s", code, args[0])
	}
}

// hashes FILE wants the file's SHA-256 to stand in the standard error of the last command.
func hashes(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: hashes FILE")
	}
	sum := sha256.Sum256([]byte(ts.ReadFile(args[0])))
	ts.Check(contains(ts.ReadFile("stderr")+ts.ReadFile("stdout"), "sha256:"+hex.EncodeToString(sum[:])))
}

// grows FILE SIZE appends spaces to a file until it has SIZE mebibytes.
func grows(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: grows FILE")
	}
	file, err := os.OpenFile(ts.MkAbs(args[0]), os.O_APPEND|os.O_WRONLY|os.O_CREATE, 0o644)
	ts.Check(err)
	defer file.Close()
	_, err = file.Write(make([]byte, 10<<20))
	ts.Check(err)
}

// awaits FILE LINES waits until a file that a command in the background writes has so many lines.
func awaits(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: awaits FILE LINES")
	}
	lines, err := strconv.Atoi(args[1])
	ts.Check(err)
	ts.Check(wait.PollUntilContextTimeout(context.Background(), 50*time.Millisecond, time.Minute, true,
		func(context.Context) (bool, error) {
			data, err := os.ReadFile(ts.MkAbs(args[0]))
			return err == nil && strings.Count(string(data), "\n") >= lines, nil
		}))
}

func contains(text, part string) error {
	if strings.Contains(text, part) {
		return nil
	}
	return fmt.Errorf("%q does not stand in:\n%s", part, text)
}
