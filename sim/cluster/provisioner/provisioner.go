// Package provisioner simulates an external provisioner, which creates volumes for claims and deletes them.
//
// It does for the StorageClasses that name it what kubernetes-csi/external-provisioner does for its driver. The
// PersistentVolume controller annotates a claim with the name of the provisioner; the provisioner creates a volume that
// is reserved for the claim, and the controller binds the two. When the claim is gone, the controller sets the volume's
// phase to Released, and the provisioner deletes it, if that is the volume's reclaim policy. A finalizer keeps the
// object of a volume until then, whoever deletes it.
//
// The volumes are directories on a node (hostPath), as those of the provisioners of minikube and of
// rancher/local-path-provisioner. Nothing attaches or mounts them. It also creates the volumes of CSI drivers (package plugins/csi), for
// the StorageClasses that name one, and calls their controllers for that.
package provisioner

import (
	"fmt"
	"slices"
	"strconv"
	"time"

	corev1 "k8s.io/api/core/v1"
	storagev1 "k8s.io/api/storage/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/component-helpers/storage/volume"

	"github.com/kubestep/kubestep/sim"
	"github.com/kubestep/kubestep/sim/apiserver"
	"github.com/kubestep/kubestep/sim/apiserver/memdb"
	"github.com/kubestep/kubestep/sim/cluster/plugins"
	"github.com/kubestep/kubestep/sim/cluster/plugins/csi"
	"github.com/kubestep/kubestep/sim/engine"
	"github.com/kubestep/kubestep/sim/network"
)

const (
	// Name is the provisioner's name in StorageClasses.
	Name = "kubestep.dev/provisioner"
	// Actor is its name in the trace.
	Actor = "external-provisioner"
	// takes is how long it takes to create or remove a volume.
	takes = time.Second
	// directory is the directory of the volumes on their nodes.
	directory = "/var/lib/kubestep/"
)

var (
	events  = corev1.SchemeGroupVersion.WithResource("events")
	claims  = corev1.SchemeGroupVersion.WithResource("persistentvolumeclaims")
	volumes = corev1.SchemeGroupVersion.WithResource("persistentvolumes")
	classes = storagev1.SchemeGroupVersion.WithResource("storageclasses")
)

// Provisioner creates and removes the volumes of a simulation.
type Provisioner struct {
	sim *sim.Simulation
	// drivers are the CSI drivers, by name, and calls are those to their controllers.
	drivers map[string]csi.Driver
	calls   *plugins.Calls
	// busy holds the claims and volumes in work.
	busy map[types.UID]bool
}

// Start starts the provisioner of a simulation, which also provisions for CSI drivers.
func Start(s *sim.Simulation, drivers ...csi.Driver) {
	p := &Provisioner{
		sim: s, busy: map[types.UID]bool{}, drivers: map[string]csi.Driver{},
		calls: &plugins.Calls{Seed: s.Seed, Server: Actor, Notice: plugins.Recorded(s.Recorder, Actor)},
	}
	for _, d := range drivers {
		p.drivers[d.Name] = d
	}
	s.OnChange(p.changed)
}

func (p *Provisioner) changed(change network.Change) {
	if change.Op == memdb.OpDelete {
		return
	}
	switch object := change.Object.(type) {
	case *corev1.PersistentVolumeClaim:
		if p.mustProvision(object) && !p.busy[object.UID] {
			p.busy[object.UID] = true
			p.begin(object, change.Seq)
		}
	case *corev1.PersistentVolume:
		if p.mustDelete(object) && !p.busy[object.UID] {
			p.busy[object.UID] = true
			if _, ok := p.driverOf(object); ok {
				p.after(p.reactionTime(object.Name), "delete|"+object.Name, func() { p.deleteVolume(object.UID, object.Name, change.Seq) })
				return
			}
			p.after(p.reactionTime(object.Name)+takes, "delete|"+object.Name, func() {
				delete(p.busy, object.UID)
				p.remove(object.Name, change.Seq)
			})
		}
	}
}

// reactionTime is how long the provisioner takes to react to a change of an object.
func (p *Provisioner) reactionTime(key string) time.Duration {
	return p.sim.Reaction("provisioner|" + key)
}

// after calls do after a delay.
func (p *Provisioner) after(delay time.Duration, key string, do func()) {
	p.sim.Engine.As(engine.Component).After(delay, "provisioner|"+key, do)
}

