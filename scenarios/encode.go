package scenarios

import (
	"bytes"
	"fmt"
	"strings"
	"time"

	"gopkg.in/yaml.v3"
)

// Encode writes the scenario as a file that Load reads back to the same scenario, defaults
// included, so that a reduced or recorded scenario does not depend on them.
func (s *Scenario) Encode() ([]byte, error) { return encodeYAML(s) }

// Source is the text that the scenario was read from, as its author wrote it.
func (s *Scenario) Source() []byte { return []byte(strings.Join(s.lines, "\n")) }

func encodeYAML(value any) ([]byte, error) {
	var out bytes.Buffer
	encoder := yaml.NewEncoder(&out)
	encoder.SetIndent(2)
	if err := encoder.Encode(value); err != nil {
		return nil, err
	}
	err := encoder.Close()
	return out.Bytes(), err
}

// String writes the duration as it is written in a scenario, without the zero parts that Go
// appends: 30m and not 30m0s.
func (d Duration) String() string { return durationText(d.Duration) }

// MarshalYAML writes the duration as text.
func (d Duration) MarshalYAML() (any, error) { return d.String(), nil }

// MarshalYAML writes the delay as text.
func (d Delay) MarshalYAML() (any, error) { return d.String(), nil }

// String is never, 2s or 1ms..5ms.
func (d Delay) String() string {
	switch {
	case d.Never:
		return never
	case d.Min == d.Max:
		return durationText(d.Min)
	}
	return fmt.Sprintf("%s..%s", durationText(d.Min), durationText(d.Max))
}

func durationText(d time.Duration) string {
	text := d.String()
	if strings.HasSuffix(text, "m0s") {
		text = strings.TrimSuffix(text, "0s")
	}
	if strings.HasSuffix(text, "h0m") {
		text = strings.TrimSuffix(text, "0m")
	}
	return text
}
