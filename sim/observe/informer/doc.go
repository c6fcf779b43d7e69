// Package informer runs client-go's own shared informers behind a factory that makes their caches
// deterministic.
//
// An informer's cache is a Go map, and Go randomizes the iteration order of maps. That order affects what controllers
// do: with creation times of one-second precision the ReplicaSet controller's ranking of pods has ties, and the order
// of the lister decides which pod is deleted. This factory creates indexers that return the same objects in an order
// that depends only on the seed and on the objects' names. One seed gives one order; many seeds explore the orders that
// a real controller may see.
//
// Nothing else differs from k8s.io/client-go/informers: the reflector, the delta queue, the contents of the indexer and
// the handlers are client-go's.
package informer
