package docs_test

import (
	"fmt"
	"io/fs"
	"math"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"gopkg.in/yaml.v3"

	"github.com/kubestep/kubestep/scenarios"
	"github.com/kubestep/kubestep/scenarios/library"
	"github.com/kubestep/kubestep/scenarios/reading/glossary"
)

// A lesson is held to three rules here, so that its texts cannot drift from its run:
//
//   - A number in a text is in the scenario (a manifest, a delay, a check), in the condition that proves this text (that), or the
//     result of an equation in the text that holds: 10 + 3 = 13, 25% of 10 is 2.5, 2.5 rounded up to 3.
//   - What looks like the name of a field or a function is a term of the glossary, or a name that the scenario uses.
//   - The terms that it teaches are in the glossary.

// told is what a lesson says at one place, and what proves it.
type told struct {
	place string
	// texts are what people read, and that are the conditions for them; may be empty.
	texts []string
	that  string
}

// lessonTexts are the texts of a lesson, and everything else in its file.
func lessonTexts(t *testing.T, file string) (texts []told, data string) {
	t.Helper()
	source, err := fs.ReadFile(scenarios.Files, file)
	if err != nil {
		t.Fatal(err)
	}
	var root yaml.Node
	if err := yaml.Unmarshal(source, &root); err != nil {
		t.Fatal(err)
	}
	var all strings.Builder
	var walk func(node *yaml.Node)
	walk = func(node *yaml.Node) {
		if node.Kind == yaml.ScalarNode && !strings.HasPrefix(node.Value, "quiet ") {
			all.WriteString(node.Value + "\n")
		}
		if node.Kind != yaml.MappingNode {
			for _, child := range node.Content {
				walk(child)
			}
			return
		}
		for i := 0; i+1 < len(node.Content); i += 2 {
			key, value := node.Content[i].Value, node.Content[i+1]
			place := fmt.Sprintf("%s:%d", file, node.Content[i].Line)
			switch key {
			case "title", "about":
				texts = append(texts, told{place: place, texts: []string{value.Value}})
			case "apiVersion", "horizon", "timeout":
				// How long a run may take proves nothing.
			case "note", "ask":
				texts = append(texts, toldBy(place, value))
			default:
				all.WriteString(key + "\n")
				walk(value)
			}
		}
	}
	walk(&root)
	return texts, all.String()
}

// toldBy is what a note or a question says.
func toldBy(place string, value *yaml.Node) told {
	if value.Kind == yaml.ScalarNode {
		return told{place: place, texts: []string{value.Value}}
	}
	// A question is answered when what it waits for holds.
	out := told{place: place, that: entry(value, "for") + "\n" + entry(value, "that")}
	for _, key := range []string{"text", "question", "answer", "explain"} {
		if text := entry(value, key); text != "" {
			out.texts = append(out.texts, text)
		}
	}
	return out
}

// entry is the text of a field of a mapping.
func entry(mapping *yaml.Node, name string) string {
	for i := 0; i+1 < len(mapping.Content); i += 2 {
		if mapping.Content[i].Value == name {
			return mapping.Content[i+1].Value
		}
	}
	return ""
}

const number = `(\d+(?:\.\d+)?)`

var (
	// numbers are those that stand by themselves: not the 2 of v2 and of db-2.
	numbers = regexp.MustCompile(`(?:^|[^\w.-]|\.\.)` + number)
	// counts are numbers as words. "one" is not among them: it is an article, too.
	counts = strings.Fields("zero - two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen " +
		"sixteen seventeen eighteen nineteen twenty")
	lowercase   = regexp.MustCompile(`[a-z]+`)
	computation = regexp.MustCompile(`(?:^|[^\w.])` + number + `((?: [-+*/] ` + number + `)+) (?:=|is) ` + number)
	operation   = regexp.MustCompile(`([-+*/]) ` + number)
	percentage  = regexp.MustCompile(number + `% of ` + number + ` (?:=|is) ` + number)
	rounding    = regexp.MustCompile(number + `,? (?:which is )?rounded (up |down |)(?:to )?` + number)
)

// numbersIn are the values of the numbers in a text, as digits and as words.
func numbersIn(text string) map[float64]bool {
	found := map[float64]bool{}
	for _, match := range numbers.FindAllStringSubmatch(text, -1) {
		found[value(match[1])] = true
	}
	for _, word := range lowercase.FindAllString(strings.ToLower(text), -1) {
		if at := slices.Index(counts, word); at > 0 {
			found[float64(at)] = true
		}
	}
	return found
}

func value(digits string) float64 {
	out, _ := strconv.ParseFloat(digits, 64)
	return out
}

