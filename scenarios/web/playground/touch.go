package playground

import (
	"bytes"

	"github.com/kubestep/kubestep/scenarios/explore/branch"
	"github.com/kubestep/kubestep/scenarios/explore/branch/touch"
	"github.com/kubestep/kubestep/scenarios/language/format"
	"github.com/kubestep/kubestep/scenarios/reading/scene"
	"github.com/kubestep/kubestep/scenarios/web/page"
	"github.com/kubestep/kubestep/sim/recording"
)

// Pointing is what a reader of a run points at, or what is to be done to it. Text is the scenario that ran.
type Pointing struct {
	// Record is the beat, and Thing what is pointed at, as the page names it: player2.
	Record int64  `json:"record"`
	Thing  string `json:"thing"`
	// Command is one of the offers.
	Command string `json:"command"`
}

// Offers is what may be done to a thing.
type Offers struct {
	Offers []touch.Offer `json:"offers"`
}

// Branched is the scenario of a branch, and what it adds.
type Branched struct {
	Text  string `json:"text"`
	Added string `json:"added"`
	// At is when it begins, in seconds of virtual time.
	At float64 `json:"at"`
}

// Offers lists what may be done to the thing, in the run of the text that the archive has.
func (p Pointing) Offers(text string, packed []byte) (*Offers, error) {
	_, run, err := p.run(text, packed)
	if err != nil {
		return nil, err
	}
	thing, ok := page.Thing(run.Scenes, p.Record, p.Thing)
	if !ok {
		return &Offers{[]touch.Offer{}}, nil
	}
	return &Offers{append([]touch.Offer{}, run.Offers(thing)...)}, nil
}

// Branch makes the scenario of the branch in which the command is done.
func (p Pointing) Branch(text string, packed []byte) (*Branched, error) {
	scenario, run, err := p.run(text, packed)
	if err != nil {
		return nil, err
	}
	added, err := run.Parse(p.Command)
	if err != nil {
		return nil, &Failure{Message: err.Error(), Try: "point at the thing again"}
	}
	branched, err := branch.Add(scenario, run.Rec, added.At, added.Steps...)
	if err != nil {
		return nil, &Failure{Message: err.Error(), Try: "another command"}
	}
	if made := run.Rec.Made; made != nil && made.Seed != nil {
		branched.Spec.Seed = *made.Seed
	}
	file, err := branched.Encode()
	if err != nil {
		return nil, err
	}
	return &Branched{Text: string(file), Added: added.Text, At: added.At.Seconds()}, nil
}

// run is the run at the beat.
func (p Pointing) run(text string, packed []byte) (*format.Scenario, touch.Run, error) {
	scenario, err := read(text)
	if err != nil {
		return nil, touch.Run{}, err
	}
	rec, err := recording.Read(bytes.NewReader(packed), recording.Origin{Name: scenario.Metadata.Name})
	if err != nil || p.Record < 1 || p.Record > rec.Len() {
		return nil, touch.Run{}, &Failure{Message: "the trace of the run cannot be read", Try: "run the scenario again"}
	}
	return scenario, touch.Run{Scenario: scenario, Beat: scene.New(rec).At(p.Record, rec.At(p.Record))}, nil
}
