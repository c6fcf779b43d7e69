package scenarios

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/kubestep/kubestep/sim/trace"
)

// Ask is a question whose answer the run itself gives: the steps wait until the moment that For names, and there
// the condition That holds the answer to the truth.
type Ask struct {
	Question string    `yaml:"question" required:"true" example:"How many Pods will there be at once?" doc:"What the reader is to predict."`
	Choices  []string  `yaml:"choices,omitempty" example:"['10', '12', '13']" doc:"Answers to choose from. Without them the reader writes one."`
	For      string    `yaml:"for,omitempty" example:"quiet 3s" doc:"Moment of the answer, as in wait. Default: at once."`
	Timeout  *Duration `yaml:"timeout,omitempty" doc:"Virtual time after which the run fails. Default 10m."`
	Answer   string    `yaml:"answer" required:"true" example:"'13'" doc:"The right answer."`
	That     string    `yaml:"that" required:"true" cel:"true" example:"size(pods('app=web')) == 13" doc:"CEL condition that is true at that moment if the answer is right; otherwise the run fails."`
	Explain  string    `yaml:"explain,omitempty" doc:"Markdown: why it is so."`
}

// ask waits for the moment of the answer, and gives it.
func ask(ctx context.Context, r *run, i int, st Step) error {
	path := StepPath(i) + ".ask"
	if st.Ask.For != "" {
		moment, err := r.waitFor(path+".for", st.Ask.For)
		if err != nil {
			return err
		}
		if err := r.wait(ctx, moment, st.Ask.Timeout.Duration); errors.Is(err, errTimeout) {
			return &unmetError{fmt.Sprintf("ask, for %s: %v", st.Ask.For, err)}
		} else if err != nil {
			return err
		}
	}
	condition, err := r.compile(path+".that", st.Ask.That)
	if err != nil {
		return err
	}
	err = r.wait(ctx, conditionMet(condition), time.Nanosecond)
	if errors.Is(err, errTimeout) {
		return &unmetError{fmt.Sprintf("the answer %q is wrong: %s", st.Ask.Answer, r.explain(condition))}
	}
	if err == nil {
		r.sim.Recorder.Defer(&trace.Record{Kind: trace.KindAnswer, Answer: &trace.Answer{
			Step: i, Text: st.Ask.Answer, Explain: st.Ask.Explain,
		}}, trace.RankHandler, nil, nil, func(*trace.Record) {})
	}
	return err
}

// ask checks that a question can be answered.
func (v *validator) ask(path string, a *Ask) {
	v.wait(path, a.For, a.Timeout)
	if len(a.Choices) == 1 {
		v.fail(path+".choices", "two or more, or none", "there is nothing to choose")
	}
	if len(a.Choices) > 1 && !slices.Contains(a.Choices, a.Answer) {
		v.fail(path+".answer", a.Choices[0], "the answer is not among the choices")
	}
}
