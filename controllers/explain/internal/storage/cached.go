package storage

import (
	"net/http"
	"strconv"

	corev1 "k8s.io/api/core/v1"
	storagev1 "k8s.io/api/storage/v1"
	"k8s.io/apimachinery/pkg/runtime"

	"github.com/kubestep/kubestep/controllers/explain/internal/observed"
	"github.com/kubestep/kubestep/sim/trace"
)

// The controller has caches of claims and volumes of its own, beside those of its informers: it adds what it wrote itself.

// newer is the revision of the controller's own last write of the claim, if the informer has an older one; then the sync ends
// (updateClaim). It is empty otherwise.
func (b *binding) newer(claim *corev1.PersistentVolumeClaim) string {
	own := b.lastWrite(trace.Object{Resource: claims, Namespace: b.Namespace, Name: b.Name})
	if own <= observed.Number(claim.ResourceVersion) {
		return ""
	}
	return strconv.FormatUint(own, 10)
}

// list are the volumes, in the newest version that the controller knows.
func (b *binding) list() []*corev1.PersistentVolume {
	var all []*corev1.PersistentVolume
	cache := b.Cache(volumes)
	for _, o := range b.Objects(cache, "") {
		rv := max(cache.Version(o, b.Reads), b.lastWrite(o))
		pv := &corev1.PersistentVolume{}
		if object := b.Rec.Replay.ObjectVersion(o, rv); object != nil && observed.Convert(object, pv) == nil {
			all = append(all, pv)
		}
	}
	return all
}

func (b *binding) volume(name string) *corev1.PersistentVolume {
	for _, pv := range b.volumes {
		if pv.Name == name {
			return pv
		}
	}
	return nil
}

// lastWrite is the revision of the last write of an object by the controller before the sync; 0 for none since its process started.
func (b *binding) lastWrite(o trace.Object) uint64 {
	versions := b.Rec.Versions(o)
	begun := observed.Begun(b.Rec, b.Start)
	for n := b.Rec.VersionAt(o, b.Start.Seq); n >= 0 && versions[n].Seq > begun; n-- {
		r := b.Rec.Record(versions[n].Seq)
		if r.Actor == b.Start.Actor && r.Request != nil && r.Request.Code < http.StatusMultipleChoices && !versions[n].Gone {
			return versions[n].RV
		}
	}
	return 0
}

// classes are the StorageClasses in the cache.
func classes(s observed.Sync) []*storagev1.StorageClass {
	var all []*storagev1.StorageClass
	for _, o := range s.Objects(s.Cache("storageclasses.storage.k8s.io"), "") {
		class := &storagev1.StorageClass{}
		if convert(s, o, class) {
			all = append(all, class)
		}
	}
	return all
}

func convert(s observed.Sync, o trace.Object, into runtime.Object) bool {
	object := s.Cached(o)
	return object != nil && observed.Convert(object, into) == nil
}
