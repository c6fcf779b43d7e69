// Package auditlog makes steps of a scenario of the requests in the audit log of a kube-apiserver: lines of JSON, each an Event of
// audit.k8s.io/v1.
//
// Taken are the writes of people and of programs that the simulation does not have. The controllers, the scheduler and the
// kubelets of the simulation send the requests of the system themselves, so those are omitted, and so is all that changes
// nothing or cannot be repeated. Each rule has a sentence, and the report counts the requests that it omits.
//
// A request becomes a step as one of a client of kubestep serve does: an ordinary verb such as apply or scale if it does the
// same, and otherwise send. An audit log has no headers, so the type of a patch is found from its body and its client.
package auditlog
