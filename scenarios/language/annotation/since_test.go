package annotation

import "testing"

// TestDiffers says what older versions do differently, and what single patch versions do.
func TestDiffers(t *testing.T) {
	const waits = "Before, no controller waits for its own writes."
	for _, c := range []struct{ since, except, kubernetes, want string }{
		{"1.36 " + waits, "", "v1.35.4", "it is for Kubernetes 1.36 and newer, and this is v1.35.4. " + waits},
		{"1.36 " + waits, "", "v1.9.11", "it is for Kubernetes 1.36 and newer, and this is v1.9.11. " + waits},
		{"1.36 " + waits, "", "v1.36.0", ""},
		{"1.36 " + waits, "", "v1.37.2", ""},
		{"1.36 " + waits, "", "", ""},
		{"", "", "v1.35.4", ""},
		{"", "1.35.0 A gate is on.", "v1.35.0", "it is not for Kubernetes 1.35.0, and this is v1.35.0. A gate is on."},
		{"", "1.35.0,1.35.1 A gate is on.", "v1.35.1", "it is not for Kubernetes 1.35.0 and 1.35.1, and this is v1.35.1. A gate is on."},
		{"", "1.35.0 A gate is on.", "v1.35.4", ""},
		{"1.35 Before, it is off.", "1.36.0 A gate is on.", "v1.34.4", "it is for Kubernetes 1.35 and newer, and this is v1.34.4. Before, it is off."},
	} {
		annotations := map[string]string{Since: c.since, Except: c.except}
		if got := Differs(annotations, c.kubernetes); got != c.want {
			t.Errorf("%q, %q with %s: %q, want %q", c.since, c.except, c.kubernetes, got, c.want)
		}
	}
}

// TestDiffersAfter says what newer versions do differently.
func TestDiffersAfter(t *testing.T) {
	const sets = "Since 1.37, completeUpdate sets the revision."
	for _, c := range []struct {
		annotations      map[string]string
		kubernetes, want string
		past             bool
	}{
		{map[string]string{Until: "1.36 " + sets}, "v1.37.2", "it is for Kubernetes 1.36 and older, and this is v1.37.2. " + sets, true},
		{map[string]string{Until: "1.36 " + sets}, "v1.100.0", "it is for Kubernetes 1.36 and older, and this is v1.100.0. " + sets, true},
		{map[string]string{Until: "1.36 " + sets}, "v1.36.3", "", false},
		{map[string]string{Until: "1.36 " + sets}, "v1.9.11", "", false},
		{map[string]string{Until: "1.36 " + sets}, "", "", false},
		{map[string]string{}, "v1.37.2", "", false},
		{map[string]string{Since: "1.35 Before, it is off.", Until: "1.36 " + sets}, "v1.34.4",
			"it is for Kubernetes 1.35 and newer, and this is v1.34.4. Before, it is off.", false},
		{map[string]string{Since: "1.35 Before, it is off.", Until: "1.36 " + sets}, "v1.35.4", "", false},
		{map[string]string{Until: "1.36 " + sets, Except: "1.34.4 A gate is on."}, "v1.34.4",
			"it is not for Kubernetes 1.34.4, and this is v1.34.4. A gate is on.", false},
	} {
		if got := Differs(c.annotations, c.kubernetes); got != c.want {
			t.Errorf("%v with %s: %q, want %q", c.annotations, c.kubernetes, got, c.want)
		}
		if got := IsPast(c.annotations, c.kubernetes); got != c.past {
			t.Errorf("%v is past with %s: %t, want %t", c.annotations, c.kubernetes, got, c.past)
		}
	}
}

// TestValues checks values of the annotations with versions.
func TestValues(t *testing.T) {
	for _, c := range []struct {
		key, value string
		wrong      bool
	}{
		{Since, "1.36 Before, it is off.", false},
		{Since, "1.36", true},
		{Since, "1.36.0 Before, it is off.", true},
		{Until, "1.36 Since 1.37, it is on.", false},
		{Until, "1.36", true},
		{Until, "1.36.3 After it, it is on.", true},
		{Except, "1.35.0 A gate is on.", false},
		{Except, "1.35.0,1.35.1 A gate is on.", false},
		{Except, "1.35 A gate is on.", true},
		{Except, "1.35.0, 1.35.1 A gate is on.", true},
		{Except, "1.35.0", true},
	} {
		if mistakes := Check(c.key, c.value); (len(mistakes) > 0) != c.wrong {
			t.Errorf("%s: %s: %v", c.key, c.value, mistakes)
		}
	}
}
