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
// would do around a storage (Do: find the path, check options and body, default, convert, apply a patch,
// give an error its status), and the in-process streams of a watch (Stream). Beside upstream's own
// handlers the answers have been found equal, but for what follows.
//
// What is missing:
//
//   - authentication, authorization (everything is allowed) and admission plugins;
//   - server-side apply, and with it managedFields: a request that changes nothing but who manages a
//     field, such as a first scale to the number that is there, is no write here;
//   - warnings, which a real server sends beside an answer;
//   - the IPAddress objects that stand for the addresses of Services;
//   - aggregation, CustomResourceDefinitions, the groups resource.k8s.io and authorization.k8s.io, all
//     alpha and beta versions, and the subresources that reach into a kubelet (exec, log, portforward,
//     proxy) or issue a token.
//
// A Server is driven by one goroutine, the engine of the simulation: one request after the other.
package apiserver
