package glossary

import (
	"regexp"
	"strings"
	"testing"

	"github.com/kubestep/kubestep/scenarios/language/view"
)

// TestTermsAreComplete holds each row to the form: a sentence without markup, a page of the documentation for what Kubernetes
// documents, and a view that exists.
func TestTermsAreComplete(t *testing.T) {
	markup := regexp.MustCompile("[`*_<>]|\\]\\(|[a-z]\\(\\)|\\.go\\b")
	const docs = "https://kubernetes.io/docs/"
	for _, section := range Sections {
		for _, term := range section.Terms {
			if !strings.HasSuffix(term.Meaning, ".") || markup.MatchString(term.Meaning) {
				t.Errorf("%s: the meaning is not plain sentences: %s", term.Name, term.Meaning)
			}
			if strings.Count(term.Meaning+" ", ". ") > 3 || len(term.Meaning) > 260 {
				t.Errorf("%s: the meaning is too long for a small box: %s", term.Name, term.Meaning)
			}
			if term.View != "" && view.Named(term.View) == nil {
				t.Errorf("%s: %q is not a view", term.Name, term.View)
			}
			documented := strings.HasPrefix(term.Link, docs) || strings.HasPrefix(term.Link, "https://pkg.go.dev/k8s.io/client-go/")
			if !section.Ours && !documented && term.View == "" || term.Link != "" && !documented {
				t.Errorf("%s: %q is not a page of the documentation", term.Name, term.Link)
			}
		}
	}
}

// TestMistakesHaveALine reads files with a mistake each.
func TestMistakesHaveALine(t *testing.T) {
	for _, test := range []struct{ file, problem string }{
		{"- id: one\n  title: One\n  link: x\n", "xx.yaml: yaml: unmarshal errors:\n  line 3: field link not found in type glossary.Section"},
		{"- id: one\n  terms: []\n", "xx.yaml:1: one: the title is missing"},
		{"- title: One\n", `xx.yaml: the id of "One" is missing`},
		{section + "  - id: Pod\n    name: Pod\n", `xx.yaml:4: "Pod", the id of "Pod", is not lower-case words with dashes`},
		{section + "  - id: pod\n    meaning: A Pod.\n", "xx.yaml:4: pod: the name is missing"},
		{section + "  - id: pod\n    name: Pod\n", "xx.yaml:4: pod: the meaning is missing"},
		{section + "  - id: one\n", "xx.yaml:4: the id one is duplicate"},
		{section + "  - id: pod\n    name: Pod\n    meaning: A Pod.\n  - id: pods\n    name: Pods\n    aliases: [pod]\n    meaning: A Pod.\n",
			`xx.yaml:7: pods: "pod" is a form of pod, too`},
	} {
		if _, err := read("xx.yaml", []byte(test.file)); err == nil || err.Error() != test.problem {
			t.Errorf("%s\n%v\nwant %s", test.file, err, test.problem)
		}
	}
}

const section = "- id: one\n  title: One\n  terms:\n"

// TestLookup finds terms in any form.
func TestLookup(t *testing.T) {
	for word, name := range map[string]string{
		"Pods": "Pod", "rv": "resourceVersion", "WORKQUEUE": "work queue", "queues": "work queue", "surge": "maxSurge",
		"replicas": "replica", "leases": "lease", "requeues": "requeue", "evict": "eviction", "PDB": "PodDisruptionBudget",
		"seeds": "seed", "expectations": "expectations",
	} {
		term, ok := Lookup(word)
		if !ok || term.Name != name {
			t.Errorf("%q leads to %q, not to %q", word, term.Name, name)
		}
	}
	if term, ok := Lookup("zebra"); ok {
		t.Errorf("zebra leads to %s", term.Name)
	}
}

// TestWordsOfScreens holds the words at the heads of columns and lines of the views to the glossary.
func TestWordsOfScreens(t *testing.T) {
	for _, word := range strings.Fields("available pods updated ready avail rev spec ReplicaSet image controller queue syncing back-off " +
		"syncs informer cache store events rv completions parallelism partition ordinal leader lease kubelet unschedulable maxSurge " +
		"maxUnavailable backoffLimit terminating enqueue requeued") {
		if _, ok := Lookup(word); !ok {
			t.Errorf("%s is on the screen and not in the glossary", word)
		}
	}
}

// TestIn finds terms in texts: whole words, the longest at a place, each once, and kubestep's own words not at all.
func TestIn(t *testing.T) {
	for _, test := range []struct{ text, names string }{
		{"The work queue holds keys; workers take a key.", "work queue, key, worker"},
		{"One rolling update of two Deployments with maxSurge 25%", "rolling update, Deployment, maxSurge"},
		{"Pods become available;\navailable Pods are not podded", "Pod, available"},
		{"a status condition, a condition", "status condition"},
		{"The run draws a note from its seed.", ""},
		{"409 is not 1409", "conflict"},
		{"kubectl delete --cascade=orphan", "kubectl, orphan"},
	} {
		var names []string
		for _, term := range In(test.text) {
			names = append(names, term.Name)
		}
		if got := strings.Join(names, ", "); got != test.names {
			t.Errorf("in %q: %s, not %s", test.text, got, test.names)
		}
	}
}
