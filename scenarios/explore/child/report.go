package child

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"strconv"
	"time"

	"github.com/kubestep/kubestep/controllers"
	"github.com/kubestep/kubestep/scenarios/cli"
	"github.com/kubestep/kubestep/scenarios/explore/child/internal/fresh"
	"github.com/kubestep/kubestep/scenarios/explore/place"
	"github.com/kubestep/kubestep/scenarios/language/format"
	"github.com/kubestep/kubestep/scenarios/language/source"
	"github.com/kubestep/kubestep/scenarios/language/verb"
	"github.com/kubestep/kubestep/scenarios/reading/compare"
	"github.com/kubestep/kubestep/scenarios/reading/law"
	"github.com/kubestep/kubestep/scenarios/runner"
	"github.com/kubestep/kubestep/scenarios/runner/order"
	"github.com/kubestep/kubestep/scenarios/verdict/invariant"
	"github.com/kubestep/kubestep/sim/engine"
	"github.com/kubestep/kubestep/sim/trace"
)

// Job is what a worker is asked: one run.
type Job struct {
	// File is a scenario file, or the name of a scenario that comes with kubestep.
	File string `json:"file"`
	// Text, if set, is the scenario itself, and File only its name.
	Text string `json:"text,omitempty"`
	Seed int64  `json:"seed"`
	// Read asks for the name and the hash of the scenario, and for no run.
	Read bool `json:"read,omitempty"`
	// Spaces are fault spaces that the seed draws from, in addition to the faults of the scenario.
	Spaces []string `json:"spaces,omitempty"`
	// Faults are standing faults in addition to those of the scenario.
	Faults []format.FaultRule `json:"faults,omitempty"`
	// Late, if set, are Faults in the form in which they begin at their times (place.Place): jobs that differ in their faults only share
	// the run without faults until then, where a process can be copied.
	Late []format.FaultRule `json:"late,omitempty"`
	// Draws asks for the faults that the seed draws from Spaces, and for no run: Report.Drawn.
	Draws bool `json:"draws,omitempty"`
	// Omit leaves out faults that the seed draws, or of Faults if it draws none, each by its place among them.
	Omit []int `json:"omit,omitempty"`
	// Places asks for the places of the run without faults (package place) in addition: Report.Places.
	// With After, the run has the fault at that place, and the places are those of a second one.
	Places bool         `json:"places,omitempty"`
	After  *place.Place `json:"after,omitempty"`
	// Compare runs the seed without its faults, too. SameEnd then judges a run by its end (diverged.go).
	Compare bool `json:"compare,omitempty"`
	SameEnd bool `json:"sameEnd,omitempty"`
	// History judges a run by the end of one that only creates what users want at its end (nohistory.go).
	History bool `json:"history,omitempty"`
	// Against are the places of the faults that the comparison leaves out (verb.ChooseFaults), if there are no others than those of the
	// scenario; empty means all.
	Against []string `json:"against,omitempty"`
	// EndEarly ends the runs as soon as nothing can change their verdicts (runner.RunOptions.EndEarly).
	EndEarly bool `json:"endEarly,omitempty"`
	// Return ends a run with Late when it is as the run without faults again (return.go): Report.Returned. One that passes has no hash.
	Return bool `json:"return,omitempty"`
	// Past is what the run shares with others, if it is not zero: Seed decides only what comes after it.
	Past Past `json:"past,omitzero"`
	// Orders, if set, makes a run with a given order of the events of one time, and asks for Report.Orders.
	Orders *Orders `json:"orders,omitempty"`
	// Alone makes the run from its start, though it has a past that another one has had, too.
	Alone bool `json:"alone,omitempty"`
	// Times asks for the times of the scenario (package law), and for no run: Report.Times. Law is the number of one, from 1, and asks for
	// the runs with other lengths of it: Report.Finding.
	Times bool `json:"times,omitempty"`
	Law   int  `json:"law,omitempty"`
	// Varies are fields of objects that a comparison leaves out (Reporter.Varying).
	Varies []string `json:"varies,omitempty"`
}

