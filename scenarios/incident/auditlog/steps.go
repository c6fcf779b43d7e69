package auditlog

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"path"
	"regexp"
	"slices"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	auditv1 "k8s.io/apiserver/pkg/apis/audit/v1"

	"github.com/kubestep/kubestep/scenarios/language/format"
	"github.com/kubestep/kubestep/scenarios/language/notation"
	"github.com/kubestep/kubestep/scenarios/language/snapshot"
	"github.com/kubestep/kubestep/scenarios/runner"
	"github.com/kubestep/kubestep/sim/kinds"
	"github.com/kubestep/kubestep/sim/trace"
)

// Options say which requests to take.
type Options struct {
	// Namespaces are those whose requests are taken; without any, all but the system's.
	Namespaces []string
	// Since and Until bound the time; the zero time does not.
	Since, Until time.Time
}

// taker makes steps of requests.
type taker struct {
	*Log
	options Options
	state   *snapshot.State
	reader  *runner.StepReader
	// objects are those that requests have created, by kind, namespace and name.
	objects map[string]bool
	// lacking are the names of the objects that requests need, hidden those whose values are replaced, and guessed those of
	// patches whose type is not certain, and orphaned those that lose references to owners.
	lacking, hidden, guessed, orphaned []string
	// renamed are the Pods among those that requests need, and missing are the resources that a dump should have.
	renamed, missing []string
	// plain are the objects of deletions and evictions whose options are not known.
	plain []string
	// images are those of containers that nothing is known about.
	images []string

	steps []snapshot.Step
	// taken counts the steps by who made them.
	taken map[string]int
	kinds map[string]bool
}

// Continue makes the file of a scenario that begins in a state and continues with the requests of the log.
func (l *Log) Continue(state *snapshot.State, options Options) ([]byte, *snapshot.Report, error) {
	t := &taker{Log: l, options: options, state: state, objects: map[string]bool{}, taken: map[string]int{}, kinds: map[string]bool{}}
	state.AddKubelets(l.kubelets.reported())
	definitions := t.definitions()
	state.AddDefinitions(definitions)
	base, err := state.Scenario()
	if err != nil {
		return nil, nil, err
	}
	base.Spec.Cluster.Definitions = manifestsOf(definitions) // steps are read after those that define their kinds
	if t.reader, err = runner.NewStepReader(base); err != nil {
		return nil, nil, err
	}
	var chosen []*request
	for _, r := range l.sorted() {
		switch why, what := t.choose(r); {
		case why != "":
			l.count(why, what)
		case r.lacks != "":
			l.count(r.lacks, resourceOf(r.event))
		default:
			chosen = append(chosen, r)
		}
	}
	state.AddNamespaces(t.namespaces(chosen))
	for _, r := range chosen {
		if why := t.take(r); why != "" {
			l.count(why, resourceOf(r.event))
		}
	}
	state.AddKinds(slices.Sorted(maps.Keys(t.kinds)))
	return state.File(t.steps, t.report(), t.omissions(), t.remarks())
}

// choose returns why a request is not taken, apart from the objects that there are.
func (t *taker) choose(r *request) (why, what string) {
	ref := r.event.ObjectRef
	system := []string{metav1.NamespaceSystem, metav1.NamespacePublic, corev1.NamespaceNodeLease}
	served := schema.GroupResource{Group: ref.APIGroup, Resource: ref.Resource}
	kind := t.state.Kind(served)
	switch resource := resourceOf(r.event); {
	case kind == nil:
		t.undefine(served)
		return notServed, resource
	case !slices.Contains(kind.Versions, ref.APIVersion) && kinds.BuiltIn().Of(served) == nil:
		return notServed, resource
	case ref.Namespace != "" && kind.Namespaced && len(t.options.Namespaces) > 0 && !slices.Contains(t.options.Namespaces, ref.Namespace),
		len(t.options.Namespaces) == 0 && slices.Contains(system, ref.Namespace):
		return elsewhere, ref.Namespace
	}
	switch why := t.untimely(kind, r); why {
	case early:
		return early, userOf(r.event)
	default:
		return why, resourceOf(r.event)
	}
}

