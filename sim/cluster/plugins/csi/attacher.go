package csi

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
	corev1 "k8s.io/api/core/v1"
	storagev1 "k8s.io/api/storage/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/kubestep/kubestep/sim"
	"github.com/kubestep/kubestep/sim/apiserver"
	"github.com/kubestep/kubestep/sim/apiserver/memdb"
	"github.com/kubestep/kubestep/sim/cluster/plugins"
	"github.com/kubestep/kubestep/sim/engine"
	"github.com/kubestep/kubestep/sim/network"
	"github.com/kubestep/kubestep/sim/trace"
)

const (
	// finalizerPrefix begins the finalizer of a driver, in which a dash stands for each dot.
	finalizerPrefix = "external-attacher/"
	// nodeIDAnnotation is that of a VolumeAttachment with what the driver calls the node.
	nodeIDAnnotation = "csi.alpha.kubernetes.io/node-id"
	// The first and the longest time until a call is tried again: --retry-interval-start and --retry-interval-max.
	firstRetry, lastRetry = time.Second, 5 * time.Minute
)

var (
	attachments = storagev1.SchemeGroupVersion.WithResource("volumeattachments")
	volumes     = corev1.SchemeGroupVersion.WithResource("persistentvolumes")
)

// attacher attaches and detaches the volumes of drivers.
type attacher struct {
	sim     *sim.Simulation
	drivers map[string]Driver
	calls   *plugins.Calls
	// busy are the VolumeAttachments in work, and failed counts their failures in a row.
	busy   map[string]bool
	failed map[string]int
}

// Start plays kubernetes-csi/external-attacher for drivers: it calls ControllerPublishVolume for a new VolumeAttachment and
// ControllerUnpublishVolume for a deleted one, whose finalizer keeps it until then.
func Start(s *sim.Simulation, drivers []Driver) {
	if len(drivers) == 0 {
		return
	}
	a := &attacher{
		sim: s, drivers: map[string]Driver{}, busy: map[string]bool{}, failed: map[string]int{},
		calls: &plugins.Calls{Seed: s.Seed, Server: trace.AttacherActor, Notice: plugins.Recorded(s.Recorder, trace.AttacherActor)},
	}
	for _, d := range drivers {
		a.drivers[d.Name] = d
	}
	s.OnChange(a.changed)
}

func (a *attacher) changed(change network.Change) {
	switch object := change.Object.(type) {
	case *storagev1.VolumeAttachment:
		if change.Op == memdb.OpDelete {
			delete(a.failed, object.Name)
			if name := volumeName(object); name != "" {
				a.after("release|"+name, a.sim.Reaction("attacher|"+name), func() { a.release(name, change.Seq) })
			}
			return
		}
		a.look(object.Name, change.Seq)
	case *corev1.PersistentVolume:
		if change.Op != memdb.OpDelete && object.DeletionTimestamp != nil {
			a.after("release|"+object.Name, a.sim.Reaction("attacher|"+object.Name), func() { a.release(object.Name, change.Seq) })
		}
	}
}

// after calls do after a delay.
func (a *attacher) after(key string, delay time.Duration, do func()) {
	a.sim.Engine.As(engine.Component).After(delay, "attacher|"+key, do)
}

// attachment returns a VolumeAttachment of a driver, and the driver; nil if there is none.
func (a *attacher) attachment(name string) (*storagev1.VolumeAttachment, Driver) {
	object, found := a.sim.State.Get(attachments.GroupResource(), "", name)
	if !found {
		return nil, Driver{}
	}
	va := object.(*storagev1.VolumeAttachment)
	driver, known := a.drivers[va.Spec.Attacher]
	if !known {
		return nil, Driver{}
	}
	return va.DeepCopy(), driver
}

