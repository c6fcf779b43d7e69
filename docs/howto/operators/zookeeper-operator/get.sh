#!/usr/bin/env bash
# Gets pravega's zookeeper-operator as it was when Sieve tested it, in March 2021, to original/. Its decisions are as they are.
# What is different: how a controller is set up (controller-runtime 0.5 then), names in client-go, the version of
# PodDisruptionBudgets, the definition (that of a later release, in apiextensions.k8s.io/v1), and the client of ZooKeeper itself,
# which does nothing here. The functions that write YAML files are left out.
set -euo pipefail
cd "$(dirname "$0")"
unset GOFLAGS
commit=cda03d2f270bdfb51372192766123904f6d88278
repository=https://github.com/pravega/zookeeper-operator
rm -rf original
../snapshot.sh original $repository $commit pkg/apis/zookeeper pkg/controller/zookeepercluster pkg/utils pkg/zk LICENSE
../snapshot.sh original $repository v0.2.12 deploy/crds
find original -name '*_test.go' -delete
cd original
controller=pkg/controller/zookeepercluster/zookeepercluster_controller.go
sed -i 's|pkg/runtime/scheme"|pkg/scheme"|' pkg/apis/zookeeper/v1beta1/register.go
sed -i 's/Handler: v1.Handler{/ProbeHandler: v1.ProbeHandler{/; s/&v1.Handler{/\&v1.LifecycleHandler{/' pkg/zk/generators.go
sed -i 's|policyv1beta1 "k8s.io/api/policy/v1beta1"|policyv1beta1 "k8s.io/api/policy/v1"|; s|"policy/v1beta1"|"policy/v1"|' pkg/zk/generators.go $controller
sed -i '/PersistentVolumeClaimSpec{/,/}/s/v1.ResourceRequirements{/v1.VolumeResourceRequirements{/' \
  pkg/apis/zookeeper/v1beta1/zookeepercluster_types.go
sed -i -e 's|pkg/runtime/log"|pkg/log"|' -e 's/Reconcile(request reconcile.Request)/Reconcile(_ context.Context, request reconcile.Request)/' \
  -e '/client-go\/kubernetes\/scheme"/d; /pkg\/client\/fake"/d; /pkg\/yamlexporter"/d; /pkg\/controller"/d; /pkg\/handler"/d; /pkg\/source"/d' \
  -e '/^func add(/,/^}/d; /^func AddZookeeperReconciler(/,/^}/d; /^func YAMLExporterReconciler/,/^}/d' \
  -e '/^func (r \*ReconcileZookeeperCluster) yaml/,/^}/d; /^func (r \*ReconcileZookeeperCluster) GenerateYAML/,/^}/d' $controller
cat >pkg/controller/zookeepercluster/setup.go <<'GO'
package zookeepercluster

import (
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	ctrl "sigs.k8s.io/controller-runtime"

	zookeeperv1beta1 "github.com/pravega/zookeeper-operator/pkg/apis/zookeeper/v1beta1"
)

// AddZookeeperReconciler watches what the operator watches.
func AddZookeeperReconciler(manager ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(manager).Named("zookeepercluster-controller").For(&zookeeperv1beta1.ZookeeperCluster{}).
		Owns(&appsv1.StatefulSet{}).Owns(&corev1.Service{}).Owns(&corev1.Pod{}).Complete(newZookeeperClusterReconciler(manager))
}
GO
cat >pkg/zk/zookeeper_client.go <<'GO'
package zk

import "github.com/pravega/zookeeper-operator/pkg/apis/zookeeper/v1beta1"

// ZookeeperClient is what the operator wants from ZooKeeper.
type ZookeeperClient interface {
	Connect(string) error
	CreateNode(*v1beta1.ZookeeperCluster, string) error
	NodeExists(string) (int32, error)
	UpdateNode(string, string, int32) error
	Close()
}

// DefaultZookeeperClient does nothing: a simulation has no containers.
type DefaultZookeeperClient struct{}

func (*DefaultZookeeperClient) Connect(string) error                               { return nil }
func (*DefaultZookeeperClient) CreateNode(*v1beta1.ZookeeperCluster, string) error { return nil }
func (*DefaultZookeeperClient) NodeExists(string) (int32, error)                   { return 0, nil }
func (*DefaultZookeeperClient) UpdateNode(string, string, int32) error             { return nil }
func (*DefaultZookeeperClient) Close()                                             {}
GO
cat >go.mod <<'MOD'
module github.com/pravega/zookeeper-operator

go 1.26.0
MOD
