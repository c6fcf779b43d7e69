package relation

import (
	"fmt"
	"slices"
	"time"

	corev1 "k8s.io/api/core/v1"
	resourcev1 "k8s.io/api/resource/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/dynamic-resource-allocation/resourceclaim"
	"k8s.io/kubernetes/cmd/kube-controller-manager/names"
	"k8s.io/kubernetes/pkg/api/v1/pod"
)

var resourceClaims = resourcev1.Resource("resourceclaims")

const allocation = "https://kubernetes.io/docs/concepts/scheduling-eviction/dynamic-resource-allocation/"

var ofDevices = []Relation{
	{
		Name: "claim-reserved-for-living-pods", Of: of(resourceClaims, names.ResourceClaimController),
		Sentence:  "A ResourceClaim is reserved for Pods that exist and have not finished.",
		Reference: allocation + "#how-resource-allocation-with-dra-works",
		broken:    reservedForTheDead,
	},
	{
		Name: "pod-has-its-resource-claims", Of: of(pods, names.ResourceClaimController),
		Sentence:  "A ResourceClaim that status.resourceClaimStatuses of a Pod names exists, unless the Pod has finished.",
		Reference: allocation + "#resourceclaims-resourceclaimtemplates",
		broken:    lacksItsClaims,
	},
	{
		Name: "device-taint-evicts", Of: of(pods, names.DeviceTaintEvictionController),
		Sentence: "A Pod that uses a device with a NoExecute taint is deleted, unless its request tolerates the taint. If it tolerates " +
			"the taint for a limited time, it is deleted after that time.",
		Reference: allocation + "#device-taints-and-tolerations",
		broken:    usesTaintedDevice,
	},
}

// isDone reports whether a Pod will not run any more: it has finished, or was deleted before it was scheduled.
func isDone(p *corev1.Pod) bool {
	return pod.IsPodTerminal(p) || p.DeletionTimestamp != nil && p.Spec.NodeName == ""
}

func reservedForTheDead(v *View, object runtime.Object) *Breach {
	claim := object.(*resourcev1.ResourceClaim)
	for _, reserved := range claim.Status.ReservedFor {
		if reserved.APIGroup != "" || reserved.Resource != pods.Resource {
			continue
		}
		found, exists := v.Get(pods, claim.Namespace, reserved.Name)
		switch {
		case !exists || found.(*corev1.Pod).UID != reserved.UID:
			return broken("it is reserved for Pod %s, which does not exist", reserved.Name)
		case isDone(found.(*corev1.Pod)):
			return broken("it is reserved for Pod %s, which has finished", reserved.Name)
		}
	}
	return nil
}

func lacksItsClaims(v *View, object runtime.Object) *Breach {
	p := object.(*corev1.Pod)
	if isDone(p) || p.DeletionTimestamp != nil {
		return nil
	}
	for _, status := range p.Status.ResourceClaimStatuses {
		if status.ResourceClaimName == nil {
			continue
		}
		if _, exists := v.Get(resourceClaims, p.Namespace, *status.ResourceClaimName); !exists {
			return broken("its ResourceClaim %s does not exist", *status.ResourceClaimName)
		}
	}
	return nil
}

func usesTaintedDevice(v *View, object runtime.Object) *Breach {
	p := object.(*corev1.Pod)
	if p.Spec.NodeName == "" || p.DeletionTimestamp != nil || pod.IsPodTerminal(p) {
		return nil
	}
	for _, object := range v.in(resourceClaims, p.Namespace) {
		claim := object.(*resourcev1.ResourceClaim)
		reserved := slices.ContainsFunc(claim.Status.ReservedFor, func(r resourcev1.ResourceClaimConsumerReference) bool {
			return r.UID == p.UID
		})
		if !reserved || claim.Status.Allocation == nil {
			continue
		}
		for _, device := range claim.Status.Allocation.Devices.Results {
			for _, taint := range v.evictingTaints(device) {
				if breach := v.mustLeave(device, taint); breach != nil {
					return breach
				}
			}
		}
	}
	return nil
}

// mustLeave says that the users of a device do not tolerate one of its taints, or not any longer.
func (v *View) mustLeave(device resourcev1.DeviceRequestAllocationResult, taint resourcev1.DeviceTaint) *Breach {
	due, tolerated := time.Time{}, false
	if taint.TimeAdded != nil {
		due = taint.TimeAdded.Time
	}
	var seconds int64
	for _, toleration := range device.Tolerations {
		if toleration.Effect != resourcev1.DeviceTaintEffectNoExecute || !resourceclaim.ToleratesTaint(toleration, taint) {
			continue
		}
		if toleration.TolerationSeconds == nil {
			return nil
		}
		if s := max(0, *toleration.TolerationSeconds); !tolerated || s < seconds {
			seconds, tolerated = s, true
		}
	}
	if due = due.Add(time.Duration(seconds) * time.Second); !v.Date().After(due.Add(slack)) {
		return nil
	}
	text := fmt.Sprintf("it uses device %s of %s, which has the taint %s with the effect NoExecute, but is not deleted", device.Device,
		device.Driver, taint.Key)
	if taint.TimeAdded == nil {
		due = time.Time{}
	}
	return &Breach{Text: text, Since: due}
}

// evictingTaints are the taints of a device with the effect NoExecute: those of its ResourceSlice, and of rules that select it.
func (v *View) evictingTaints(of resourcev1.DeviceRequestAllocationResult) []resourcev1.DeviceTaint {
	var taints []resourcev1.DeviceTaint
	for _, object := range v.in(resourcev1.Resource("resourceslices"), "") {
		slice := object.(*resourcev1.ResourceSlice)
		if slice.Spec.Driver != of.Driver || slice.Spec.Pool.Name != of.Pool {
			continue
		}
		for _, device := range slice.Spec.Devices {
			if device.Name == of.Device {
				taints = append(taints, device.Taints...)
			}
		}
	}
	for _, object := range v.in(resourcev1.Resource("devicetaintrules"), "") {
		if taint, selects := taintOfRule(object, of); selects {
			taints = append(taints, taint)
		}
	}
	return slices.DeleteFunc(taints, func(t resourcev1.DeviceTaint) bool { return t.Effect != resourcev1.DeviceTaintEffectNoExecute })
}

// taintOfRule is the taint of a DeviceTaintRule, if the rule selects a device. The fields are read by name, since the version of the
// kind differs between the versions of Kubernetes.
func taintOfRule(rule runtime.Object, device resourcev1.DeviceRequestAllocationResult) (taint resourcev1.DeviceTaint, selects bool) {
	fields, err := runtime.DefaultUnstructuredConverter.ToUnstructured(rule)
	if err != nil {
		return taint, false
	}
	selector, found, err := unstructured.NestedStringMap(fields, "spec", "deviceSelector")
	if !found || err != nil {
		return taint, false
	}
	for field, value := range map[string]string{"driver": device.Driver, "pool": device.Pool, "device": device.Device} {
		if wanted, given := selector[field]; given && wanted != value {
			return taint, false
		}
	}
	spec, _, _ := unstructured.NestedMap(fields, "spec", "taint")
	err = runtime.DefaultUnstructuredConverter.FromUnstructured(spec, &taint)
	return taint, err == nil
}
