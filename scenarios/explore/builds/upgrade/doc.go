// Package upgrade opens the state that one version of Kubernetes left in another version, as an upgraded control plane finds
// it.
//
// The state is a scenario of its own (see Later): its spec.cluster.objects is all that etcd has at an instant, with uids,
// resourceVersions, managed fields and times, and its steps are those that have not happened yet. The build of the old
// version writes it (kubestep snapshot), because only that version can say what it stores; the build of the new one runs
// it. What the controllers had in memory is lost, as it is when their processes are replaced.
//
// To tell what the upgrade causes from what any restart causes, the old version runs the same state, too.
package upgrade
