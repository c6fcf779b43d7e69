// Package memdb is etcd as kube-apiserver sees it, in memory: an implementation of
// k8s.io/apiserver/pkg/storage.Interface on which upstream's own registries run unchanged.
//
// A DB stands for one etcd. Each resource gets its Store from DB.Decorator, which is a
// generic.StorageDecorator; all Stores of a DB share one revision counter and one log.
//
// # What is kept of etcd and of the storage layer above it
//
//   - One revision counter for everything. It starts at 1, so the first write is revision 2 and no
//     list ever carries the resourceVersion 0, which has a meaning of its own. Every write takes
//     the next revision, a delete too: the object that a delete returns, and the one in its
//     DELETED event, carry the revision of the delete, not that of the last update. Informers
//     rely on that to know how fresh they are.
//   - Objects are stored encoded. A write goes through the storage codec, so what comes back is
//     the round trip: times cut to seconds, defaults applied, nil and empty made alike. An update
//     that encodes to the bytes already stored is not a write: no revision, no event.
//   - Optimistic concurrency. GuaranteedUpdate and Delete read, ask their caller, and commit only
//     if nobody committed to the key in between; else they ask again. No lock is held while the
//     caller thinks, since it often calls back into the DB (quota, allocators, finalizers).
//   - The past can be read, back to the last compaction. A list continued with a token shows the
//     revision at which it began; resourceVersionMatch=Exact shows any revision. Both are computed
//     by undoing the log.
//   - A watch resumes from any revision that is still in the log, else it gets one ERROR event
//     with status 410 Expired, worded as kube-apiserver words it. A selector turns an update into
//     ADDED or DELETED when an object moves in or out of it.
//   - Streaming lists: sendInitialEvents, then the BOOKMARK annotated k8s.io/initial-events-end.
//   - Time to live, for events. The DB has no timer: NextExpiry tells when something is due and
//     Expire removes it, as ordinary deletes.
//
// # What is not
//
//   - No quorum, no members, no disk, no latency, no request size limit: an operation succeeds or
//     fails at once, unless its context is already done.
//   - No leases. Each key has its own deadline, exact to the nanosecond. Real kube-apiserver
//     shares leases between events and lets them live up to a minute longer. A write without a ttl
//     keeps the deadline, as storage.Interface documents; upstream's etcd3 store detaches the key
//     from its lease instead.
//   - No compaction on its own every five minutes. The log is unbounded unless Options.HistoryLimit
//     is set; Compact does what etcd's compaction does, when it is called.
//   - No watch cache. resourceVersion=0 is always the newest state, never a stale one, and there
//     are not periodic bookmarks. Stale reads are made by the code that delivers events late.
//   - No encryption at rest: the configuration's Transformer is ignored, and so is everything else
//     in it except Codec, Prefix and GroupResource.
//   - No transactions over several keys, and no key outside of the prefix of a Store.
//
// # Sharing
//
// Objects in a Commit and those returned by EventSource.Next are the DB's own: many readers share
// them, nobody may change them. Everything that passes through storage.Interface or through a
// result channel is a deep copy and belongs to the receiver.
//
// # Goroutines and time
//
// A DB starts no goroutine and calls nothing of package time but time.Now, so it lives inside a
// testing/synctest bubble. The one exception is a watcher whose ResultChan is called: a channel
// with an unbounded queue behind it needs a goroutine, which ends with the watch. Consumers that
// can take events by hand use EventSource and need none.
package memdb
