package compare

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/kubestep/kubestep/sim/recording"
	"github.com/kubestep/kubestep/sim/trace"
)

// Versions compares the runs of one scenario in two versions of Kubernetes. What only says which version ran is no
// difference: each version computes the hash of a template in its own way, so ReplicaSets and ControllerRevisions have
// their roles as names, web-(rev1) for the first one of web. Records are not compared one by one, because other informers
// and other log lines make all of them differ.
func Versions(recA, recB *recording.Recording, versionA, versionB string) *Report {
	a, b := newRoles(versionA).side(recA), newRoles(versionB).side(recB)
	report := &Report{A: a, B: b}
	report.compare()
	report.Final, report.Outages = report.Settled(), nil
	report.Equal = report.Decision == nil && len(report.Checks) == 0 && len(report.History) == 0 && len(report.Final) == 0
	return report
}

// hashed are the resources whose names end in a hash, and the labels that may have it: the ControllerRevisions of a StatefulSet and of a
// DaemonSet have different ones.
var hashed = map[string][]string{
	"replicasets.apps":         {"pod-template-hash"},
	"controllerrevisions.apps": {"controller.kubernetes.io/hash", "controller-revision-hash"},
}

// hashOf is the hash that the name of an object ends in; empty if there is none.
func hashOf(resource string, labels map[string]any) string {
	for _, label := range hashed[resource] {
		if hash, _ := labels[label].(string); hash != "" {
			return hash
		}
	}
	return ""
}

// roles gives objects whose names have a hash the names of their roles.
type roles struct {
	version string
	// revisions counts those of each workload.
	revisions map[trace.Object]int
}

func newRoles(version string) *roles { return &roles{version, map[trace.Object]int{}} }

// side is a recording with roles.
func (r *roles) side(rec *recording.Recording) *Side {
	finder := NewDecisions()
	finder.roles = r
	finder.names[r.version] = "(version)"
	return sideOf(rec, finder)
}

// add notes the role of what a request created.
func (r *roles) add(n names, request *trace.Request) {
	for i := range request.Writes {
		w := &request.Writes[i]
		if w.Op != trace.OpCreate || len(hashed[w.Resource]) == 0 {
			continue
		}
		var object struct {
			Metadata struct {
				Labels map[string]any `json:"labels"`
			} `json:"metadata"`
		}
		if json.Unmarshal(w.New, &object) != nil {
			continue
		}
		hash := hashOf(w.Resource, object.Metadata.Labels)
		workload, ok := strings.CutSuffix(w.Name, "-"+hash)
		if !ok || hash == "" {
			continue
		}
		of := w.Object
		of.Name = workload
		r.revisions[of]++
		n[w.Name] = fmt.Sprintf("%s-(rev%d)", workload, r.revisions[of])
		n[hash] = "(hash)"
	}
}

// Roles names objects so that runs with two versions of Kubernetes have the same names for the same objects.
type Roles struct {
	names names
	roles *roles
}

// NewRoles returns Roles before the first record.
func NewRoles() *Roles { return &Roles{names{}, newRoles("")} }

// Note learns the names of what a record creates. It is a trace.Sink.
func (r *Roles) Note(record *trace.Record, _ []byte) {
	if record.Request != nil {
		r.roles.add(r.names, record.Request)
		r.names.add(record.Request)
	}
}

// Object is an object with its role as its name: pods/web-(rev1)-* for pods/web-758dff96-x2x4z.
func (r *Roles) Object(o trace.Object) trace.Object { return r.names.object(o) }
