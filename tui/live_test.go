package tui

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/charmbracelet/x/ansi"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/tools/clientcmd"

	"github.com/kubestep/kubestep/scenarios/runner"
	"github.com/kubestep/kubestep/sim/toolchain/exact"
	"github.com/kubestep/kubestep/tui/internal/opener"
	"github.com/kubestep/kubestep/tui/internal/picker"
	"github.com/kubestep/kubestep/tui/internal/remote"
	"github.com/kubestep/kubestep/tui/internal/theme"
)

// audience is an interface that follows a session, without a terminal.
type audience struct {
	t       *testing.T
	model   *Model
	session *remote.Session
	// news are those of the session, and answers what requests of the interface came to.
	news, answers chan tea.Msg
	client        *kubernetes.Clientset
}

// attend serves an empty cluster whose time stands still.
func attend(t *testing.T) *audience {
	t.Helper()
	file := filepath.Join(t.TempDir(), "world.yaml")
	const world = "apiVersion: kubestep.dev/v1alpha1\nkind: Scenario\nmetadata: {name: world}\nspec: {title: A cluster to use, steps: []}\n"
	if err := os.WriteFile(file, []byte(world), 0o600); err != nil {
		t.Fatal(err)
	}
	return attendTo(t, file)
}

// attendTo serves a scenario whose time stands still after its steps.
func attendTo(t *testing.T, file string) *audience {
	t.Helper()
	for _, name := range []string{"HOME", "XDG_CACHE_HOME", "LocalAppData"} {
		t.Setenv(name, t.TempDir()) // clusters of tests have names of their own
	}
	kubeconfig := filepath.Join(t.TempDir(), "kubeconfig")
	session, err := remote.Serve(file, kubeconfig, "--step", "--kubeconfig="+kubeconfig)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { session.End() })
	colors, err := theme.New("default", "auto")
	if err != nil {
		t.Fatal(err)
	}
	config, err := clientcmd.BuildConfigFromFlags("", kubeconfig)
	if err != nil {
		t.Fatal(err)
	}
	w := &audience{
		t: t, model: Follow(Options{Theme: colors}, session), session: session, client: kubernetes.NewForConfigOrDie(config),
		news: make(chan tea.Msg), answers: make(chan tea.Msg, 10),
	}
	go func() {
		for {
			news := session.Wait()
			select {
			case w.news <- news:
			case <-t.Context().Done():
				return
			}
		}
	}()
	return w
}

// shows lets the interface have news until the screen shows all texts.
func (w *audience) shows(texts ...string) {
	w.t.Helper()
	w.model.Update(tea.WindowSizeMsg{Width: 118, Height: 36})
	screen, deadline := "", time.After(time.Minute)
	for {
		screen = ansi.Strip(w.model.View())
		missing := ""
		for _, text := range texts {
			if !strings.Contains(screen, text) {
				missing = text
			}
		}
		if missing == "" {
			return
		}
		select {
		case msg := <-w.news:
			w.model.Update(msg)
		case msg := <-w.answers:
			w.do(w.model.Update(msg))
		case <-deadline:
			w.t.Fatalf("the screen does not show %q:\n%s", missing, screen)
		}
	}
}

// press sends keys; what they ask of the session is done beside the interface.
func (w *audience) press(keys ...string) {
	for _, word := range keys {
		for _, key := range typed(word) {
			if m, cmd := w.model.Update(key); w.model.prompt.ask == nil {
				w.do(m, cmd)
			}
		}
	}
}

// do does beside the interface what a message came to.
func (w *audience) do(_ tea.Model, cmd tea.Cmd) {
	if cmd != nil {
		go func() { w.answers <- cmd() }()
	}
}

// TestASessionIsNoLesson serves a lesson: after its last answer, the screen does not ask its questions again.
func TestASessionIsNoLesson(t *testing.T) {
	w := attendTo(t, "rolling-update")
	w.shows("live · 0 writes")
	if screen := ansi.Strip(w.model.View()); strings.Contains(screen, "end of the lesson") {
		t.Errorf("the session is shown as a lesson:\n%s", screen)
	}
}

