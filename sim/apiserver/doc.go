// Package apiserver is kube-apiserver without a network and without etcd: the REST storages and
// strategies of k8s.io/kubernetes/pkg/registry, as upstream builds them, over the in-memory
// storage.Interface of package memdb.
//
// What is upstream's own code here, and therefore exact: defaulting, validation and its messages,
// generation and observedGeneration rules, status and scale subresources, resourceVersion conflicts,
// detection of updates that change nothing, finalizers, graceful deletion, eviction under a
// PodDisruptionBudget, binding, names from generateName, the admission plugins (AdmissionPlugins), and the
// events of a watch.
//
// What is ours: the table from resource names to storages (Server), the few lines that an HTTP handler would do around
// a storage (Do: find the path, check options and body, default, convert, apply a patch, give an error its status), and
// the in-process streams of a watch (Stream). This is the first front, which the typed clients use because it is fast.
// The second, HTTP, has upstream's own handlers over the same storages: server-side apply, tables, discovery and
// OpenAPI. TestFronts sends hundreds of requests to both; they give the same answers and write the same, except that the first
// one keeps metadata.managedFields up to date only if Options.ManagedFields is set (package managed). Without, a write by
// another manager does not take fields over, and a request that changes nothing but who manages a field, such as a first scale
// to the number that is there, is not a write.
//
// What is missing:
//
//   - authentication: a request says who sends it, unless Options.Tokens or Options.Access is set. Authorization is off unless
//     Options.Authorization is RBAC, or Options.Access has an authorizer;
//   - webhooks, and the admission plugins that need a configuration or another server;
//   - warnings in the first front, which a real server, and the second front, send beside an answer;
//   - aggregation, unless Options.SystemObjects is set; watches of resources of other servers are not forwarded, and OpenAPI has only
//     this server's;
//   - all alpha and beta versions but those of package gated, and the subresources that reach into a kubelet or a Service (exec, attach,
//     log, portforward, proxy);
//   - CustomResourceDefinitions, unless Options.CustomResources is set: package extensions.
//
// A Server is driven by one goroutine, the engine of the simulation: one request after the other.
package apiserver
