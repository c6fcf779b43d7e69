package auditlog_test

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/cockroachdb/datadriven"
	"gopkg.in/yaml.v3"

	"github.com/kubestep/kubestep/scenarios/incident/auditlog"
	"github.com/kubestep/kubestep/scenarios/language/snapshot"
)

// TestRules makes steps of logs. In testdata/rules.txt, "dump" is the state, and "log" the Events, one in a line, in a short form that
// event completes; the answer has the report and the steps, or with "pods" the rules for Pods.
func TestRules(t *testing.T) {
	dump := ""
	datadriven.RunTest(t, "testdata/rules.txt", func(t *testing.T, d *datadriven.TestData) string {
		if d.Cmd == "dump" {
			dump = d.Input
			return ""
		}
		log := auditlog.New()
		text := d.Input + "\n"
		if !d.HasArg("raw") {
			text = ""
			for i, line := range strings.Split(d.Input, "\n") {
				text += event(i+1, line) + "\n"
			}
		}
		if d.HasArg("cut") {
			text = text[:len(text)-20]
		}
		if err := log.Read("audit.log", strings.NewReader(text)); err != nil {
			return said(err)
		}
		options := snapshot.Options{Name: "log", Source: "audit.log"}
		state := snapshot.Empty(log.Begin(), options)
		if dump != "" {
			var err error
			if state, err = snapshot.Begin(strings.NewReader(dump), options); err != nil {
				return said(err)
			}
		}
		var of auditlog.Options
		if d.HasArg("since") {
			var since string
			d.ScanArgs(t, "since", &since)
			of.Since, _ = time.Parse(time.RFC3339, since)
		}
		file, report, err := log.Continue(state, of)
		if err != nil {
			return said(err)
		}
		var out bytes.Buffer
		report.Print(&out)
		var scenario struct {
			Spec struct {
				Cluster struct{ Pods yaml.Node }
				Steps   yaml.Node
			}
		}
		if err := yaml.Unmarshal(file, &scenario); err != nil {
			t.Fatal(err)
		}
		if d.HasArg("pods") {
			rules, err := yaml.Marshal(&scenario.Spec.Cluster.Pods)
			if err != nil {
				t.Fatal(err)
			}
			return out.String() + string(rules)
		}
		scenario.Spec.Steps.FootComment = ""
		last := len(scenario.Spec.Steps.Content) - 1
		scenario.Spec.Steps.Content = scenario.Spec.Steps.Content[:last]
		steps, err := yaml.Marshal(&scenario.Spec.Steps)
		if err != nil {
			t.Fatal(err)
		}
		return out.String() + string(steps)
	})
}

func said(err error) string {
	var wrong *auditlog.Error
	if errors.As(err, &wrong) {
		return fmt.Sprintf("Error: %s\nTry: %s\n", wrong.Message, wrong.Try)
	}
	return "Error: " + err.Error() + "\n"
}

// event is an Event at the second that its line has: USER VERB PATH CODE [REQUEST [RESPONSE]].
func event(line int, text string) string {
	fields := strings.SplitN(text, " ", 5)
	for len(fields) < 5 {
		fields = append(fields, "")
	}
	user, verb, address, code := fields[0], fields[1], fields[2], fields[3]
	request, response, _ := strings.Cut(fields[4], " => ")
	user, as, impersonates := strings.Cut(user, "/")
	path, _, _ := strings.Cut(address, "?")
	parts := strings.Split(strings.Trim(path, "/"), "/")
	group, rest := "", parts[2:]
	if parts[0] == "apis" {
		group, rest = parts[1], parts[3:]
	}
	ref := fmt.Sprintf(`"apiGroup":%q,"apiVersion":"v1"`, group)
	if len(rest) > 2 && rest[0] == "namespaces" {
		ref += fmt.Sprintf(`,"namespace":%q`, rest[1])
		rest = rest[2:]
	}
	for i, name := range []string{"resource", "name", "subresource"} {
		if i < len(rest) {
			ref += fmt.Sprintf(`,%q:%q`, name, rest[i])
		}
	}
	level, more := "Metadata", ""
	if request != "" {
		level, more = "Request", `,"requestObject":`+request
	}
	if response != "" {
		level, more = "RequestResponse", more+`,"responseObject":`+response
	}
	if impersonates {
		more += fmt.Sprintf(`,"impersonatedUser":{"username":%q}`, as)
	}
	at := fmt.Sprintf("2026-11-20T10:00:%02d.500000Z", line)
	return fmt.Sprintf(`{"kind":"Event","apiVersion":"audit.k8s.io/v1","level":%q,"auditID":"%d","stage":"ResponseComplete",`+
		`"requestURI":%q,"verb":%q,"user":{"username":%q},"userAgent":"kubectl/v1.36.3 (linux/amd64)","objectRef":{%s},`+
		`"responseStatus":{"code":%s},"requestReceivedTimestamp":%q,"stageTimestamp":%q%s}`,
		level, line, address, verb, user, ref, code, at, at, more)
}