// look begins what a VolumeAttachment needs.
func (a *attacher) look(name string, cause int64) {
	va, driver := a.attachment(name)
	if va == nil || a.busy[name] {
		return
	}
	detach := va.DeletionTimestamp != nil
	if held := slices.Contains(va.Finalizers, finalizer(driver.Name)); detach && !held || !detach && va.Status.Attached {
		return
	}
	a.busy[name] = true
	a.after("begin|"+name, a.sim.Reaction("attacher|"+name), func() {
		if va, _ = a.attachment(name); va == nil || (va.DeletionTimestamp != nil) != detach {
			a.done(name, cause)
			return
		}
		if detach {
			a.detach(driver, va, cause)
		} else {
			a.attach(driver, va, cause)
		}
	})
}

// done looks again at a VolumeAttachment that is not in work any more.
func (a *attacher) done(name string, cause int64) {
	delete(a.busy, name)
	a.look(name, cause)
}

// attach attaches a volume.
func (a *attacher) attach(driver Driver, va *storagev1.VolumeAttachment, cause int64) {
	node, err := a.nodeID(driver.Name, va.Spec.NodeName)
	pv := a.volume(volumeName(va))
	switch {
	case err != nil:
	case pv == nil:
		err = fmt.Errorf("persistentvolume %q not found", volumeName(va))
	case pv.DeletionTimestamp != nil:
		err = fmt.Errorf("PersistentVolume %q is marked for deletion", pv.Name)
	}
	if err != nil {
		a.fails(va.Name, cause, err, false)
		return
	}
	if !slices.Contains(va.Finalizers, finalizer(driver.Name)) {
		va.Finalizers = append(va.Finalizers, finalizer(driver.Name))
		metav1.SetMetaDataAnnotation(&va.ObjectMeta, nodeIDAnnotation, node)
		a.update(attachments, "", va, cause)
	}
	if !slices.Contains(pv.Finalizers, finalizer(driver.Name)) {
		pv = pv.DeepCopy()
		pv.Finalizers = append(pv.Finalizers, finalizer(driver.Name))
		a.update(volumes, "", pv, cause)
	}
	a.call(driver.ControllerPublishVolume, a.what(driver, "ControllerPublishVolume", va), func(err error) {
		if err == nil {
			err = a.elsewhere(va)
		}
		if err != nil {
			a.fails(va.Name, cause, err, false)
			return
		}
		if current, _ := a.attachment(va.Name); current != nil {
			current.Status = storagev1.VolumeAttachmentStatus{Attached: true}
			a.update(attachments, "status", current, cause)
		}
		delete(a.failed, va.Name)
		a.done(va.Name, cause)
	})
}

// detach detaches a volume.
func (a *attacher) detach(driver Driver, va *storagev1.VolumeAttachment, cause int64) {
	a.call(driver.ControllerUnpublishVolume, a.what(driver, "ControllerUnpublishVolume", va), func(err error) {
		if err != nil {
			a.fails(va.Name, cause, err, true)
			return
		}
		delete(a.failed, va.Name)
		if current, _ := a.attachment(va.Name); current != nil {
			current.Status.Attached, current.Status.DetachError = false, nil
			a.update(attachments, "status", current, cause)
		}
		if current, _ := a.attachment(va.Name); current != nil {
			current.Finalizers = slices.DeleteFunc(current.Finalizers, func(f string) bool { return f == finalizer(driver.Name) })
			a.update(attachments, "", current, cause)
		}
		a.done(va.Name, cause)
	})
}

// what is a call about a VolumeAttachment.
func (a *attacher) what(driver Driver, method string, va *storagev1.VolumeAttachment) trace.Call {
	return trace.Call{Object: trace.Object{Resource: volumes.Resource, Name: volumeName(va)}, Plugin: driver.Name, Method: method}
}

// call makes a call.
func (a *attacher) call(call plugins.Call, what trace.Call, then func(error)) {
	takes, end := a.calls.Begin(call, what)
	a.after(what.Method+"|"+what.Name, takes, func() {
		err := end(nil)
		if err != nil {
			err = status.Error(codes.Internal, err.Error())
		}
		then(err)
	})
}

