package runner

import (
	"strings"
	"testing"
	"time"

	"github.com/kubestep/kubestep/scenarios/language/format"
	"github.com/kubestep/kubestep/scenarios/language/verb"
)

// nightly is a CronJob without timeZone, so that its schedule is in the local zone of kube-controller-manager.
const nightly = `apiVersion: kubestep.dev/v1alpha1
kind: Scenario
metadata: {name: nightly}
spec:
  title: A Job at three o'clock
  start: 2026-07-01T00:00:00Z
  horizon: 23h10m
  kubernetes: {controllers: [cronjob-controller]}
  cluster: {nodes: []}
  steps:
  - create: |
      apiVersion: batch/v1
      kind: CronJob
      metadata: {name: report}
      spec:
        schedule: "0 3 * * *"
        jobTemplate:
          spec:
            template:
              spec: {restartPolicy: Never, containers: [{name: c, image: "report:v1"}]}
  checks:
  - name: once-at-three
    at-end: "requests('cronjob-controller', 'create', 'jobs').map(r, r.at).all(at, at >= duration('AT') && at < duration('AT') + duration('1m')) &&
      size(requests('cronjob-controller', 'create', 'jobs')) == 1"
`

// TestTimeZone reads schedules in the zone of the scenario, UTC without one, whatever the zone of the machine is; that is
// as before when the run is over.
func TestTimeZone(t *testing.T) {
	machines := time.FixedZone("+0545", 5*3600+45*60)
	own := time.Local
	time.Local = machines
	defer func() { time.Local = own }()
	for zone, at := range map[string]string{"": "3h", "UTC": "3h", "Europe/Berlin": "1h", "Asia/Tbilisi": "23h"} {
		text := strings.ReplaceAll(nightly, "AT", at)
		if zone != "" {
			text = strings.Replace(text, "  horizon:", "  timeZone: "+zone+"\n  horizon:", 1)
		}
		scenario, err := format.Parse("nightly.yaml", []byte(text), verb.All, Expressions)
		if err != nil {
			t.Fatal(err)
		}
		outcome, err := Run(scenario, RunOptions{})
		if err != nil {
			t.Fatal(err)
		}
		for _, check := range outcome.Checks {
			if check.Result != Pass {
				t.Errorf("time zone %q: %s: %s", zone, check.Name, check.Message)
			}
		}
		if time.Local != machines {
			t.Errorf("time zone %q: the local zone is %s after the run", zone, time.Local)
		}
	}
}
