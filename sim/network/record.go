package network

import (
	"encoding/json"
	"errors"
	"strconv"
	"strings"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/kubestep/kubestep/sim/apiserver"
	"github.com/kubestep/kubestep/sim/apiserver/memdb"
	"github.com/kubestep/kubestep/sim/trace"
	"github.com/kubestep/kubestep/sim/trace/diff"
)

// requestRecord returns the record of a request and its response.
func requestRecord(c *call, object runtime.Object, err error) *trace.Record {
	req := c.request
	r := &trace.Request{
		Verb: req.Verb, Object: objectOf(req.Resource, req.Namespace, requestName(req)),
		Subresource: req.Subresource, Sent: c.sent, Code: 200,
	}
	if req.Verb == "create" {
		r.Code = 201
	}
	if len(req.Patch) > 0 && json.Valid(req.Patch) {
		r.Patch = req.Patch
	}
	if err != nil {
		r.Code, r.Reason, r.Message = 500, string(metav1.StatusReasonInternalError), err.Error()
		var status apierrors.APIStatus
		if errors.As(err, &status) {
			r.Code, r.Reason = int(status.Status().Code), string(status.Status().Reason)
		}
	} else if object != nil {
		if items := meta.LenList(object); meta.IsListType(object) {
			r.Items, r.Metrics = &items, metricsOf(req.Resource, object)
		}
		if accessor, err := meta.CommonAccessor(object); err == nil {
			r.RV = accessor.GetResourceVersion()
		}
		if accessor, err := meta.Accessor(object); err == nil && r.Name == "" && req.Verb == "create" {
			r.Name = accessor.GetName()
		}
	}
	return &trace.Record{Kind: trace.KindRequest, Actor: req.Actor, Request: r}
}

// objectOf returns the name of an object in the trace.
func objectOf(resource schema.GroupVersionResource, namespace, name string) trace.Object {
	return trace.Object{Resource: resource.GroupResource().String(), Namespace: namespace, Name: name}
}

// splitResource splits the name of a resource in the trace: deployments.apps.
func splitResource(name string) (resource, group string) {
	resource, group, _ = strings.Cut(name, ".")
	return resource, group
}

var ops = map[memdb.Op]trace.Op{
	memdb.OpCreate: trace.OpCreate, memdb.OpUpdate: trace.OpUpdate, memdb.OpDelete: trace.OpDelete,
}

var verbs = map[memdb.Op]string{memdb.OpCreate: "create", memdb.OpUpdate: "update", memdb.OpDelete: "delete"}

// writeOf describes a commit: a creation by its object, an update by the fields that it changed.
func writeOf(commit apiserver.Commit) trace.Write {
	accessor, err := meta.Accessor(commit.Object)
	if err != nil {
		panic("network: a stored object without metadata: " + err.Error())
	}
	w := trace.Write{
		Op: ops[commit.Op], Object: objectOf(commit.Resource, accessor.GetNamespace(), accessor.GetName()),
		UID: string(accessor.GetUID()), RV: commit.Revision,
	}
	if commit.Previous != nil {
		if previous, err := meta.Accessor(commit.Previous); err == nil {
			w.Before, _ = strconv.ParseUint(previous.GetResourceVersion(), 10, 64)
		}
	}
	switch commit.Op {
	case memdb.OpCreate:
		if w.New, err = json.Marshal(commit.Object); err != nil {
			panic("network: a stored object does not marshal: " + err.Error())
		}
	case memdb.OpUpdate:
		w.Changes = diff.Objects(commit.Previous, commit.Object)
	}
	return w
}
