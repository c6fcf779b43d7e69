package builds

import (
	"os"
	"path/filepath"
	"slices"
	"testing"
)

// TestParse reads versions as people write them.
func TestParse(t *testing.T) {
	for text, want := range map[string]Version{
		"1.35": {1, 35, Any}, "v1.35": {1, 35, Any}, "1.35.4": {1, 35, 4}, "v1.34.0": {1, 34, 0},
	} {
		if got, err := Parse(text); err != nil || got != want {
			t.Errorf("%s: %v, %v", text, got, err)
		}
	}
	for _, text := range []string{"", "1", "1.35.", "1.35.4-rc.1", "1.35.4.2", "latest", "-1.35", "1.99999999999"} {
		if got, err := Parse(text); err == nil {
			t.Errorf("%q is read as %v", text, got)
		}
	}
}

// TestCandidates looks where the name is most exact first: the highest patch version comes before the lower ones, and
// a plain kubestep is the last hope.
func TestCandidates(t *testing.T) {
	dir, elsewhere := t.TempDir(), t.TempDir()
	for _, path := range []string{
		"kubestep", "kubestep-1.34", "kubestep-1.34.0", "kubestep-1.34.4", "kubestep-1.33.9", "kubestep-1.34.yaml", "kubestep-old",
	} {
		if err := os.WriteFile(filepath.Join(dir, path), nil, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	for path, mode := range map[string]os.FileMode{"kubestep-1.34.10": 0o755, "kubestep-1.34.11": 0o644} {
		if err := os.WriteFile(filepath.Join(elsewhere, path), nil, mode); err != nil {
			t.Fatal(err)
		}
	}
	t.Setenv("PATH", elsewhere)
	own := filepath.Join(dir, "kubestep-1.36")
	for text, want := range map[string][]string{
		"1.34":   {"kubestep-1.34", "kubestep-1.34.10", "kubestep-1.34.4", "kubestep-1.34.0", "kubestep"},
		"1.34.0": {"kubestep-1.34.0", "kubestep-1.34", "kubestep"},
		"1.32":   {"kubestep"},
	} {
		wanted, err := Parse(text)
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, path := range candidates(own, wanted) {
			got = append(got, filepath.Base(path))
		}
		if !slices.Equal(got, want) {
			t.Errorf("%s: %q, want %q", text, got, want)
		}
	}
}

// TestWithout removes the flag, and nothing that only looks like it.
func TestWithout(t *testing.T) {
	args := []string{"run", "--kubernetes", "1.35", "x.yaml", "--kubernetes=1.34", "--seed", "3", "--", "--kubernetes"}
	want := []string{"run", "x.yaml", "--seed", "3", "--", "--kubernetes"}
	if got := without(args); !slices.Equal(got, want) {
		t.Errorf("%q", got)
	}
}

// TestRange reads ranges and knows what is in them.
func TestRange(t *testing.T) {
	low, high, err := ParseRange("1.34.2..1.35")
	if err != nil {
		t.Fatal(err)
	}
	for text, want := range map[string]bool{
		"1.34.1": false, "1.34.2": true, "1.34.10": true, "1.35.0": true, "1.35.9": true, "1.36.0": false, "1.33.9": false,
	} {
		v, err := Parse(text)
		if err != nil {
			t.Fatal(err)
		}
		if got := v.IsWithin(low, high); got != want {
			t.Errorf("%s within 1.34.2..1.35: %v", text, got)
		}
	}
	for _, text := range []string{"", "..", "1.33..", "1.36..1.33", "1.33-1.36", "1.36..2.1"} {
		if low, high, err := ParseRange(text); err == nil {
			t.Errorf("%q is read as %v to %v", text, low, high)
		}
	}
}