// TestABranchOfASession goes back in a session and takes steps there: each runs in a branch, while the session stays as it is. Where a
// process can be copied, the branches continue from keyframes. What was saved of a branch is the same run.
func TestABranchOfASession(t *testing.T) {
	w := attendTo(t, "rolling-update")
	m := w.model
	m.options.Open = opener.Run{}
	w.shows("live · 0 writes")
	w.press(":", "scale_deployment/web_6", "enter")
	w.shows("live · 1 write")
	for i, branch := range [][2]string{{"7.514s", "controller_crash_kube-controller-manager"}, {"12s", "node_fail_node-2"}} {
		w.press("g", branch[0], "enter")
		w.shows("(G) · live · 1 write")
		w.press(":")
		w.shows("in a branch of the session")
		w.press(branch[1], "enter")
		w.shows("branch: at ", "the branch starts here")
		n := m.branches.current()
		if m.branches.shown != i+1 || n.parent != 0 || n.viewer.Rec.At(n.own) != n.at {
			t.Fatalf("branch %d of %d is at %v, and differs at %v", m.branches.shown, n.parent, n.at, n.viewer.Rec.At(n.own))
		}
		if exact.CanFork() && n.viewer.Rec.Shared == 0 {
			t.Errorf("at %v: made from the start", n.at)
		}
		file := filepath.Join(t.TempDir(), "branch.yaml")
		w.press(":", "save_"+file, "enter")
		w.shows("runs this branch")
		again, err := opener.Run{}.Open(t.Context(), picker.Entry{File: file}, opener.News{})
		if err != nil || again.Hash != n.viewer.Rec.Hash {
			t.Errorf("at %v: the saved branch has the hash %s, the branch %s, %v", n.at, again.Hash, n.viewer.Rec.Hash, err)
		}
		w.press("6")
		w.shows("the session")
		for range i + 1 {
			w.press("k")
		}
		w.press("enter")
		w.shows("live · 1 write")
		w.press("0", "G")
		w.shows("live · 1 write")
		if m.looksBack() {
			t.Error("G does not lead to the present")
		}
	}
	w.press("g", "7s", "enter", ":", "nonsense", "enter")
	w.shows("unknown command")
	if w.press("q"); w.session.Unsaved() != 1 {
		t.Error("a branch of a session counts as saving it")
	}
	m.branches.nodes[0].entry.Keyframes.Close()
}

// TestASessionIsShown uses a cluster that the interface shows: what a client writes is on the screen at once, keys move time, and
// what was typed is a step. The file that the interface saves has all of it.
func TestASessionIsShown(t *testing.T) {
	w := attend(t)
	w.shows("export KUBECONFIG=", "live · 0 writes", "▮▮")
	labels, replicas := map[string]string{"app": "web"}, int32(3)
	_, err := w.client.AppsV1().Deployments("default").Create(context.Background(), &appsv1.Deployment{
		ObjectMeta: metav1.ObjectMeta{Name: "web"},
		Spec: appsv1.DeploymentSpec{
			Replicas: &replicas, Selector: &metav1.LabelSelector{MatchLabels: labels},
			Template: corev1.PodTemplateSpec{
				ObjectMeta: metav1.ObjectMeta{Labels: labels},
				Spec:       corev1.PodSpec{Containers: []corev1.Container{{Name: "c", Image: "web:v1"}}},
			},
		},
	}, metav1.CreateOptions{})
	if err != nil {
		t.Fatal(err)
	}
	w.shows("Deployment web", "live · 1 write")
	w.press("1")
	w.shows("Deployment default/web", "this is now")
	before := w.session.State.Seconds
	w.press("d")
	w.shows("▸    ", "deployment-controller  sync", "(G)")
	if after := w.session.State.Seconds; after <= before || after > before+1 {
		t.Errorf("to the next decision, time went from %v to %v", before, after)
	}
	w.press(":", "until_deployment('web').status.availableReplicas==3", "enter")
	w.shows("3 of 3")
	w.press("p")
	w.shows("(G)")
	w.press("G")
	w.press(":", "scale_deployment/web_2", "enter")
	w.shows("live · 2 writes", "it is a step of the session")
	// A late answer to the key before does not take the words away.
	w.model.Update(remote.Answer{Key: "G"})
	w.shows("it is a step of the session")
	w.press(":", "nonsense", "enter")
	w.shows("unknown command")
	w.press("q")
	w.shows("q again loses 2 writes")
	file := filepath.Join(t.TempDir(), "session.yaml")
	w.press(":", "save_"+file, "enter")
	w.shows("runs the session again")
	if _, err := runner.Open(file); err != nil {
		t.Error(err)
	}
	w.session.End()
	w.shows("the session has ended")
}
