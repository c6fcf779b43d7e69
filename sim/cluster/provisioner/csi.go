package provisioner

import (
	"fmt"
	"time"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
	corev1 "k8s.io/api/core/v1"
	storagev1 "k8s.io/api/storage/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/component-helpers/storage/volume"

	"github.com/kubestep/kubestep/sim/cluster/plugins"
	"github.com/kubestep/kubestep/sim/cluster/plugins/csi"
	"github.com/kubestep/kubestep/sim/trace"
)

// retry is how long after a call that failed, or a volume that is still attached, the provisioner tries again. The time grows with each
// failure in external-provisioner; here it does not.
const retry = time.Second

var attachments = storagev1.SchemeGroupVersion.WithResource("volumeattachments")

// createVolume lets a driver create the volume of a claim.
func (p *Provisioner) createVolume(driver csi.Driver, claim *corev1.PersistentVolumeClaim, cause int64) {
	if p.waiting(claim) == nil {
		delete(p.busy, claim.UID)
		return
	}
	p.begun(claim, cause)
	p.call(driver, "CreateVolume", driver.CreateVolume, "pvc-"+string(claim.UID), func(err error) {
		if err == nil {
			p.provision(claim, cause)
			return
		}
		p.event(claim, corev1.EventTypeWarning, "ProvisioningFailed", fmt.Sprintf(
			"failed to provision volume with StorageClass %q: %v", volume.GetPersistentVolumeClaimClass(claim), err), cause)
		p.after(retry, "retry|"+claim.Namespace+"/"+claim.Name, func() { p.createVolume(driver, claim, cause) })
	})
}

// deleteVolume lets a driver delete a volume, as soon as it is attached to no node.
func (p *Provisioner) deleteVolume(uid types.UID, name string, cause int64) {
	object, found := p.sim.State.Get(volumes.GroupResource(), "", name)
	if !found || object.(*corev1.PersistentVolume).UID != uid || !p.mustDelete(object.(*corev1.PersistentVolume)) {
		delete(p.busy, uid)
		return
	}
	again := func() { p.deleteVolume(uid, name, cause) }
	if p.isAttached(name) {
		p.after(retry, "retry|"+name, again)
		return
	}
	driver, _ := p.driverOf(object.(*corev1.PersistentVolume))
	p.call(driver, "DeleteVolume", driver.DeleteVolume, name, func(err error) {
		if err != nil {
			p.after(retry, "retry|"+name, again)
			return
		}
		delete(p.busy, uid)
		p.remove(name, cause)
	})
}

// driverOf is the CSI driver that has created a volume.
func (p *Provisioner) driverOf(pv *corev1.PersistentVolume) (driver csi.Driver, ok bool) {
	driver, ok = p.drivers[pv.Annotations[volume.AnnDynamicallyProvisioned]]
	return driver, ok
}

// isAttached reports whether there is a VolumeAttachment of a volume.
func (p *Provisioner) isAttached(name string) bool {
	for _, object := range p.sim.State.List(attachments.GroupResource(), "") {
		if of := object.(*storagev1.VolumeAttachment).Spec.Source.PersistentVolumeName; of != nil && *of == name {
			return true
		}
	}
	return false
}

// call makes a call to the controller of a driver.
func (p *Provisioner) call(driver csi.Driver, method string, call plugins.Call, name string, then func(error)) {
	takes, end := p.calls.Begin(call, trace.Call{
		Object: trace.Object{Resource: volumes.Resource, Name: name}, Plugin: driver.Name, Method: method,
	})
	p.after(takes, method+"|"+name, func() {
		err := end(nil)
		if err != nil {
			err = status.Error(codes.Internal, err.Error())
		}
		then(err)
	})
}
