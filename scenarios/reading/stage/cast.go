package stage

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"

	"github.com/kubestep/kubestep/scenarios/reading/scene"
	"github.com/kubestep/kubestep/sim/kinds"
	"github.com/kubestep/kubestep/sim/trace"
)

// Cast are the objects of a recording that the stage shows, with their names. It is not safe for concurrent use.
type Cast struct {
	// Programs are those at the left, in their order.
	Programs []*scene.Component
	// Members are the objects, in the order in which they are listed.
	Members []*Member

	scenes   *scene.Scenes
	byObject map[trace.Object]*Member
	// said are the words of objects, requests what Pods request, and machines what nodes are, by their versions.
	said     map[version]words
	requests map[version]corev1.ResourceList
	machines map[version]*Node
	// requested are the resources that a Pod of the recording requests, in alphabetical order.
	requested []corev1.ResourceName
	spoken    *strings.Replacer
}

// version is a version of an object, by its index.
type version struct {
	trace.Object
	at int
}

// Member is an object that the stage shows.
type Member struct {
	Object trace.Object
	// Kind is its kind, and Name what people call it: v2 for a ReplicaSet, v2 · 3 for a Pod, web for a Deployment.
	Kind, Name string
	// Short is what stands in the small box of a Pod: 3. It is empty for everything else.
	Short string
	// Version numbers the ReplicaSets of a Deployment, and their Pods, from 1; 0 for what has no version.
	Version int

	owner *Member
	uid   types.UID
	born  int64
}

// String is the name with the kind: Pod v2 · 3.
func (m *Member) String() string { return m.Kind + " " + m.Name }

// IsPod reports whether the member is a Pod.
func (m *Member) IsPod() bool { return m.Object.Resource == "pods" }

// mostPrograms is how many programs there is room for.
const mostPrograms = 6

// backstage are the resources that the stage does not show: nodes have a place of their own, and the others say something about what is
// shown already, or how the API server works.
var backstage = map[string]bool{
	"nodes": true, "events": true, "events.events.k8s.io": true, "leases.coordination.k8s.io": true, "endpoints": true,
	"controllerrevisions.apps": true, "csinodes.storage.k8s.io": true, "ipaddresses.networking.k8s.io": true,
	"servicecidrs.networking.k8s.io": true, "customresourcedefinitions.apiextensions.k8s.io": true,
	"flowschemas.flowcontrol.apiserver.k8s.io": true, "prioritylevelconfigurations.flowcontrol.apiserver.k8s.io": true,
	"resourceslices.resource.k8s.io": true, "csistoragecapacities.storage.k8s.io": true, "csidrivers.storage.k8s.io": true,
}

// given are the objects that every namespace has.
var given = map[string]bool{"configmaps/kube-root-ca.crt": true, "serviceaccounts/default": true}

// New finds the cast of a recording. It looks at the first version of each object.
func New(scenes *scene.Scenes) *Cast {
	c := &Cast{
		scenes: scenes, byObject: map[trace.Object]*Member{},
		said: map[version]words{}, requests: map[version]corev1.ResourceList{}, machines: map[version]*Node{},
	}
	for _, o := range scenes.Foremost(mostPrograms+1, scenes.Focused()...) {
		if o.Role != scene.Kubelet && len(c.Programs) < mostPrograms {
			c.Programs = append(c.Programs, o)
		}
	}
	byUID := map[types.UID]*Member{}
	owners := map[*Member]types.UID{}
	for _, o := range scenes.Objects() {
		if m, owner := c.member(o); m != nil {
			c.Members = append(c.Members, m)
			c.byObject[o], byUID[m.uid], owners[m] = m, m, owner
		}
	}
	for m, uid := range owners {
		m.owner = byUID[uid]
	}
	c.name()
	c.order()
	c.spoken = c.replacer()
	c.requested = c.resources()
	return c
}

// member is an object as it was when it was created, and the uid of its controller; nil if the stage does not show it.
func (c *Cast) member(o trace.Object) (m *Member, owner types.UID) {
	rec := c.scenes.Rec
	versions := rec.Versions(o)
	if backstage[o.Resource] || given[o.Resource+"/"+o.Name] || len(versions) == 0 || rec.Actor(versions[0].Seq) == trace.APIServerActor {
		return nil, ""
	}
	created, ok := rec.CreationOf(o)
	if !ok {
		return nil, ""
	}
	born := versions[0].Seq
	return &Member{Object: o, Kind: c.kindOf(o, born), Name: o.Name, uid: types.UID(created.UID), born: born}, types.UID(created.Controller)
}

func (c *Cast) kindOf(o trace.Object, born int64) string {
	if kind := kinds.BuiltIn().Of(schema.ParseGroupResource(o.Resource)); kind != nil {
		return kind.Kind
	}
	object := unstructured.Unstructured{Object: c.scenes.Rec.Replay.ObjectAt(o, born)}
	return cmp.Or(object.GetKind(), o.Resource)
}

