// Package journal keeps the file of a session up to date while the session happens, so that nothing that a client has an answer for is
// lost when the program is killed or the machine stops.
//
// The file is a scenario at any time: everything but the steps comes first, and a step is added at the end. Its horizon has a fixed width
// and is written over, for a run ends with its last step.
package journal

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
	"time"

	"gopkg.in/yaml.v3"

	"github.com/kubestep/kubestep/scenarios/language/format"
)

// File is where a journal is kept, such as an *os.File.
type File interface {
	WriteAt(data []byte, at int64) (int, error)
	Truncate(size int64) error
	Sync() error
}

// Journal is the file of one session. A nil journal keeps nothing.
type Journal struct {
	file File
	// horizon is where the number of the horizon begins, and steps where the list of steps does.
	horizon, steps int64
	// size is how long the file is, with all steps that are complete in it.
	size int64
	// empty means that there is no step yet.
	empty bool
	// waiting are steps that could not be written.
	waiting []format.Step
}

// placeholder is a horizon that no scenario has, of the width that all horizons get: 123456789.012s are almost four years.
const placeholder = "987654321.012s"

// New writes a scenario without the steps of its session into an empty file.
func New(file File, base *format.Scenario) (*Journal, error) {
	text, err := head(base)
	if err != nil {
		return nil, err
	}
	at := bytes.Index(text, []byte(placeholder))
	if at < 0 {
		return nil, errors.New("journal: the scenario has no horizon")
	}
	j := &Journal{file: file, horizon: int64(at), empty: len(base.Spec.Steps) == 0}
	j.steps = int64(len(text))
	if j.empty {
		text = append(text, noSteps...)
	}
	copy(text[at:], width(base.Spec.Horizon.Duration))
	if _, err := file.WriteAt(text, 0); err != nil {
		return nil, err
	}
	j.size = int64(len(text))
	return j, file.Sync()
}

// noSteps is a list without steps, and someSteps the beginning of one.
const (
	noSteps   = "  steps: []\n"
	someSteps = "  steps:\n"
)

// head is a scenario whose last field is its steps.
func head(base *format.Scenario) ([]byte, error) {
	text, err := base.Encode()
	if err != nil {
		return nil, err
	}
	var document yaml.Node
	if err := yaml.Unmarshal(text, &document); err != nil {
		return nil, err
	}
	spec := valueOf(document.Content[0], "spec")
	valueOf(spec, "horizon").SetString(placeholder)
	for i := 0; i < len(spec.Content); i += 2 {
		if spec.Content[i].Value == "steps" {
			pair := []*yaml.Node{spec.Content[i], spec.Content[i+1]}
			spec.Content = append(spec.Content[:i], spec.Content[i+2:]...)
			if len(base.Spec.Steps) > 0 {
				spec.Content = append(spec.Content, pair...)
			}
			break
		}
	}
	return format.EncodeYAML(&document)
}

// valueOf is the value of a key, an empty node if there is none.
func valueOf(mapping *yaml.Node, key string) *yaml.Node {
	for i := 0; i < len(mapping.Content); i += 2 {
		if mapping.Content[i].Value == key {
			return mapping.Content[i+1]
		}
	}
	return &yaml.Node{}
}

// width is a duration in the width of the placeholder.
func width(d time.Duration) string { return fmt.Sprintf("%013.3fs", d.Seconds()) }

// Add adds a step, and the end of the run behind it, and returns when the disk has both. After an error the file is as it was, and the
// next call adds the step, too.
func (j *Journal) Add(step format.Step, end time.Duration) error {
	if j == nil {
		return nil
	}
	j.waiting = append(j.waiting, step)
	text, err := format.EncodeYAML(j.waiting)
	if err != nil {
		return err
	}
	text = indented(text)
	at := j.size
	if j.empty {
		text, at = append([]byte(someSteps), text...), j.steps
	}
	if err := j.write(text, at, end); err != nil {
		return errors.Join(err, j.restore())
	}
	j.size, j.empty, j.waiting = at+int64(len(text)), false, nil
	return nil
}

func (j *Journal) write(text []byte, at int64, end time.Duration) error {
	if _, err := j.file.WriteAt(text, at); err != nil {
		return err
	}
	if _, err := j.file.WriteAt([]byte(width(end)), j.horizon); err != nil {
		return err
	}
	return j.file.Sync()
}

// restore removes a step that is there in part.
func (j *Journal) restore() error {
	if j.empty {
		if _, err := j.file.WriteAt([]byte(noSteps), j.steps); err != nil {
			return err
		}
	}
	return j.file.Truncate(j.size)
}

// indented is a list below spec.steps.
func indented(text []byte) []byte {
	var out strings.Builder
	for line := range bytes.Lines(text) {
		if len(bytes.TrimSpace(line)) > 0 {
			out.WriteString("    ")
		}
		out.Write(line)
	}
	return []byte(out.String())
}
