package syncs

import "testing"

// TestLinesOfTheMachine has what upstream's prober for FlexVolumes logs on Linux, and on js/wasm.
func TestLinesOfTheMachine(t *testing.T) {
	for message, want := range map[string]bool{
		"Flexvolume plugin directory at  does not exist. Recreating.": true,
		"Error initializing dynamic plugin prober":                    true,
		"Starting attach detach controller":                           false,
	} {
		if got := isOfTheMachine(message); got != want {
			t.Errorf("%q: %v", message, got)
		}
	}
}