// order sorts the members of one resource by when they were created, and keeps the order of the resources.
func (c *Cast) order() {
	first := map[string]int{}
	for i, m := range c.Members {
		if _, known := first[m.Object.Resource]; !known {
			first[m.Object.Resource] = i
		}
	}
	slices.SortStableFunc(c.Members, func(a, b *Member) int {
		return cmp.Or(cmp.Compare(first[a.Object.Resource], first[b.Object.Resource]), cmp.Compare(a.born, b.born))
	})
}

// name gives the members names that can be said: those of one owner are numbered as they were created.
func (c *Cast) name() {
	owned := map[*Member][]*Member{}
	inOrder := slices.Clone(c.Members)
	slices.SortStableFunc(inOrder, func(a, b *Member) int { return cmp.Compare(a.born, b.born) })
	deployments := 0
	for _, m := range inOrder {
		if m.owner != nil {
			owned[m.owner] = append(owned[m.owner], m)
		}
		if m.Kind == "Deployment" {
			deployments++
		}
	}
	for owner, list := range owned {
		switch owner.Kind {
		case "Deployment":
			c.versions(list, owner.Name, deployments > 1)
		case "Service":
			// An EndpointSlice has the name of its Service with a hash.
			list[0].Name = owner.Name
		}
	}
	if deployments > 1 {
		alike(inOrder)
	}
	for owner, list := range owned {
		pods := slices.DeleteFunc(slices.Clone(list), func(m *Member) bool { return !m.IsPod() })
		for i, pod := range pods {
			pod.number(owner, i+1)
		}
	}
	for _, m := range c.Members {
		if m.IsPod() && m.Short == "" {
			m.Short = m.Name
		}
	}
}

// versions names the ReplicaSets of a Deployment: by the tags of their images if all of these are short and differ, or else v1, v2 and so
// on. Where there are several Deployments, the name of theirs comes first.
func (c *Cast) versions(list []*Member, of string, several bool) {
	tags := make([]string, len(list))
	for i, set := range list {
		tags[i] = c.tag(set)
	}
	for i, set := range list {
		set.Version = i + 1
		set.Name = fmt.Sprintf("v%d", i+1)
		if distinct(tags) {
			set.Name = tags[i]
		}
		if several {
			set.Name = of + " " + set.Name
		}
	}
}

// alike gives the versions of all Deployments the same number where they have the same name: v2 of one, and v2 of another.
func alike(inOrder []*Member) {
	var names []string
	for _, m := range inOrder {
		if m.Version == 0 {
			continue
		}
		name := strings.TrimPrefix(m.Name, m.owner.Name+" ")
		i := slices.Index(names, name)
		if i < 0 {
			i = len(names)
			names = append(names, name)
		}
		m.Version = i + 1
	}
}

// longestTag is how many characters the tag of an image may have to be the name of a version.
const longestTag = 6

// tag is the tag of the first image of a ReplicaSet.
func (c *Cast) tag(set *Member) string {
	object := c.scenes.Rec.Replay.ObjectAt(set.Object, set.born)
	containers, _, _ := unstructured.NestedSlice(object, "spec", "template", "spec", "containers")
	if len(containers) == 0 {
		return ""
	}
	first, _ := containers[0].(map[string]any)
	image, _, _ := unstructured.NestedString(first, "image")
	return image[strings.LastIndexAny(image, ":/")+1:]
}

func distinct(tags []string) bool {
	seen := map[string]bool{}
	for _, tag := range tags {
		if tag == "" || len(tag) > longestTag || seen[tag] {
			return false
		}
		seen[tag] = true
	}
	return true
}

// number names a Pod of an owner. Pods of a StatefulSet have names that can be said; all others end with a hash.
func (m *Member) number(owner *Member, n int) {
	m.Short, m.Version = fmt.Sprint(n), owner.Version
	if owner.Kind == "StatefulSet" {
		m.Short = m.Name[strings.LastIndex(m.Name, "-")+1:]
		return
	}
	m.Name = owner.Name + " · " + m.Short
}

// Spoken is a text with the names that people say in place of those that end with a hash: "pods/web-7b6d7cdbc-mjgpm" becomes
// "Pod v2 · 3".
func (c *Cast) Spoken(text string) string { return c.spoken.Replace(text) }

// replacer knows the names. One that begins with another one comes first, since the first that matches counts.
func (c *Cast) replacer() *strings.Replacer {
	renamed := slices.Clone(c.Members)
	slices.SortStableFunc(renamed, func(a, b *Member) int { return cmp.Compare(len(b.Object.Name), len(a.Object.Name)) })
	var pairs []string
	for _, m := range renamed {
		plural, _, _ := strings.Cut(m.Object.Resource, ".")
		pairs = append(pairs, plural+"/"+m.Object.Name, m.String())
		if m.Name != m.Object.Name {
			pairs = append(pairs, m.Object.Namespace+"/"+m.Object.Name, m.Name, m.Object.Name, m.Name)
		}
	}
	return strings.NewReplacer(pairs...)
}
