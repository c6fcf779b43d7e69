// Package lifecycle says what keeps a Pod on its node from becoming Ready, or from going: what its kubelet waits for, and when that acts
// next.
//
// The answer comes from two sources. The status of the Pod has the states of its containers, as on a cluster. The records of a run have
// what a kubelet keeps to itself: each result of a probe, each signal, each pull (trace.Container). Without records, as in a dump, there is
// less to say.
//
// Each Reason is a value with the numbers of one wait. Its text is made at the end, and its Due is a promise that the rest of the
// recording keeps: TestKubeletsKeepTheirWord of package why holds each of them to it.
package lifecycle
