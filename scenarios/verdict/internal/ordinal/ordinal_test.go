package ordinal

import (
	"testing"

	appsv1 "k8s.io/api/apps/v1"
	"k8s.io/utils/ptr"
)

func TestOf(t *testing.T) {
	for _, test := range []struct {
		name, begins string
		ordinal      int
		found        bool
	}{
		{"db-3", "db", 3, true},
		{"data-db-12", "data-db", 12, true},
		{"db", "db", 0, false},
		{"db-x", "db", 0, false},
		{"db-2-1", "db", 0, false},
		{"web-3", "db", 0, false},
		// More than an int32 is no ordinal.
		{"db-4294967296", "db", 0, false},
	} {
		ordinal, found := Of(test.name, test.begins)
		if found != test.found || found && ordinal != test.ordinal {
			t.Errorf("%s of %s: %d, %v", test.name, test.begins, ordinal, found)
		}
	}
}

func TestRange(t *testing.T) {
	set := &appsv1.StatefulSet{}
	if start, end := Range(set); start != 0 || end != 1 {
		t.Errorf("by default: %d to %d", start, end)
	}
	set.Spec.Replicas, set.Spec.Ordinals = ptr.To[int32](3), &appsv1.StatefulSetOrdinals{Start: 5}
	for ordinal, wanted := range map[int]bool{4: false, 5: true, 7: true, 8: false} {
		if IsWanted(set, ordinal) != wanted {
			t.Errorf("5 to 7: %d is wanted: %v", ordinal, !wanted)
		}
	}
}