// mustProvision reports whether a claim waits for this provisioner. In a class that waits for the first consumer it
// does so only when the scheduler has picked a node.
func (p *Provisioner) mustProvision(claim *corev1.PersistentVolumeClaim) bool {
	if claim.Spec.VolumeName != "" || claim.DeletionTimestamp != nil || !p.provisions(claim.Annotations[volume.AnnStorageProvisioner]) {
		return false
	}
	class := p.classOf(claim)
	waits := class != nil && class.VolumeBindingMode != nil && *class.VolumeBindingMode == storagev1.VolumeBindingWaitForFirstConsumer
	return class != nil && (!waits || claim.Annotations[volume.AnnSelectedNode] != "")
}

// provisions reports whether a name in a StorageClass is that of this provisioner, or of a CSI driver.
func (p *Provisioner) provisions(name string) bool {
	_, isDriver := p.drivers[name]
	return name == Name || isDriver
}

// classOf is the class of a claim, nil if it is not one of this provisioner's.
func (p *Provisioner) classOf(claim *corev1.PersistentVolumeClaim) *storagev1.StorageClass {
	object, found := p.sim.State.Get(classes.GroupResource(), "", volume.GetPersistentVolumeClaimClass(claim))
	if !found || object.(*storagev1.StorageClass).Provisioner != claim.Annotations[volume.AnnStorageProvisioner] {
		return nil
	}
	return object.(*storagev1.StorageClass)
}

// mustDelete reports whether a volume has to be removed.
func (p *Provisioner) mustDelete(pv *corev1.PersistentVolume) bool {
	removed := pv.DeletionTimestamp != nil && !slices.Contains(pv.Finalizers, volume.PVDeletionProtectionFinalizer)
	return !removed && pv.Status.Phase == corev1.VolumeReleased && p.provisions(pv.Annotations[volume.AnnDynamicallyProvisioned]) &&
		pv.Spec.PersistentVolumeReclaimPolicy == corev1.PersistentVolumeReclaimDelete
}

// begin starts to create a volume for a claim.
func (p *Provisioner) begin(claim *corev1.PersistentVolumeClaim, cause int64) {
	key := claim.Namespace + "/" + claim.Name
	seen := p.reactionTime(key)
	if driver, ok := p.drivers[claim.Annotations[volume.AnnStorageProvisioner]]; ok {
		p.after(seen, "begin|"+key, func() { p.createVolume(driver, claim, cause) })
		return
	}
	p.after(seen, "begin|"+key, func() {
		p.begun(claim, cause)
	})
	p.after(seen+takes, "provision|"+key, func() { p.provision(claim, cause) })
}

// begun writes the Event that a volume is being created.
func (p *Provisioner) begun(claim *corev1.PersistentVolumeClaim, cause int64) {
	key := claim.Namespace + "/" + claim.Name
	p.event(claim, corev1.EventTypeNormal, "Provisioning",
		fmt.Sprintf("External provisioner is provisioning volume for claim %q", key), cause)
}

// provision writes the volume of a claim, if that still waits for it.
func (p *Provisioner) provision(claim *corev1.PersistentVolumeClaim, cause int64) {
	delete(p.busy, claim.UID)
	current := p.waiting(claim)
	if current == nil {
		return
	}
	pv := p.newVolume(current, p.classOf(current))
	_, err := p.sim.Execute(apiserver.Request{Actor: Actor, Verb: "create", Resource: volumes, Object: pv}, cause, false)
	if err == nil {
		p.event(current, corev1.EventTypeNormal, "ProvisioningSucceeded", "Successfully provisioned volume "+pv.Name, cause)
	}
}

// waiting is a claim that still waits for its volume; nil if it does not.
func (p *Provisioner) waiting(claim *corev1.PersistentVolumeClaim) *corev1.PersistentVolumeClaim {
	object, found := p.sim.State.Get(claims.GroupResource(), claim.Namespace, claim.Name)
	if !found || object.(*corev1.PersistentVolumeClaim).UID != claim.UID || !p.mustProvision(object.(*corev1.PersistentVolumeClaim)) {
		return nil
	}
	return object.(*corev1.PersistentVolumeClaim)
}