// elsewhere is the error of a driver whose volume is attached to another node and may be attached to one only.
func (a *attacher) elsewhere(va *storagev1.VolumeAttachment) error {
	pv := a.volume(volumeName(va))
	if pv == nil {
		return nil
	}
	if modes := pv.Spec.AccessModes; slices.Contains(modes, corev1.ReadWriteMany) || slices.Contains(modes, corev1.ReadOnlyMany) {
		return nil
	}
	for _, object := range a.sim.State.List(attachments.GroupResource(), "") {
		other := object.(*storagev1.VolumeAttachment)
		if other.Name != va.Name && volumeName(other) == pv.Name && other.Status.Attached {
			return status.Errorf(codes.FailedPrecondition, "volume %s is attached to %s", pv.Name, other.Spec.NodeName)
		}
	}
	return nil
}

// fails writes the error of a call, which is tried again.
func (a *attacher) fails(name string, cause int64, err error, detaching bool) {
	if current, _ := a.attachment(name); current != nil {
		failure := &storagev1.VolumeError{Time: metav1.Now(), Message: err.Error()}
		if detaching {
			current.Status.DetachError = failure
		} else {
			current.Status.AttachError = failure
		}
		a.update(attachments, "status", current, cause)
	}
	wait := min(firstRetry<<min(a.failed[name], 10), lastRetry)
	a.failed[name]++
	a.after("retry|"+name, wait, func() { a.done(name, cause) })
}

// nodeID is what a driver calls a node, as the kubelet of the node has written to its CSINode.
func (a *attacher) nodeID(driver, node string) (string, error) {
	object, found := a.sim.State.Get(schema.GroupResource{Group: storagev1.GroupName, Resource: "csinodes"}, "", node)
	if !found {
		return "", fmt.Errorf("CSINode %s not found", node)
	}
	for _, d := range object.(*storagev1.CSINode).Spec.Drivers {
		if d.Name == driver {
			return d.NodeID, nil
		}
	}
	return "", fmt.Errorf("CSINode %s does not contain driver %s", node, driver)
}

// volume returns a PersistentVolume; nil if there is none.
func (a *attacher) volume(name string) *corev1.PersistentVolume {
	object, found := a.sim.State.Get(volumes.GroupResource(), "", name)
	if !found {
		return nil
	}
	return object.(*corev1.PersistentVolume)
}

// release removes the finalizer of a deleted volume that is attached to no node.
func (a *attacher) release(name string, cause int64) {
	pv := a.volume(name)
	if pv == nil || pv.DeletionTimestamp == nil || pv.Spec.CSI == nil || !slices.Contains(pv.Finalizers, finalizer(pv.Spec.CSI.Driver)) {
		return
	}
	for _, object := range a.sim.State.List(attachments.GroupResource(), "") {
		if volumeName(object.(*storagev1.VolumeAttachment)) == name {
			return
		}
	}
	pv = pv.DeepCopy()
	pv.Finalizers = slices.DeleteFunc(pv.Finalizers, func(f string) bool { return f == finalizer(pv.Spec.CSI.Driver) })
	a.update(volumes, "", pv, cause)
}

func (a *attacher) update(of schema.GroupVersionResource, subresource string, object metav1.Object, cause int64) {
	_, _ = a.sim.Execute(apiserver.Request{
		Actor: trace.AttacherActor, Verb: "update", Resource: of, Subresource: subresource, Name: object.GetName(),
		Object: object.(runtime.Object),
	}, cause, false)
}

// volumeName is the PersistentVolume of a VolumeAttachment.
func volumeName(va *storagev1.VolumeAttachment) string {
	if name := va.Spec.Source.PersistentVolumeName; name != nil {
		return *name
	}
	return ""
}

// finalizer is that of a driver on its volumes and VolumeAttachments.
func finalizer(driver string) string { return finalizerPrefix + strings.ReplaceAll(driver, ".", "-") }
