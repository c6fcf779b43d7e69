// Package control is the API with which other processes watch and move a simulation that kubestep serve runs. The server has it
// beside that of Kubernetes, below /kubestep/, and with the same token; kubestep step and kubestep open are its clients, and find
// the server through its kubeconfig file, as kubectl does.
//
//	POST /kubestep/step?value=5s     let virtual time pass; the answer is the State
//	POST /kubestep/until?value=CONDITION&timeout=10m
//	                                 let virtual time pass until a condition is true
//	POST /kubestep/do?value=LINE     take a step of a scenario, such as "controller crash kube-controller-manager"
//	GET  /kubestep/session           the Session and the State
//	GET  /kubestep/scenario          the session so far, as a scenario; with ?for=branch it does not count as saved
//	GET  /kubestep/trace             all records from the first one on, and those that come, until the session ends
//
// The stream of the trace is JSON lines: records as in a trace file, and between them Sessions and States.
package control