// Past is the beginning of several runs: what a seed decides until a virtual time, or until a CEL condition is true. The zero value is
// none.
type Past struct {
	Seed  int64  `json:"seed"`
	Until string `json:"until"`
}

// IsZero reports whether it is none.
func (p Past) IsZero() bool { return p == (Past{}) }

// Flags are the values of --seed and --future that run a future of the past.
func (p Past) Flags(seed int64) (first, rest string) {
	return strconv.FormatInt(p.Seed, 10), p.Until + ":" + strconv.FormatInt(seed, 10)
}

// Report is what a worker answers, in few words: how one run ended, and why.
type Report struct {
	Seed int64 `json:"seed"`
	// Scenario is the hash of the scenario as it was read; see HashOf.
	Scenario string `json:"scenario,omitempty"`
	// Name is metadata.name, for a Job that only reads.
	Name string `json:"name,omitempty"`
	// Result is pass, fail, error, stuck, hot, diverged or late.
	Result string `json:"result"`
	Hash   string `json:"hash,omitempty"`
	// Failures are what failed, in the order of time.
	Failures []Failure `json:"failures,omitempty"`
	// End says what is wrong at the end, in the same words for all seeds in which the same is wrong.
	End string `json:"end,omitempty"`
	// Stuck is the first object that is stuck, Rests means that the simulation was at rest at the end, and Hot is the first thing that
	// a controller did without end.
	Stuck string `json:"stuck,omitempty"`
	Rests bool   `json:"rests,omitempty"`
	Hot   string `json:"hot,omitempty"`
	// HotAt is when that was found.
	HotAt time.Duration `json:"hotAt,omitempty"`
	// Settled is the time of the last change.
	Settled time.Duration `json:"settled,omitempty"`
	// Returned is when the run ended because it was as the run without faults again; 0 for a run that came to its end.
	Returned time.Duration `json:"returned,omitempty"`
	// Faults are those that the seed drew from fault spaces, each in words.
	Faults []string `json:"faults,omitempty"`
	// Drawn are those faults, for a Job that asks for nothing else.
	Drawn []format.FaultRule `json:"drawn,omitempty"`
	// Comparison is set if the job asked for it, and the scenario has faults.
	Comparison *Comparison `json:"comparison,omitempty"`
	// Undecided is why the run could not be judged by its end, if the job asked for that.
	Undecided string `json:"undecided,omitempty"`
	// Differing are the objects in which a run diverged, or the one that settled late; generated names are patterns, such as web-*.
	Differing []trace.Object `json:"differing,omitempty"`
	// HistoryEnds are the objects that a run which only creates what users want at the end leaves otherwise, each in words, also those that
	// may differ. HistoryUndecided is why there is no such run, if the job asked for it.
	HistoryEnds      []string `json:"historyEnds,omitempty"`
	HistoryUndecided string   `json:"historyUndecided,omitempty"`
	// HistoryRests is how many rests before steps were compared in the same way, and HistoryLeftOut how many were not, because there are
	// too many.
	HistoryRests   int `json:"historyRests,omitempty"`
	HistoryLeftOut int `json:"historyLeftOut,omitempty"`
	// Decisions are those of the controllers, up to the first failure.
	Decisions []compare.Decision `json:"decisions,omitempty"`
	// OpenOrder names the controllers in the run whose order Go decides, so that the hash may differ.
	OpenOrder []string `json:"openOrder,omitempty"`
	// Halt says why the simulation did not come to its end.
	Halt *trace.Halt `json:"halt,omitempty"`
	// Places are those of the run, for a Job that asks for them.
	Places []place.Place `json:"places,omitempty"`
	// Times are those of the scenario, for a Job that asks for them, Finding what is known of one, and Runs how many runs that took.
	Times   []*law.Time  `json:"times,omitempty"`
	Finding *law.Finding `json:"finding,omitempty"`
	Runs    int          `json:"runs,omitempty"`
	// Orders are the choices about the order of events, for a Job that asks for them.
	Orders []Choice `json:"orders,omitempty"`
	// Joined means that the run ended at a state that another one has been in, and so has no result of its own.
	Joined bool `json:"joined,omitempty"`
	// Spent is the processor time that the process has used for the job; real time where it cannot be measured.
	Spent time.Duration `json:"spent,omitempty"`
	// Wrong is set if the scenario could not be played; Message and Try say why.
	Wrong   bool   `json:"wrong,omitempty"`
	Message string `json:"message,omitempty"`
	Try     string `json:"try,omitempty"`
}

