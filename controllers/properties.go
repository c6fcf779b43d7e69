package controllers

import (
	"time"

	"k8s.io/component-base/featuregate"
	"k8s.io/kubernetes/cmd/kube-controller-manager/names"
	"k8s.io/kubernetes/pkg/features"

	"github.com/kubestep/kubestep/sim/trace"
)

// Properties are what kubestep knows of a controller besides its descriptor. Whoever needs to know of a controller by its name gives it a
// field here.
type Properties struct {
	// Reacts means that it writes only in a sync of its work queue. The periodic functions of the garbage collector and the DaemonSet
	// controller forget what they know of deleted objects.
	Reacts bool
	// Period is the interval at which it goes through all objects again and again, by its defaults; 0 if it does not.
	Period time.Duration
	// Steady means that its queue has no back-off: it looks at a key after the same time, whether the last sync failed or not.
	Steady bool
	// Explained means that package explain says what it computes: in its syncs, or in the requests that belong to none.
	Explained bool
	// Keys is the resource of the objects that the keys of its explained syncs name; empty if they are of all kinds, or no syncs are.
	Keys string

	// open reports whether the order of its requests in a run may depend on Go and not only on the seed; nil if it never does.
	open func(run) bool
	// need is what it needs from the scenario to run.
	need need
	// pause is how long it takes to go on after it has read a cache; nil if it takes no time.
	pause func(*manager, trace.Read) time.Duration
	// limits are how much more than others its clients may send, if that is not the same.
	limits factors
}

// need is what a controller needs from the scenario to run, besides its own feature gates.
type need struct {
	// gates are looked at in the constructor, and not in the descriptor.
	gates []featuregate.Feature
	// config are fields of KubeControllerManagerConfiguration, as in kubernetes.config.
	config string
}

var (
	// startNodeIpamController (cmd/kube-controller-manager/app/core.go) is disabled unless CIDRs are allocated.
	nodeIPAM = need{config: "kubeCloudShared: {allocateNodeCIDRs: true, clusterCIDR: 10.244.0.0/16}"}
	// newSVMController (cmd/kube-controller-manager/app/storageversionmigrator.go).
	storageVersionMigrator = need{gates: []featuregate.Feature{features.StorageVersionMigrator}}
)

// factors multiply the limits of a client. Upstream does so in the constructors (newNamespaceController,
// newGarbageCollectorController in cmd/kube-controller-manager/app/core.go).
type factors struct{ qps, burst float64 }

// properties has a row for each controller of kube-controller-manager, of all versions, and one for kube-scheduler.
var properties = map[string]Properties{
	names.BootstrapSignerController:                    {},
	names.CertificateSigningRequestApprovingController: {},
	names.CertificateSigningRequestCleanerController:   {},
	names.CertificateSigningRequestSigningController:   {},
	names.ClusterRoleAggregationController:             {},
	names.CronJobController:                            {Explained: true, Keys: "cronjobs.batch"},
	names.DaemonSetController: {
		Reacts: true, Explained: true, Keys: "daemonsets.apps", open: run.updatesDaemons,
	},
	names.DeploymentController:             {Reacts: true, Explained: true, Keys: "deployments.apps"},
	names.DeviceTaintEvictionController:    {},
	names.DisruptionController:             {Explained: true, Keys: "poddisruptionbudgets.policy"},
	names.EndpointSliceController:          {Reacts: true, Explained: true, Keys: "services", open: run.dividesSlices},
	names.EndpointSliceMirroringController: {open: run.dividesMirrors},
	names.EndpointsController:              {Reacts: true, open: run.startsEndpoints},
	names.EphemeralVolumeController:        {},
	names.GarbageCollectorController:       {Reacts: true, Explained: true, limits: factors{2, 1}},
	// Steady: NewDefaultHPARateLimiter (pkg/controller/podautoscaler/rate_limiters.go).
	names.HorizontalPodAutoscalerController: {
		Explained: true, Keys: "horizontalpodautoscalers.autoscaling", Steady: true,
	},
	names.JobController: {Reacts: true, Explained: true, Keys: "jobs.batch"},
	names.KubeAPIServerClusterTrustBundlePublisherController: {},
	names.LegacyServiceAccountTokenCleanerController:         {},
	names.NamespaceController:                                {Reacts: true, open: run.emptiesNamespaces, limits: factors{20, 100}},
	names.NodeIpamController:                                 {need: nodeIPAM, pause: inOrderOfNames},
	// Period: monitorNodeHealth of --node-monitor-period (pkg/controller/nodelifecycle).
	names.NodeLifecycleController: {
		Explained: true, Keys: "nodes", Period: 5 * time.Second, open: run.restartsNodeLifecycle,
	},
	names.PersistentVolumeAttachDetachController: {},
	// Period: NewResyncPeriod of --pvclaimbinder-sync-period (pkg/controller/volume/persistentvolume).
	names.PersistentVolumeBinderController: {
		Explained: true, Keys: "persistentvolumeclaims", Period: 15 * time.Second, open: run.choosesVolume,
	},
	names.PersistentVolumeClaimProtectionController: {},
	names.PersistentVolumeExpanderController:        {},
	names.PersistentVolumeProtectionController:      {},
	names.PodCertificateRequestCleanerController:    {},
	// Period: gc in pkg/controller/podgc/gc_controller.go.
	names.PodGarbageCollectorController:   {Period: 20 * time.Second, pause: afterPods},
	names.ReplicaSetController:            {Reacts: true, Explained: true, Keys: "replicasets.apps"},
	names.ReplicationControllerController: {Reacts: true, Explained: true, Keys: "replicationcontrollers"},
	names.ResourceClaimController:         {},
	// Period: --resource-quota-sync-period (pkg/controller/resourcequota).
	names.ResourceQuotaController:                   {Period: 5 * time.Minute},
	names.RootCACertificatePublisherController:      {},
	names.SELinuxWarningController:                  {},
	names.ServiceAccountController:                  {Reacts: true},
	names.ServiceAccountTokenController:             {},
	names.ServiceCIDRController:                     {},
	names.StatefulSetController:                     {Reacts: true, Explained: true, Keys: "statefulsets.apps"},
	names.StorageVersionGarbageCollectorController:  {},
	names.StorageVersionMigratorController:          {need: storageVersionMigrator},
	names.TTLAfterFinishedController:                {},
	names.TTLController:                             {},
	names.TaintEvictionController:                   {Explained: true, open: run.evictsTogether},
	names.TokenCleanerController:                    {},
	names.ValidatingAdmissionPolicyStatusController: {},
	names.VolumeAttributesClassProtectionController: {},
	trace.SchedulerActor:                            {Explained: true, Keys: "pods", open: run.schedulesInAnyOrder},

	// Since Kubernetes 1.36.
	"podgroup-protection-controller":       {},
	"resourcepoolstatusrequest-controller": {},
}

// Of are the properties of a controller; the zero value for one that is not upstream's.
func Of(name string) Properties { return properties[name] }
