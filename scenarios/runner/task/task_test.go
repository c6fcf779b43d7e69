package task

import (
	"errors"
	"io/fs"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/kubestep/kubestep/scenarios/runner"
)

// TestTasks holds that each task can be solved, and is not solved by doing nothing.
func TestTasks(t *testing.T) {
	tasks, err := All()
	if err != nil {
		t.Fatal(err)
	}
	for _, task := range tasks {
		t.Run(task.Name(), func(t *testing.T) {
			text, err := text(task.Name() + ".yaml")
			if err != nil {
				t.Fatal(err)
			}
			solution, err := files.ReadFile("tasks/" + task.Name() + ".solution.yaml")
			if err != nil {
				t.Fatal(err)
			}
			for what, steps := range map[string]string{runner.Fail: "", runner.Pass: string(solution)} {
				scenario, err := parse(task.Name(), text+steps)
				if err != nil {
					t.Fatal(err)
				}
				scenario.Spec.Horizon.Duration = 15 * time.Minute
				outcome, err := runner.Run(scenario, runner.RunOptions{EndEarly: true})
				if err != nil {
					t.Fatal(err)
				}
				got := runner.Pass
				for _, check := range outcome.Checks {
					if !check.Invariant && check.Result != runner.Pass {
						got = runner.Fail
						t.Logf("%s: %s", check.Name, check.Message)
					}
				}
				if got != what || outcome.Error != "" {
					t.Errorf("with the steps %q, the result is %s, not %s: %s", steps, got, what, outcome.Error)
				}
			}
			downtime(t, task, text)
			if len(task.Hints) < 2 || task.Scenario.Spec.About == "" || task.Scenario.Metadata.Labels["level"] == "" {
				t.Error("it has no goal, no level, or fewer than two hints")
			}
		})
	}
}

// downtime takes the way that a learner must not take, if the task has one: it must fail on the way, whatever the end is.
func downtime(t *testing.T, task *Task, text string) {
	t.Helper()
	wrong, err := files.ReadFile("tasks/" + task.Name() + ".wrong.yaml")
	if errors.Is(err, fs.ErrNotExist) {
		return
	}
	scenario, err := parse(task.Name(), text+string(wrong))
	if err != nil {
		t.Fatal(err)
	}
	scenario.Spec.Horizon.Duration = 15 * time.Minute
	outcome, err := runner.Run(scenario, runner.RunOptions{EndEarly: true})
	if err != nil {
		t.Fatal(err)
	}
	for _, check := range task.Scenario.Spec.Checks {
		at := slices.IndexFunc(outcome.Checks, func(c runner.CheckResult) bool { return c.Name == check.Name })
		if check.Always != "" && outcome.Checks[at].Result == runner.Fail {
			return
		}
	}
	t.Errorf("the wrong way passes: %+v", outcome.Checks)
}

// session is a session of broken-image with some steps.
func session(t *testing.T, steps string) string {
	t.Helper()
	text, err := text("broken-image.yaml")
	if err != nil {
		t.Fatal(err)
	}
	scenario, err := parse("session", strings.Replace(text, "horizon: 1h", "horizon: 60s", 1)+steps)
	if err != nil {
		t.Fatal(err)
	}
	encoded, err := scenario.Encode()
	if err != nil {
		t.Fatal(err)
	}
	return string(encoded)
}

const (
	repair  = "  - {at: 30s, set-image: {target: deployment/web, image: \"web:2.0\"}}\n"
	restart = "  - {at: 25s, scale: {target: deployment/web, replicas: 0}}\n  - {at: 27s, scale: {target: deployment/web, replicas: 4}}\n"
)

// TestGrade grades sessions: a repair, nothing, a repair with downtime, and forgeries.
func TestGrade(t *testing.T) {
	for _, test := range []struct {
		name, session, want string
	}{
		{"a repair", session(t, repair), "all-on-version-2 nothing-else-runs never-below-3"},
		{"nothing", session(t, ""), "never-below-3"},
		{"downtime", session(t, restart+repair), "all-on-version-2 nothing-else-runs"},
		{"another check", strings.Replace(session(t, restart+repair), ">= 3", ">= 0", 1), "more than the writes of a client differs"},
		{"another cluster", strings.Replace(session(t, repair), "ready: 3s", "ready: 1s", 1), "more than the writes of a client differs"},
		{"a step of the simulation", session(t, "  - {at: 25s, controller: {crash: kube-controller-manager}}\n"), "changes the simulation"},
		{"another scenario", strings.Replace(session(t, repair), "name: broken-image", "name: nothing", 1), "there is no task nothing"},
	} {
		t.Run(test.name, func(t *testing.T) {
			report, err := Grade([]byte(test.session))
			if err != nil {
				if !strings.Contains(err.Error(), test.want) {
					t.Errorf("the error is %v, not %q", err, test.want)
				}
				return
			}
			var passed []string
			for _, check := range report.Checks {
				if check.Passed {
					passed = append(passed, check.Name)
				}
			}
			if got := strings.Join(passed, " "); got != test.want || report.Passed != (len(passed) == len(report.Checks)) {
				t.Errorf("%s pass, not %s: %+v", got, test.want, report.Checks)
			}
			again, err := Grade([]byte(report.Session))
			if err != nil || !again.Same(report) {
				t.Errorf("the same session has another grade: %v", err)
			}
			again.Checks[0].Passed = !again.Checks[0].Passed
			if again.Same(report) {
				t.Error("a report with another result is the same")
			}
		})
	}
}