// Ended reports whether the simulation came to its end.
func (r *Report) Ended() bool { return !r.Wrong && r.Result != runner.Fault }

// Failure is a check, or a step, that failed.
type Failure struct {
	Name    string        `json:"name"`
	At      time.Duration `json:"at"`
	Message string        `json:"message"`
	// By is what decided that it failed.
	By verb.Decider `json:"by,omitempty"`
	// Try is what may help; empty if nothing is known.
	Try string `json:"try,omitempty"`
}

// decisionsMax bounds a report; what a run does after so many decisions tells little.
const decisionsMax = 2000

// Reporter makes the report of a run from its records.
type Reporter struct {
	scenario *format.Scenario
	report   Report
	finder   *compare.Decisions
	course   *compare.Course
	history  *compare.History
	end      compare.End
	// users are set if the run is compared with ones without its past, rests are then what it had before steps, and atEnd what it left.
	users *fresh.Users
	rests []rest
	atEnd rest
	// lastRest is the scenario of the last rest before a step.
	lastRest []byte
	failed   map[string]bool
	settled  time.Duration
	// ailing and recovers are those of the outcome.
	ailing   int
	recovers bool
	// awaits are the keys that controllers look at again later, with the patterns of generated names.
	awaits map[invariant.Await]bool
	// hot is what the verdict Hot is about, and allHot what controllers did without end, whether the scenario expects that or not.
	hot    *invariant.Hot
	allHot []*invariant.Hot
	// hosts are the Pods on nodes that are lost at the end (lostHosts).
	hosts map[string]int
	// varies are the fields of a Job that are not compared.
	varies []string
	// mayDiffer is that of the scenario, and diverged is in what the run ended otherwise than all runs without its faults.
	mayDiffer []compare.Exception
	diverged  []compare.FinalPair
}

// Drew notes what the seed drew from fault spaces.
func (r *Reporter) Drew(faults []string) { r.report.Faults = faults }

// NewReporter returns a Reporter before the first record.
func NewReporter(seed int64, scenario *format.Scenario) *Reporter {
	finder := compare.NewDecisions()
	return &Reporter{
		scenario: scenario, report: Report{Seed: seed, Scenario: HashOf(scenario)}, finder: finder,
		course: finder.Course(), history: finder.History(),
		failed: map[string]bool{},
	}
}

// Note is a trace.Sink.
func (r *Reporter) Note(record *trace.Record, _ []byte) {
	r.settled = record.At
	if record.Check != nil && !record.Check.Passed {
		r.fail(record.Check.Name, record.Check.Message)
	}
	if decision, ok := r.finder.Add(record); ok && len(r.report.Failures) == 0 && len(r.report.Decisions) < decisionsMax {
		r.report.Decisions = append(r.report.Decisions, decision)
	}
	r.course.Add(record)
	r.history.Add(record)
	if r.users != nil {
		r.users.Note(record)
	}
}

func (r *Reporter) fail(name, message string) {
	if !r.failed[name] {
		r.failed[name] = true
		r.report.Failures = append(r.report.Failures, Failure{Name: name, At: r.settled, Message: message})
	}
}