// newVolume returns a volume that is reserved for a claim. A directory is on the claim's node, if it has one; a volume of a CSI driver can
// be attached to any.
func (p *Provisioner) newVolume(claim *corev1.PersistentVolumeClaim, class *storagev1.StorageClass) *corev1.PersistentVolume {
	name := "pvc-" + string(claim.UID)
	kind := corev1.HostPathDirectoryOrCreate
	pv := &corev1.PersistentVolume{
		ObjectMeta: metav1.ObjectMeta{
			Name: name, Annotations: map[string]string{volume.AnnDynamicallyProvisioned: class.Provisioner},
			Finalizers: []string{volume.PVDeletionProtectionFinalizer},
		},
		Spec: corev1.PersistentVolumeSpec{
			Capacity:    corev1.ResourceList{corev1.ResourceStorage: claim.Spec.Resources.Requests[corev1.ResourceStorage]},
			AccessModes: claim.Spec.AccessModes, VolumeMode: claim.Spec.VolumeMode,
			StorageClassName: class.Name, MountOptions: class.MountOptions,
			PersistentVolumeReclaimPolicy: *class.ReclaimPolicy,
			ClaimRef: &corev1.ObjectReference{
				APIVersion: "v1", Kind: "PersistentVolumeClaim", Namespace: claim.Namespace, Name: claim.Name,
				UID: claim.UID, ResourceVersion: claim.ResourceVersion,
			},
			PersistentVolumeSource: corev1.PersistentVolumeSource{
				HostPath: &corev1.HostPathVolumeSource{Path: directory + name, Type: &kind},
			},
		},
	}
	if driver, ok := p.drivers[class.Provisioner]; ok {
		pv.Spec.PersistentVolumeSource = corev1.PersistentVolumeSource{
			CSI: &corev1.CSIPersistentVolumeSource{Driver: driver.Name, VolumeHandle: name},
		}
		return pv
	}
	if node := claim.Annotations[volume.AnnSelectedNode]; node != "" {
		pv.Spec.NodeAffinity = &corev1.VolumeNodeAffinity{Required: &corev1.NodeSelector{NodeSelectorTerms: []corev1.NodeSelectorTerm{{
			MatchExpressions: []corev1.NodeSelectorRequirement{{
				Key: corev1.LabelHostname, Operator: corev1.NodeSelectorOpIn, Values: []string{node},
			}},
		}}}}
	}
	return pv
}

// remove deletes a volume and then the finalizer of its object.
func (p *Provisioner) remove(name string, cause int64) {
	object, found := p.sim.State.Get(volumes.GroupResource(), "", name)
	if !found || !p.mustDelete(object.(*corev1.PersistentVolume)) {
		return
	}
	if object.(*corev1.PersistentVolume).DeletionTimestamp == nil {
		_, _ = p.sim.Execute(apiserver.Request{Actor: Actor, Verb: "delete", Resource: volumes, Name: name}, cause, false)
	}
	if object, found = p.sim.State.Get(volumes.GroupResource(), "", name); !found {
		return
	}
	pv := object.(*corev1.PersistentVolume).DeepCopy()
	pv.Finalizers = slices.DeleteFunc(pv.Finalizers, func(f string) bool { return f == volume.PVDeletionProtectionFinalizer })
	_, _ = p.sim.Execute(apiserver.Request{Actor: Actor, Verb: "update", Resource: volumes, Name: name, Object: pv}, cause, false)
}

// event writes an Event about a claim.
func (p *Provisioner) event(claim *corev1.PersistentVolumeClaim, severity, reason, message string, cause int64) {
	now, component := metav1.Now(), claim.Annotations[volume.AnnStorageProvisioner]
	_, _ = p.sim.Execute(apiserver.Request{
		Actor: Actor, Verb: "create", Resource: events, Namespace: claim.Namespace,
		Object: &corev1.Event{
			ObjectMeta: metav1.ObjectMeta{Namespace: claim.Namespace, Name: claim.Name + "." + strconv.FormatInt(now.UnixNano(), 16)},
			InvolvedObject: corev1.ObjectReference{
				APIVersion: "v1", Kind: "PersistentVolumeClaim", Namespace: claim.Namespace, Name: claim.Name,
				UID: claim.UID, ResourceVersion: claim.ResourceVersion,
			},
			Type: severity, Reason: reason, Message: message, Count: 1,
			FirstTimestamp: now, LastTimestamp: now, Source: corev1.EventSource{Component: component}, ReportingController: component,
		},
	}, cause, true)
}