// untimely returns why a request is before or after what the scenario is about; empty if it is not.
func (t *taker) untimely(kind *kinds.Kind, r *request) string {
	switch {
	case !t.options.Since.IsZero() && r.at.Before(t.options.Since), !t.options.Until.IsZero() && r.at.After(t.options.Until):
		return outside
	case t.options.Since.IsZero() && t.inState(kind, r):
		return early
	}
	return ""
}

// inState reports whether the dump has the result of a request. The resourceVersions of an object decide, if both are known;
// otherwise, the time does. Times in objects have no fractions of a second.
func (t *taker) inState(kind *kinds.Kind, r *request) bool {
	ref := r.event.ObjectRef
	if dumped, ok := t.state.Has(kind.Kind, namespaceOf(kind, r), ref.Name); ok && dumped > 0 && r.revision > 0 {
		return r.revision <= dumped
	}
	return r.at.Before(t.state.Dumped())
}

func namespaceOf(kind *kinds.Kind, r *request) string {
	if kind.Namespaced {
		return r.event.ObjectRef.Namespace
	}
	return ""
}

// namespaces are those that requests create objects in, and that neither the state nor a request has.
func (t *taker) namespaces(requests []*request) (names []string) {
	made := map[string]bool{}
	for _, r := range requests {
		ref := r.event.ObjectRef
		_, there := t.state.Has("Namespace", "", ref.Namespace)
		switch {
		case ref.Resource == "namespaces" && r.event.Verb == "create":
			made[r.name()] = true
		case ref.Namespace == "" || ref.Resource == "namespaces" || there || made[ref.Namespace] ||
			t.exists("Namespace", "", ref.Namespace):
		case r.event.Verb == "create" || r.made:
			made[ref.Namespace] = true
			names = append(names, ref.Namespace)
		}
	}
	return names
}

// name is the name of the object of a request: that in the path, in the body, or, if the server made it, in the response.
func (r *request) name() string {
	var object metav1.PartialObjectMetadata
	if r.event.RequestObject != nil {
		_ = json.Unmarshal(r.event.RequestObject.Raw, &object) // patches may be something else
	}
	return cmp.Or(r.event.ObjectRef.Name, object.Name, r.created)
}

// take makes a step of a request, or returns why it cannot.
func (t *taker) take(r *request) (why string) {
	ref := r.event.ObjectRef
	kind := t.state.Kind(schema.GroupResource{Group: ref.APIGroup, Resource: ref.Resource})
	namespace, name := namespaceOf(kind, r), r.name()
	title := titleOf(kind.Kind, namespace, name)
	creates := r.event.Verb == "create" && ref.Subresource == "" || r.event.Verb == "patch" && r.made
	if !creates && r.event.Verb != "deletecollection" && !t.exists(kind.Kind, namespace, name) {
		t.lack(kind, title)
		return absent
	}
	request, err := r.http(kind, t.state.HasUID)
	if err != nil {
		return nothing
	}
	if request == nil {
		return ofServer
	}
	step, ok := t.step(request.Request)
	if !ok {
		return nothing
	}
	if request.managed {
		t.state.RecordManagers()
	}
	for _, of := range []struct {
		is    bool
		names *[]string
	}{{request.hidden, &t.hidden}, {request.guessed, &t.guessed}, {request.orphaned, &t.orphaned},
		{r.event.RequestObject == nil && r.event.Level == auditv1.LevelMetadata, &t.plain}} {
		if of.is {
			*of.names = append(*of.names, title)
		}
	}
	for _, image := range request.images {
		if !t.state.HasImage(image) {
			t.images = append(t.images, image)
		}
	}
	at := max(r.at.Sub(t.state.Start()), 0).Round(time.Millisecond)
	step.At = &notation.Duration{Duration: at}
	who := userOf(r.event)
	if client := clientOf(r.event); client != "" {
		who += " with " + client
	}
	t.steps = append(t.steps, snapshot.Step{Step: step, Comment: r.at.UTC().Format(time.RFC3339) + " " + who})
	t.taken[who]++
	if r.event.ImpersonatedUser != nil {
		t.count(asOthers, userOf(r.event))
	}
	t.objects[title] = true
	t.kinds[kind.Kind] = true
	return ""
}