// decidedBy notes what decided a failure, which its record does not say.
func (r *Reporter) decidedBy(name string, by verb.Decider) {
	for i := range r.report.Failures {
		if r.report.Failures[i].Name == name {
			r.report.Failures[i].By = by
		}
	}
}

// End is the report of a run that came to its end. compares keeps what Against needs.
func (r *Reporter) End(outcome *runner.Outcome, compares bool) *Report {
	for _, check := range outcome.Checks {
		if check.Result == runner.Fail && !check.Undecided {
			r.fail(check.Name, check.Message)
			r.decidedBy(check.Name, check.By)
		}
	}
	r.report.Result, r.report.Hash, r.report.OpenOrder = outcome.Result, outcome.TraceHash, outcome.OpenOrder
	r.report.Rests, r.report.Settled, r.report.Returned = outcome.Rests, r.course.Settled, outcome.Returned
	if outcome.Returned > 0 {
		if r.report.Result == runner.Fail {
			// It ends with the objects with which the run without faults does.
			r.report.End = runner.Fail + " "
		}
		return &r.report
	}
	r.ailing, r.recovers, r.awaits = outcome.Ailing, outcome.Recovers, map[invariant.Await]bool{}
	for _, await := range outcome.Awaits {
		await.Key = r.finder.Key(await.Key)
		r.awaits[await] = true
	}
	r.judge(outcome)
	if compares {
		r.end, r.hosts = r.finder.End(objectsOf(outcome.State)), lostHosts(outcome.State)
	}
	if r.users != nil {
		r.atEnd = r.restAt(r.scenario, -1, outcome.State)
	}
	return &r.report
}

// Halted is the report of a simulation that ended before its time.
func (r *Reporter) Halted(halt *trace.Halt, try string) *Report {
	report := r.report
	report.Result, report.Halt = runner.Fault, halt
	report.Failures = append(report.Failures, Failure{Name: string(halt.Reason), At: r.settled, Message: halt.Message, Try: try})
	return &report
}

// HaltOf describes an error that ended a simulation, or returns nil for one that has another cause. try is what may help; empty
// if nothing is known.
func HaltOf(err error) (halt *trace.Halt, try string) {
	var fault *controllers.Error
	var panicked *engine.PanicError
	switch {
	case errors.As(err, &fault):
		halt = &trace.Halt{Reason: trace.HaltFault, Message: fault.Error(), Actors: []string{fault.Controller}, Stack: string(fault.Stack)}
		return halt, fault.Try
	case errors.As(err, &panicked):
		return &trace.Halt{Reason: trace.HaltPanic, Message: panicked.Error(), Actors: panicked.Left, Stack: string(panicked.Stack)}, ""
	}
	return nil, ""
}

// Wrong is the report of a scenario that cannot be played; any other error is returned.
func Wrong(seed int64, err error) (*Report, error) {
	var list source.ErrorList
	var positioned *source.Error
	var usage *cli.UsageError
	var misplaced *order.Error
	switch {
	case errors.As(err, &misplaced):
		positioned = &source.Error{Message: misplaced.Error(), Try: "the same version and scenario that the choices are from"}
	case errors.As(err, &usage):
		positioned = &source.Error{Message: usage.Message, Try: usage.Try}
	case errors.As(err, &list):
		positioned = list[0]
	case !errors.As(err, &positioned):
		return nil, err
	}
	return &Report{
		Seed: seed, Result: runner.Fault, Wrong: true, Message: positioned.Error(), Try: positioned.Try,
		Failures: []Failure{{Name: "scenario", Message: positioned.Error()}},
	}, nil
}

// HashOf is a hash of all that a scenario says, however it is written.
func HashOf(s *format.Scenario) string {
	text, err := s.Encode()
	if err != nil {
		panic("child: a scenario does not marshal: " + err.Error())
	}
	sum := sha256.Sum256(text)
	return "sha256:" + hex.EncodeToString(sum[:])
}
