// Package placement says which Pods nodes take and keep, as upstream's controllers decide it: by the taints of nodes, and by what
// a DaemonSet selects. The explanations of syncs and the look for stuck objects ask it.
package placement
