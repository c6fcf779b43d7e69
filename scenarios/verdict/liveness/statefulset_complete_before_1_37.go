//go:build kubernetes_before_1_37

package liveness

// onDeleteCompletes is false: completeRollingUpdate returns at once with OnDelete.
const onDeleteCompletes = false
