// Package placement says which Pods a node admits and keeps, by upstream's rules: by the taints of nodes, and by what
// a DaemonSet selects. The explanations of syncs and the look for stuck objects ask it.
package placement
