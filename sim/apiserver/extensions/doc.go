// Package extensions is apiextensions-apiserver, the part of kube-apiserver that serves CustomResourceDefinitions and the
// objects of the kinds that they define, over the database of the simulation.
//
// The server is upstream's as a whole (k8s.io/apiextensions-apiserver), chained as kube-apiserver chains it: what
// kube-apiserver does not serve itself, it delegates to this server. So structural schemas, defaulting, pruning, CEL
// rules, subresources, versions, server-side apply, printer columns, discovery and OpenAPI are upstream's code, and so are
// the controllers that accept the names of a definition, establish it, and delete the objects of one that is deleted.
// These controllers are clients of the server like those of kube-controller-manager: their requests pass the gate of the
// simulation, and are in the trace.
//
// What is ours: where objects are stored (Decorator), what a write looks like to those who observe the store (Written), and
// how a watch is opened (Opening): upstream's handler checks the request and asks the storage for a watch, and there the
// watch is handed to the simulation, which decides when each event arrives.
//
// Only a simulation that has definitions has such a server: it runs some forty goroutines, and needs the HTTP handlers of
// kube-apiserver, which many simulations do without.
package extensions
