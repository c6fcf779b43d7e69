// Package informer runs client-go's own shared informers behind a factory that makes their caches
// deterministic.
//
// An informer's cache is a Go map, and Go iterates maps in random order on purpose. That order leaks into
// what controllers do: with creation times of one-second precision the ReplicaSet controller's ranking of
// pods ties, and which pod dies follows the order of the lister. The factory here hands out indexers that
// return the same objects in an order that depends on the seed and on the objects' names alone. One seed
// gives one order; many seeds explore the orders that a real controller may see.
//
// Nothing else differs from k8s.io/client-go/informers: the reflector, the queue of deltas, the indexer's
// contents and the handlers are client-go's.
package informer