// unproven are the numbers of a text that nothing proves, and its equations that do not hold.
func unproven(text string, known map[float64]bool) (problems []string) {
	text = strings.Join(strings.Fields(text), " ")
	proven := map[float64]bool{}
	for n := range known {
		proven[n] = true
	}
	// A result counts if what it is computed from does.
	holds := func(equation string, result, want float64, tolerance float64, from ...float64) {
		if math.Abs(result-want) > tolerance {
			problems = append(problems, fmt.Sprintf("%q is wrong: it is %g", equation, want))
		}
		for _, operand := range from {
			if !proven[operand] {
				return
			}
		}
		proven[result] = true
	}
	for _, match := range percentage.FindAllStringSubmatch(text, -1) {
		part, of := value(match[1]), value(match[2])
		holds(match[0], value(match[3]), part*of/100, 0.001, part, of)
	}
	for _, match := range computation.FindAllStringSubmatch(text, -1) {
		from := []float64{value(match[1])}
		result := compute(from[0], operation.FindAllStringSubmatch(match[2], -1))
		for _, step := range operation.FindAllStringSubmatch(match[2], -1) {
			from = append(from, value(step[2]))
		}
		holds(match[0], value(match[4]), result, 0.051, from...)
	}
	for _, match := range rounding.FindAllStringSubmatch(text, -1) {
		from := value(match[1])
		want := map[string]float64{"up ": math.Ceil(from), "down ": math.Floor(from), "": math.Round(from)}[match[2]]
		holds(match[0], value(match[3]), want, 0, from)
	}
	for n := range numbersIn(text) {
		if !proven[n] {
			problems = append(problems, fmt.Sprintf("nothing proves the number %g", n))
		}
	}
	slices.Sort(problems)
	return problems
}

// compute does what a computation says: first * and /, then + and -.
func compute(first float64, steps [][]string) float64 {
	sum, term, sign := 0.0, first, 1.0
	for _, step := range steps {
		n := value(step[2])
		switch step[1] {
		case "*":
			term *= n
		case "/":
			term /= n
		default:
			sum, term, sign = sum+sign*term, n, map[string]float64{"+": 1, "-": -1}[step[1]]
		}
	}
	return sum + sign*term
}

// TestUnproven shows what the rule about numbers finds.
func TestUnproven(t *testing.T) {
	for _, test := range []struct{ text, known, problems string }{
		{"Three Pods are ready after 2 s.", "replicas: 3, ready: 2s", ""},
		{"Three Pods are ready.", "replicas: 4", "nothing proves the number 3"},
		{"web:v2 and db-2 have no numbers of their own", "", ""},
		{"10 + 3 = 13", "10 3", ""},
		{"10 + 3 = 13", "10", "nothing proves the number 13; nothing proves the number 3"},
		{"10 + 3 = 14", "10 3", `"10 + 3 = 14" is wrong: it is 13`},
		{"20 - 2 * 5 = 10", "20 2 5", ""},
		{"8 * 25 / 13 = 15.4, rounded to 15", "8 25 13", ""},
		{"25% of 10 is 2.5, rounded up to 3", "25% 10", ""},
		{"25% of 10 is 2.5, rounded down to 3", "25% 10", `"2.5, rounded down to 3" is wrong: it is 2`},
	} {
		if got := strings.Join(unproven(test.text, numbersIn(test.known)), "; "); got != test.problems {
			t.Errorf("%q with %q: %q, not %q", test.text, test.known, got, test.problems)
		}
	}
}

// TestLessonsProveTheirNumbers holds each lesson to the first rule.
func TestLessonsProveTheirNumbers(t *testing.T) {
	eachLesson(t, func(file string) {
		texts, data := lessonTexts(t, file)
		for _, told := range texts {
			known := numbersIn(data + "\n" + told.that)
			// What is computed in one of the texts of a question is known in the others.
			for _, problem := range unproven(strings.Join(told.texts, "\n"), known) {
				t.Errorf("%s: %s", told.place, problem)
			}
		}
	})
}

var (
	// hash is the generated end of the name of a Pod or a ReplicaSet, in the letters that Kubernetes uses for it.
	hash = regexp.MustCompile(`-(?:[bcdfghjklmnpqrstvwxz2456789]{8,10}(?:-[bcdfghjklmnpqrstvwxz2456789]{5})?)\b`)
	// version is that of an object, as the trace and the API name it.
	version = regexp.MustCompile(`\brv\b|[rR]esourceVersion`)
	// function is a name of Go: what is called, is in a file, or has a capital inside without being a field or a kind.
	function = regexp.MustCompile(`\w+\(\)|\w+\.go\b|\b(?:sync|reconcile|process|add|update|delete|enqueue|handle|new|get)[A-Z]\w*`)
)

