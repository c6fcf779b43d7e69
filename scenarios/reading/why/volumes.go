package why

import (
	"fmt"
	"slices"
	"time"

	corev1 "k8s.io/api/core/v1"
	storagev1 "k8s.io/api/storage/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/component-helpers/storage/ephemeral"
	"k8s.io/dynamic-resource-allocation/resourceclaim"
	"k8s.io/kubernetes/cmd/kube-controller-manager/names"

	"github.com/kubestep/kubestep/sim/trace"
)

// maxWaitForUnmount is upstream's maxWaitForUnmountDuration (TimerConfig in pkg/controller/volume/attachdetach): how long after the last
// Pod that needs a volume there the attach-detach controller waits until it detaches the volume from a node that is not Ready.
const maxWaitForUnmount = 6 * time.Minute

// outOfService is the taint of a node that somebody knows to be shut down: its volumes are detached at once.
const outOfService = corev1.TaintNodeOutOfService

// volumeHolds say what the volumes and claims of a Pod wait for, none of whose containers has started, and who acts next for the first
// of them; empty if that is the kubelet.
func (i *Instant) volumeHolds(p *corev1.Pod) (holds []string, actor string) {
	started := func(s corev1.ContainerStatus) bool { return s.ContainerID != "" }
	containers := slices.Concat(p.Status.ContainerStatuses, p.Status.InitContainerStatuses)
	if p.DeletionTimestamp != nil || slices.ContainsFunc(containers, started) {
		return nil, ""
	}
	for n := range p.Spec.Volumes {
		if text, who := i.volumeHold(p, &p.Spec.Volumes[n]); text != "" {
			if holds == nil {
				actor = who
			}
			holds = append(holds, "volume "+p.Spec.Volumes[n].Name+": "+text)
		}
	}
	for n := range p.Spec.ResourceClaims {
		name, _, err := resourceclaim.Name(p, &p.Spec.ResourceClaims[n])
		if err != nil || name == nil {
			continue
		}
		o := trace.Object{Resource: "resourceclaims.resource.k8s.io", Namespace: p.Namespace, Name: *name}
		if text := i.callHold(o, p, "The kubelet tries again when it syncs the Pod next, after 60 to 90 seconds"); text != "" {
			holds = append(holds, "claim "+p.Spec.ResourceClaims[n].Name+": "+text)
		}
	}
	return holds, actor
}

// volumeHold is what a volume of a CSI driver waits for, and who acts next; empty if it is mounted, or is another volume.
func (i *Instant) volumeHold(p *corev1.Pod, v *corev1.Volume) (text, actor string) {
	claim := ""
	switch {
	case v.PersistentVolumeClaim != nil:
		claim = v.PersistentVolumeClaim.ClaimName
	case v.Ephemeral != nil:
		claim = ephemeral.VolumeClaimName(p, v)
	default:
		return "", ""
	}
	o := trace.Object{Resource: "persistentvolumeclaims", Namespace: p.Namespace, Name: claim}
	pvc, ok := i.object(o).(*corev1.PersistentVolumeClaim)
	if !ok || pvc.Spec.VolumeName == "" {
		return "", ""
	}
	pv, ok := i.object(trace.Object{Resource: "persistentvolumes", Name: pvc.Spec.VolumeName}).(*corev1.PersistentVolume)
	if !ok || pv.Spec.CSI == nil {
		return "", ""
	}
	if text, actor := i.attachHold(p, pv); text != "" {
		return text, actor
	}
	return i.callHold(trace.Object{Resource: "persistentvolumes", Name: pv.Name}, p,
		"The kubelet tries again after 0.5 seconds, then 1, 2 and so on, up to 2m2s"), ""
}

// attachHold is what keeps a volume from being attached to the node of a Pod, and who acts next; empty if it is attached there, or need not
// be.
func (i *Instant) attachHold(p *corev1.Pod, pv *corev1.PersistentVolume) (text, actor string) {
	driver := i.object(trace.Object{Resource: "csidrivers.storage.k8s.io", Name: pv.Spec.CSI.Driver})
	if d, ok := driver.(*storagev1.CSIDriver); ok && d.Spec.AttachRequired != nil && !*d.Spec.AttachRequired {
		return "", ""
	}
	const controller = names.PersistentVolumeAttachDetachController
	var here, elsewhere *storagev1.VolumeAttachment
	for _, object := range (world{i}).List(schema.GroupResource{Group: storagev1.GroupName, Resource: "volumeattachments"}, "") {
		va := object.(*storagev1.VolumeAttachment)
		switch of := va.Spec.Source.PersistentVolumeName; {
		case of == nil || *of != pv.Name:
		case va.Spec.NodeName == p.Spec.NodeName:
			here = va
		default:
			elsewhere = va
		}
	}
	switch {
	case here != nil && here.DeletionTimestamp != nil:
		return fmt.Sprintf("%s is being detached from %s", pv.Name, here.Spec.NodeName), trace.AttacherActor
	case here != nil && here.Status.Attached && !i.isReported(pv, here.Spec.NodeName):
		return fmt.Sprintf("%s is attached to %s, which volumesAttached of the node does not say yet", pv.Name, here.Spec.NodeName),
			controller
	case here != nil && here.Status.Attached:
		return "", ""
	case here != nil && here.Status.AttachError != nil:
		return fmt.Sprintf("%s cannot attach %s to %s: %s", pv.Spec.CSI.Driver, pv.Name, here.Spec.NodeName,
			here.Status.AttachError.Message), trace.AttacherActor
	case here != nil:
		attachment := trace.Object{Resource: "volumeattachments.storage.k8s.io", Name: here.Name}
		return fmt.Sprintf("%s has been attaching %s to %s since %s", pv.Spec.CSI.Driver, pv.Name, here.Spec.NodeName,
			i.time(i.madeAt(attachment, here.CreationTimestamp.Time))), trace.AttacherActor
	case elsewhere != nil && elsewhere.DeletionTimestamp != nil:
		return i.detachHold(p, pv, elsewhere), trace.AttacherActor
	case elsewhere != nil:
		return i.detachHold(p, pv, elsewhere), controller
	}
	text = fmt.Sprintf("%s is not attached to %s: there is no VolumeAttachment yet", pv.Name, p.Spec.NodeName)
	if _, works := (world{i}).Process(controller); !works && i.dump == nil {
		text += ", and " + controller + ", which writes it, does not run"
	}
	return text, controller
}

