// Package apiserver is kube-apiserver without a network and without etcd: the REST storages and
// strategies of k8s.io/kubernetes/pkg/registry, as upstream builds them, over the in-memory
// storage.Interface of package memdb.
//
// What is upstream's own code here, and therefore exact: defaulting, validation and its messages,
// generation and observedGeneration rules, status and scale subresources, resourceVersion conflicts,
// detection of updates that change nothing, finalizers, graceful deletion, eviction under a
// PodDisruptionBudget, binding, names from generateName, and the events of a watch.
//
// What is ours: the table from resource names to storages (Server), the few lines that an HTTP handler
// would do around a storage (Do: decode into the internal version, default, convert back, apply a
// patch), and the in-process streams of a watch (Stream).
//
// What is missing: authentication, authorization (everything is allowed), admission plugins, server-side
// apply with its managedFields, aggregation, CustomResourceDefinitions, and the subresources that reach
// into a kubelet (exec, log, portforward, proxy).
//
// A Server is driven by one goroutine, the engine of the simulation: one request after the other.
package apiserver