// lack notes an object that a request needs. It may be in the dump of somebody who dumps its kind, unless a request without a body may
// have created it.
func (t *taker) lack(kind *kinds.Kind, title string) {
	if kind.Kind == "Pod" {
		t.renamed = append(t.renamed, title)
		return
	}
	t.lacking = append(t.lacking, title)
	if len(t.omitted[bodiless]) == 0 {
		t.missing = append(t.missing, kind.GroupResource().String())
	}
}

// titleOf names an object: Pod default/web-1.
func titleOf(kind, namespace, name string) string { return kind + " " + path.Join(namespace, name) }

// step is the step of a request.
func (t *taker) step(request *http.Request) (step format.Step, ok bool) {
	wire, ok, err := t.reader.Request(request)
	if err != nil || !ok {
		return step, false
	}
	if wire.Object == nil && wire.Verb == "create" {
		custom := &unstructured.Unstructured{}
		if custom.UnmarshalJSON(wire.Body()) == nil {
			wire.Object = custom
		}
	}
	return t.reader.Logged(wire, request)
}

// ordinal is the end of the names that StatefulSets and CronJobs give, and hash that of ReplicaSets: a run gives the same names.
var ordinal, hash = regexp.MustCompile(`^(.+)-\d+$`), regexp.MustCompile(`^(.+)-[a-z0-9]{5,10}$`)

// owners are the kinds whose controllers give objects names that a run gives them, too.
var owners = map[string]struct {
	owner string
	name  *regexp.Regexp
}{
	"Pod": {"StatefulSet", ordinal}, "Job": {"CronJob", ordinal}, "ReplicaSet": {"Deployment", hash},
}

// exists reports whether the scenario has an object when a request is due: from the dump, from an earlier request, from a controller
// that gives names which can be foreseen, or from the start of the API server.
func (t *taker) exists(kind, namespace, name string) bool {
	if _, ok := t.state.Has(kind, namespace, name); ok || t.objects[titleOf(kind, namespace, name)] {
		return true
	}
	if kind == "Namespace" {
		return name == metav1.NamespaceDefault || strings.HasPrefix(name, "kube-")
	}
	of, ok := owners[kind]
	if found := of.name; ok {
		if match := found.FindStringSubmatch(name); match != nil {
			return t.exists(of.owner, namespace, match[1])
		}
	}
	return false
}

// report says what is taken.
func (t *taker) report() []string {
	if len(t.steps) == 0 {
		return []string{"no requests"}
	}
	return []string{fmt.Sprintf("%s, until %s after the start: %s", trace.Count(len(t.steps), "request"),
		t.steps[len(t.steps)-1].At, snapshot.Counted(t.taken))}
}

// remarks are sentences about what may differ from the cluster, and what to do.
func (t *taker) remarks() []string {
	lines := slices.Clone(t.warnings)
	add := func(of []string, format string) {
		if len(of) > 0 {
			slices.Sort(of)
			lines = append(lines, fmt.Sprintf(format, snapshot.Some(slices.Compact(of))))
		}
	}
	add(t.hidden, "the values in the requests are replaced: %s")
	add(t.guessed, "an audit log does not have the types of patches; these are taken as strategic merge patches: %s")
	add(t.plain, "the log does not have the options of the deletions and evictions of these Pods, so they have the defaults: %s")
	add(t.orphaned, "objects without the references to their owners, which are not in the dump and get other uids in a run: %s")
	add(t.images, "nothing says whether containers with these images become ready, so they do: see spec.cluster.pods: %s")
	add(t.lacking, "objects that requests need, but the scenario does not have: %s")
	add(t.renamed, "requests for these Pods are not taken, as controllers give Pods other names in a run; "+
		"add steps for Pods of the run instead: %s")
	if command := t.fetch(); command != "" {
		lines = append(lines, "for a dump with the kinds that requests need: "+command)
	}
	if len(t.omitted[bodiless]) > 0 {
		lines = append(lines, "for the bodies of requests, set the level of the audit policy to Request or RequestResponse")
	}
	if len(t.omitted[truncated]) > 0 {
		lines = append(lines,
			"for complete bodies, set --audit-log-truncate-enabled=false, or a larger --audit-log-truncate-max-event-size")
	}
	if len(t.steps) == 0 && len(t.omitted[early]) > 0 && len(t.omitted[absent])+len(t.omitted[bodiless]) == 0 {
		lines = append(lines,
			"all requests are older than the dump, which has their results; to take them, use an older dump, none, or --since")
	}
	return lines
}