// isReported reports whether a node says that a volume is attached to it: its kubelet waits for that.
func (i *Instant) isReported(pv *corev1.PersistentVolume, name string) bool {
	node, ok := i.object(trace.Object{Resource: "nodes", Name: name}).(*corev1.Node)
	return !ok || slices.ContainsFunc(node.Status.VolumesAttached, func(a corev1.AttachedVolume) bool { return isVolume(a.Name, pv) })
}

// isVolume reports whether a name that a node has for a volume is that of a PersistentVolume of a CSI driver.
func isVolume(name corev1.UniqueVolumeName, pv *corev1.PersistentVolume) bool {
	return string(name) == "kubernetes.io/csi/"+pv.Spec.CSI.Driver+"^"+pv.Spec.CSI.VolumeHandle
}

// detachHold is what keeps a volume attached to another node, which it has to leave first.
func (i *Instant) detachHold(p *corev1.Pod, pv *corev1.PersistentVolume, va *storagev1.VolumeAttachment) string {
	text := fmt.Sprintf("%s is attached to %s, from which it has to be detached first", pv.Name, va.Spec.NodeName)
	if va.Status.DetachError != nil {
		return text + ": " + va.Status.DetachError.Message
	}
	node, ok := i.object(trace.Object{Resource: "nodes", Name: va.Spec.NodeName}).(*corev1.Node)
	if !ok || va.DeletionTimestamp != nil {
		return text
	}
	inUse := func(name corev1.UniqueVolumeName) bool { return isVolume(name, pv) }
	if !slices.ContainsFunc(node.Status.VolumesInUse, inUse) {
		return text
	}
	text += ": the kubelet there has it in volumesInUse"
	ready := slices.ContainsFunc(node.Status.Conditions, func(c corev1.NodeCondition) bool {
		return c.Type == corev1.NodeReady && c.Status == corev1.ConditionTrue
	})
	if ready || slices.ContainsFunc(node.Spec.Taints, func(t corev1.Taint) bool { return t.Key == outOfService }) {
		return text
	}
	text += fmt.Sprintf(", and the node is not Ready. It is detached by force %s after the last Pod there", maxWaitForUnmount)
	if gone := i.goneFrom(p, va.Spec.NodeName); !gone.IsZero() {
		text += ", at " + i.time(gone.Add(maxWaitForUnmount))
	}
	return text + ", or at once with the taint " + outOfService
}

// madeAt is when an object was created: to the nanosecond if there is a record of it, or else as it says itself.
func (i *Instant) madeAt(o trace.Object, says time.Time) time.Time {
	for n := i.rec.VersionAt(o, i.seq); i.dump == nil && n >= 0; n-- {
		if n == 0 || i.rec.Replay.ObjectVersion(o, i.rec.Versions(o)[n-1].RV) == nil {
			return i.rec.Epoch().Add(i.rec.At(i.rec.Versions(o)[n].Seq))
		}
	}
	return says
}

// goneFrom is when a Pod of this name was deleted from a node last; zero if none was.
func (i *Instant) goneFrom(p *corev1.Pod, node string) (gone time.Time) {
	o := trace.Object{Resource: "pods", Namespace: p.Namespace, Name: p.Name}
	there := false
	for n, v := range i.rec.Versions(o) {
		if n > i.rec.VersionAt(o, i.seq) {
			break
		}
		spec, _ := i.rec.Replay.ObjectVersion(o, v.RV)["spec"].(map[string]any)
		if of, _ := spec["nodeName"].(string); of == node {
			there = true
		} else if there {
			gone, there = i.rec.Epoch().Add(i.rec.At(v.Seq)), false
		}
	}
	return gone
}

// callHold is what a kubelet asks a plugin about an object; empty if the last call succeeded. again says when it tries again.
func (i *Instant) callHold(o trace.Object, p *corev1.Pod, again string) string {
	var last *trace.Record
	for _, seq := range i.pluginCalls[o] {
		if seq > i.seq {
			break
		}
		r := i.rec.Record(seq)
		if _, node := trace.SplitActor(r.Actor); node == "@"+p.Spec.NodeName && (r.Call.UID == "" || r.Call.UID == string(p.UID)) {
			last = r
		}
	}
	switch {
	case last == nil:
		return ""
	case last.Call.Phase == trace.PhaseStart:
		return fmt.Sprintf("%s of %s has run since %s", last.Call.Method, last.Call.Plugin, trace.Seconds(last.At))
	case last.Call.Error != "":
		return fmt.Sprintf("%s of %s failed at %s: %s. %s", last.Call.Method, last.Call.Plugin, trace.Seconds(last.At), last.Call.Error,
			again)
	}
	return ""
}