// TestBeginnersReadNoInternals holds the texts of a lesson for beginners to what a beginner knows: no hash of a name, no version of an
// object, no function of Go.
func TestBeginnersReadNoInternals(t *testing.T) {
	beginners := 0
	eachLesson(t, func(file string) {
		lesson, err := library.Load(file)
		if err != nil {
			t.Fatal(err)
		}
		if lesson.Metadata.Labels["level"] != "beginner" {
			return
		}
		beginners++
		texts, _ := lessonTexts(t, file)
		for _, told := range texts {
			if found := internals(strings.Join(told.texts, "\n")); len(found) > 0 {
				t.Errorf("%s: %q is nothing for beginners. Try: the name of the object without its hash, or the level intermediate", told.place, found)
			}
		}
	})
	if beginners < 10 {
		t.Errorf("only %d lessons are for beginners", beginners)
	}
}

// internals are the words of a text that a beginner does not know.
func internals(text string) (found []string) {
	for _, of := range []*regexp.Regexp{hash, version, function} {
		found = append(found, of.FindAllString(text, -1)...)
	}
	return found
}

// TestInternals shows what the rule finds.
func TestInternals(t *testing.T) {
	for text, want := range map[string]string{
		"The Pod web-6dc4ff998b-mjgpm is ready.":               "-6dc4ff998b-mjgpm",
		"replicasets/web-6dc4ff998b has three replicas":        "-6dc4ff998b",
		"the write has the resourceVersion 12, and rv 13":      "resourceVersion rv",
		"syncDeployment in deployment_controller.go":           "deployment_controller.go syncDeployment",
		"Read default/web and node-1, as the kube-scheduler.":  "",
		"The Pods of version 2 need maxUnavailable Pods less.": "",
	} {
		found := internals(text)
		slices.Sort(found)
		if got := strings.Join(found, " "); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

// identifier is a word with a capital inside, or what is called or is in a file of Go.
var identifier = regexp.MustCompile(`\b(?:[a-z]+[A-Z]\w*|[A-Z][a-z]+[A-Z]\w*)\b|\w+\(\)|\w+\.go\b`)

// ofCode is the lesson that is about the source code.
const ofCode = "lessons/controller-manager-tour.yaml"

// TestLessonsSpeakKubernetes holds each lesson to the second rule.
func TestLessonsSpeakKubernetes(t *testing.T) {
	eachLesson(t, func(file string) {
		if file == ofCode {
			return
		}
		texts, data := lessonTexts(t, file)
		for _, told := range texts {
			for _, word := range identifier.FindAllString(strings.Join(told.texts, "\n"), -1) {
				_, term := glossary.Lookup(word)
				used := regexp.MustCompile(`\b` + regexp.QuoteMeta(word) + `\b`).MatchString(data + "\n" + told.that)
				if !term && !used {
					t.Errorf("%s: %s is neither a term of the glossary nor a name in the scenario", told.place, word)
				}
			}
		}
	})
}

// teaches are the terms that somebody who has seen a lesson should be able to explain.
var teaches = map[string]string{
	"reconcile-loop":          "controller, desired state, current state, sync, work queue, watch event, owner, adopt",
	"create":                  "Deployment, ReplicaSet, Pod, scheduler, kubelet, binding, status",
	"rolling-update":          "rolling update, maxSurge, maxUnavailable, available, rollout",
	"surge-or-unavailable":    "maxSurge, maxUnavailable, available",
	"one-replica":             "maxSurge, maxUnavailable, downtime, quota",
	"surge-3-unavailable-2":   "maxSurge, maxUnavailable, available, rollout",
	"rounding":                "maxSurge, maxUnavailable, scale",
	"stuck-rollout":           "progressDeadlineSeconds, condition, roll back, revision",
	"rollover":                "rollout, revision, roll back",
	"pause-and-resume":        "paused, revision, template, resume",
	"recreate":                "Recreate, downtime, terminating, phase",
	"terminating-pods":        "terminating, grace period, podReplacementPolicy",
	"proportional-scaling":    "in proportion, rollout, scale, annotation",
	"fragmentation":           "filter, score, resource request, scheduler profile, unschedulable",
	"anti-affinity":           "Pod anti-affinity, maxSurge, maxUnavailable, progress deadline, priority",
	"scheduling-gates":        "scheduling gate, node selector, condition, queue",
	"preemption":              "priority, preemption, nominatedNodeName, PodDisruptionBudget",
	"topology-spread":         "topology spread constraint, zone, matchLabelKeys, label selector",
	"volume-binding":          "WaitForFirstConsumer, claim, volume, StorageClass",
	"device-claim":            "dynamic resource allocation, ResourceClaim, ResourceSlice, DeviceClass",
	"conflict":                "conflict, resourceVersion, sync, requeue",
	"stale-cache":             "cache, stale, watch event, expectations",
	"back-off":                "back-off, quota, work queue, sync",
	"leader-election":         "lease, leader, kube-controller-manager, work queue",
	"garbage-collection":      "owner reference, garbage collection, background deletion, foreground deletion, orphan, finalizer, adopt",
	"disruption-budget":       "PodDisruptionBudget, eviction, drain, minAvailable, 429",
	"statefulset-order":       "StatefulSet, OrderedReady, ordinal, volume, claim",
	"job-back-off":            "Job, backoffLimit, podFailurePolicy",
	"probes":                  "probe, kubelet, Service, endpoint",
	"crash-loop":              "CrashLoopBackOff, kubelet",
	"image-pulls":             "ImagePullBackOff, kubelet, node",
	"sidecars":                "init container, sidecar, Job",
	"memory":                  "OOMKilled, eviction, limit, MemoryPressure",
	"termination":             "grace period, kubelet",
	"terminating-traffic":     "terminating, Service, endpoint, preStop hook",
	"service-endpoints":       "Service, EndpointSlice, endpoint, selector, label, probe",
	"headless-service":        "Service, StatefulSet, EndpointSlice, endpoint, probe",
	"external-service":        "Service, EndpointSlice, endpoint, selector, label",
	"claim-in-use":            "PersistentVolumeClaim, finalizer, terminating",
	"terminating-endpoint":    "EndpointSlice, endpoint, terminating, preStop hook, grace period",
	"canary":                  "Service, canary, blue-green, label, endpoint",
	"daemonset-nodes":         "DaemonSet, cordon, taint, toleration",
	"cronjob-missed":          "CronJob, concurrencyPolicy, startingDeadlineSeconds, Job",
	"autoscaler":              "HorizontalPodAutoscaler, replica",
	"taints":                  "taint, toleration, node selector, NoExecute",
	"node-affinity":           "node affinity, label, filter, score",
	"node-failure":            "lease, taint, toleration, terminating",
	"reclaim-policy":          "claim, volume, reclaim policy, finalizer",
	"configmap-rollout":       "ConfigMap, Pod template, roll back",
	"quota-and-limits":        "quota, LimitRange, admission",
	"service-account":         "ServiceAccount, Role, RoleBinding, ClusterRole, RBAC",
	"webhook-down":            "webhook, failurePolicy, back-off",
	"field-owners":            "server-side apply, field manager, conflict",
	"namespace-terminating":   "namespace, finalizer, terminating, 403",
	"write-a-controller":      "informer, handler, work queue, worker, cache, conflict, sync",
	"controller-manager-tour": "informer, work queue, watch event, lease, cache",
}

// TestTheGlossaryKnowsWhatLessonsTeach holds each lesson to the third rule. The terms are words of the lesson.
func TestTheGlossaryKnowsWhatLessonsTeach(t *testing.T) {
	eachLesson(t, func(file string) {
		texts, data := lessonTexts(t, file)
		var said strings.Builder
		for _, told := range texts {
			said.WriteString(strings.Join(told.texts, "\n") + "\n")
		}
		found := glossary.In(said.String())
		name := strings.TrimSuffix(path.Base(file), ".yaml")
		for term := range strings.SplitSeq(teaches[name], ", ") {
			known, ok := glossary.Lookup(term)
			if !ok {
				t.Errorf("%s teaches %q, which is not in the glossary", file, term)
			} else if !slices.ContainsFunc(found, func(t glossary.Term) bool { return t.Name == known.Name }) {
				t.Errorf("%s does not speak of %q, which it should teach", file, term)
			}
		}
		for _, kind := range regexp.MustCompile(`(?m)^kind: (\w+)$`).FindAllStringSubmatch(data, -1) {
			if _, ok := glossary.Lookup(kind[1]); !ok {
				t.Errorf("%s creates a %s, which is not in the glossary", file, kind[1])
			}
		}
	})
}

// TestTheGlossaryNamesNoFunctions holds the meanings of terms to the second rule.
func TestTheGlossaryNamesNoFunctions(t *testing.T) {
	// Values and reasons of the API that need no row of their own.
	values := []string{"OnFailure", "ScalingReplicaSet"}
	for _, section := range glossary.Sections {
		for _, term := range section.Terms {
			for _, word := range identifier.FindAllString(term.Meaning, -1) {
				if _, ok := glossary.Lookup(word); !ok && !slices.Contains(values, word) {
					t.Errorf("%s: %s is not a term", term.Name, word)
				}
			}
		}
	}
}

// eachLesson calls do with the file of each lesson.
func eachLesson(t *testing.T, do func(file string)) {
	t.Helper()
	files, err := library.Files()
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		if strings.HasPrefix(file, "lessons/") {
			do(file)
		}
	}
}
