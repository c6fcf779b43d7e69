package invariant

import (
	"fmt"
	"slices"
	"strconv"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/kubestep/kubestep/scenarios/verdict/invariant/internal/knowledge"
	"github.com/kubestep/kubestep/sim/apiserver/memdb"
	"github.com/kubestep/kubestep/sim/trace"
)

var deletedAsRead = Invariant{
	Name:     "deleted-as-read",
	Sentence: "A controller that deletes a Pod by name deletes the Pod that it has read, not a replacement with the same name.",
	Forgives: "Deletions by users and kubelets, and deletions of collections.",
	Upstream: "Preconditions.UID of DeleteOptions; DeletePod in pkg/controller/controller_utils.go does not set it",
	watch: func(r *Run) watcher {
		return &asRead{run: r, lives: map[string]*knowledge.History[types.UID]{}, live: map[live][]uint64{}}
	},
}

type asRead struct {
	passive
	run *Run
	// lives are the Pods that a name had, "" while there was none.
	lives map[string]*knowledge.History[types.UID]
	// live are the revisions of what was read from the API server itself, in a sync or, without one, by an actor.
	live   map[live][]uint64
	looked bool
}

type live struct {
	sync  int64
	actor string
}

func (a *asRead) hasLooked() bool { return a.looked }

func (a *asRead) record(record *trace.Record) {
	switch {
	case record.Sync != nil && record.Sync.Phase == trace.PhaseEnd:
		delete(a.live, live{record.Sync.Start, record.Actor})
	case record.Request != nil && record.Request.Resource == "pods" && record.Request.Code == 200 &&
		(record.Request.Verb == "get" || record.Request.Verb == "list"):
		if rv, err := strconv.ParseUint(record.Request.RV, 10, 64); err == nil {
			by := live{record.Cause, record.Actor}
			a.live[by] = append(a.live[by], rv)
		}
	}
}

func (a *asRead) change(c *change) {
	pod, ok := c.Object.(*corev1.Pod)
	if !ok {
		return
	}
	key := pod.Namespace + "/" + pod.Name
	if c.By.Request != nil && c.By.Request.Verb == "delete" && c.By.Request.Resource == "pods" && a.run.isChosen(c) {
		a.looked = true
		if lives := a.lives[key]; lives != nil && len(*lives) > 1 {
			a.deleted(c, pod, *lives)
		}
	}
	switch {
	case c.Op == memdb.OpDelete:
		a.lives[key].Add(c.Revision, "")
	case c.Previous == nil:
		if a.lives[key] == nil {
			a.lives[key] = &knowledge.History[types.UID]{}
		}
		a.lives[key].Add(c.Revision, pod.UID)
	}
}

// deleted looks at a deletion of a Pod whose name another one had before.
func (a *asRead) deleted(c *change, pod *corev1.Pod, lives knowledge.History[types.UID]) {
	read := lives.In(a.run.views.Of("pods", c.By))
	for _, rv := range a.live[live{c.By.Cause, c.By.Actor}] {
		read = append(read, lives.In(knowledge.Span{From: rv, To: rv})...)
	}
	if slices.Contains(read, pod.UID) {
		return
	}
	was := "its cache had no Pod of that name"
	if i := slices.IndexFunc(read, func(uid types.UID) bool { return uid != "" }); i >= 0 {
		was = "its cache had the one with uid " + string(read[i])
	}
	a.run.broken(c.Seq, fmt.Sprintf("%s deleted Pod %s/%s with uid %s, but %s",
		c.By.Actor, pod.Namespace, pod.Name, pod.UID, was))
}
