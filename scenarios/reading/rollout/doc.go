// Package rollout prints how the Deployment controller computed the rollouts of a recording: a table of its syncs, or one
// sync step by step. Package explain computes what is printed.
//
// Without a recording, Numbers make the scenario of a rollout that consists of the numbers of interest alone.
package rollout
