//go:build !kubernetes_before_1_37

package liveness

// onDeleteCompletes says whether the controller makes the update revision the current one after an update with OnDelete
// (completeUpdate in pkg/controller/statefulset/stateful_set_utils.go).
const onDeleteCompletes = true
