// Package ordinal knows the ordinals of a StatefulSet: which ones it wants, and which one a Pod has.
//
//	db, replicas 3, ordinals.start 5, partition 6 -> wants db-5, db-6 and db-7, and updates db-7 and db-6
//
// Goals, relations and invariants ask for them, as upstream exports none of the functions that its controller has for this.
package ordinal

import (
	"strconv"
	"strings"

	appsv1 "k8s.io/api/apps/v1"
)

// Range are the ordinals that a StatefulSet wants: from start up to, but without, end.
func Range(set *appsv1.StatefulSet) (start, end int) {
	if set.Spec.Ordinals != nil {
		start = int(set.Spec.Ordinals.Start)
	}
	replicas := 1
	if set.Spec.Replicas != nil {
		replicas = int(*set.Spec.Replicas)
	}
	return start, start + replicas
}

// IsWanted reports whether a StatefulSet wants an ordinal.
func IsWanted(set *appsv1.StatefulSet, ordinal int) bool {
	start, end := Range(set)
	return ordinal >= start && ordinal < end
}

// Of is the ordinal at the end of a name that begins with another one: 3 for db-3 and db.
func Of(name, begins string) (ordinal int, found bool) {
	text, found := strings.CutPrefix(name, begins+"-")
	number, err := strconv.ParseUint(text, 10, 31)
	return int(number), found && err == nil
}

// Partition is the ordinal from which on Pods are updated.
func Partition(set *appsv1.StatefulSet) int {
	if rolling := set.Spec.UpdateStrategy.RollingUpdate; rolling != nil && rolling.Partition != nil {
		return int(*rolling.Partition)
	}
	return 0
}
