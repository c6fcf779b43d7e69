package answers_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/kubestep/kubestep/sim/conformance/answers"
)

// TestRecording reads the recording and writes it again.
func TestRecording(t *testing.T) {
	recording, err := answers.Recorded()
	if err != nil {
		t.Fatal(err)
	}
	again, err := answers.Parse(recording.Text(answers.Rows()))
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(recording, again); diff != "" {
		t.Error(diff)
	}
	for text, want := range map[string]string{
		"":                                   `line 1: "": want # Kubernetes VERSION`,
		"# Kubernetes v1\n\n## g\n- a":       "line 4: the row has no answer",
		"# Kubernetes v1\n\n## g\n- a\nx\n":  `line 5: "x": want a status code`,
		"# Kubernetes v1\n\n## g\n- a\n20\n": "line 4: the row has no body",
	} {
		if _, err := answers.Parse(text); err == nil || err.Error() != want {
			t.Errorf("%q: %v, want %s", text, err, want)
		}
	}
}

// TestRowsHaveNames gives each row a name of its own, as the recording needs it.
func TestRowsHaveNames(t *testing.T) {
	seen := map[string]bool{}
	for _, row := range answers.Rows() {
		if seen[row.Name()] || strings.Contains(row.Name(), "\n") {
			t.Errorf("%q is the name of two rows, or of no line", row.Name())
		}
		seen[row.Name()] = true
	}
}

// TestCompare reports a row that differs for no known reason, one that agrees although a reason is known, and a reason without rows.
func TestCompare(t *testing.T) {
	recording, err := answers.Recorded()
	if err != nil {
		t.Fatal(err)
	}
	known := "create widgets Content-Type application/vnd.kubernetes.protobuf"
	got := map[string]answers.Answer{"get configmaps what exists": {Code: 404}, known: recording.Answers[known]}
	complaints := answers.Compare(answers.Served, recording.Answers, got)
	none := answers.Compare(answers.Served, recording.Answers, map[string]answers.Answer{})
	wrong := strings.Join(append(complaints, none...), "\n")
	for _, want := range []string{"get configmaps what exists\nwant 200", known + ": the answers agree, although", "no row of serve is"} {
		if !strings.Contains(wrong, want) {
			t.Errorf("no %q in\n%s", want, wrong)
		}
	}
}

// TestNormal replaces what two servers do not have in common, and nothing else.
func TestNormal(t *testing.T) {
	for text, want := range map[string]string{
		`{"b":"x","a":1}`: `{"a":1,"b":"x"}`,
		`{"metadata":{"uid":"0f0e0d0c-0b0a-4908-8706-050403020100","resourceVersion":"77",` +
			`"creationTimestamp":"2026-01-01T00:00:00Z"}}`: `{"metadata":{"creationTimestamp":"TIME","resourceVersion":"RV","uid":"UID"}}`,
		`{"spec":{"clusterIP":"10.0.0.9","clusterIPs":["10.0.0.9"],"ports":[{"nodePort":31234,` +
			`"port":80}]}}`: `{"spec":{"clusterIP":"ADDRESS","clusterIPs":["ADDRESS"],"ports":[{"nodePort":0,` +
			`"port":80}]}}`,
		`{"spec":{"clusterIP":"None"}}`:         `{"spec":{"clusterIP":"None"}}`,
		`{"rows":[{"cells":["row",1,"12s"]}]}`:  `{"rows":[{"cells":["row",1,"AGE"]}]}`,
		`{"metadata":{"name":"row-b2c4d"}}`:     `{"metadata":{"name":"row-xxxxx"}}`,
		`{"message":"<a> & \"b\"","code":1000}`: `{"code":1000,"message":"<a> & \"b\""}`,
	} {
		if got, err := answers.Normal(text); err != nil || got != want {
			t.Errorf("%s: %s, %v; want %s", text, got, err, want)
		}
	}
}
