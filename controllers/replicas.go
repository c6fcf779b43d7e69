package controllers

import (
	"fmt"
	"time"
)

// ManagerName is the name of the only kube-controller-manager of a simulation. Several have a number at the end.
const ManagerName = "kube-controller-manager"

// replicaStart is the delay between the starts of two replicas, so that it is known who leads first.
const replicaStart = 50 * time.Millisecond

// ManagerNames are the names of a number of replicas of kube-controller-manager.
func ManagerNames(replicas int) []string { return ReplicaNames(ManagerName, replicas) }

// ReplicaNames are the names of the processes of a number of replicas of a component.
func ReplicaNames(component string, replicas int) []string {
	if replicas <= 1 {
		return []string{component}
	}
	var names []string
	for n := range replicas {
		names = append(names, fmt.Sprintf("%s-%d", component, n+1))
	}
	return names
}

// ReplicaSuffix is the suffix of the parts of the n-th replica, from 0; empty if there is only one.
func ReplicaSuffix(replicas, n int) string {
	if replicas <= 1 {
		return ""
	}
	return fmt.Sprintf("@%d", n+1)
}
