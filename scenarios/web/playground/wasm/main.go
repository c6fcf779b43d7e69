//go:build js && wasm

package main

import (
	"encoding/json"
	"os"
	"sync"
	"syscall/js"

	"github.com/kubestep/kubestep/scenarios/cli/limits"
	"github.com/kubestep/kubestep/scenarios/web/playground"
	"github.com/kubestep/kubestep/sim/engine"
	"github.com/kubestep/kubestep/sim/trace"
)

// memoryMax is what a run may use, in bytes: a tab of a browser has hardly more than twice as much.
const memoryMax = 1536 << 20

// request is one of those that need the simulation.
type request struct {
	Type string `json:"type"`
	playground.Job
	playground.Pointing
}

func main() {
	from := js.Global().Get("kubestep")
	var r request
	if err := json.Unmarshal([]byte(from.Get("request").String()), &r); err != nil {
		fail(from, &playground.Failure{Message: "the request cannot be read: " + err.Error(), Try: "reload the page"})
		return
	}
	if err := answer(from, r); err != nil {
		fail(from, playground.FailureOf(err))
	}
}

// answer does what is requested.
func answer(from js.Value, r request) error {
	progress := &engine.Progress{}
	limit := limits.Limits{Memory: memoryMax}
	defer limit.Guard(progress, func(halt trace.Halt) { abort(from, halt) })()
	switch r.Type {
	case "validate":
		problems, ok := playground.Validate(r.Text)
		kind := "invalid"
		if ok {
			kind = "valid"
		}
		post(from, map[string]any{"type": kind, "errors": problems}, nil)
	case "run":
		result, err := r.Run(progress, reporter(from))
		if err != nil {
			return err
		}
		post(from, answered("result", result), result.Archive)
	case "compare":
		comparison, err := playground.Compare(archive(from, 0), archive(from, 1))
		if err != nil {
			return err
		}
		post(from, answered("comparison", comparison), nil)
	case "touch":
		offers, err := r.Offers(r.Text, archive(from, 0))
		if err != nil {
			return err
		}
		post(from, answered("offers", offers), nil)
	case "branch":
		branched, err := r.Branch(r.Text, archive(from, 0))
		if err != nil {
			return err
		}
		post(from, answered("branched", branched), nil)
	case "trace":
		lines, err := playground.Lines(archive(from, 0))
		if err != nil {
			return err
		}
		post(from, map[string]any{"type": "trace"}, lines)
	default:
		return &playground.Failure{Message: "there is no request " + r.Type, Try: "reload the page"}
	}
	return nil
}

// answered is an answer with a type and the fields of a value.
func answered(kind string, value any) map[string]any {
	fields := map[string]any{}
	text, err := json.Marshal(value)
	if err == nil {
		err = json.Unmarshal(text, &fields)
	}
	if err != nil {
		panic("playground: an answer has no JSON form: " + err.Error())
	}
	fields["type"] = kind
	return fields
}

// reporter posts the progress of a run, at most ten times a second.
func reporter(from js.Value) func(playground.Progress) {
	const every, interval = 64, 100
	performance := js.Global().Get("performance")
	last := performance.Call("now").Float()
	return func(p playground.Progress) {
		if p.Records%every != 0 {
			return
		}
		if now := performance.Call("now").Float(); now-last >= interval {
			last = now
			post(from, answered("progress", p), nil)
		}
	}
}

var once sync.Once

// abort ends a run that does not come to its end by itself.
func abort(from js.Value, halt trace.Halt) {
	once.Do(func() {
		try := "report this with the scenario and its seed"
		if _, ok := limits.Exceeded(halt); ok {
			try = "fewer objects, a shorter horizon, or kubestep run in a terminal"
		}
		fail(from, &playground.Failure{Message: halt.Message, Try: try})
		os.Exit(1)
	})
}

func fail(from js.Value, failure *playground.Failure) { post(from, answered("error", failure), nil) }

func archive(from js.Value, i int) []byte {
	array := from.Get("archives").Index(i)
	if array.IsUndefined() {
		return nil
	}
	data := make([]byte, array.Length())
	js.CopyBytesToGo(data, array)
	return data
}

// post sends an answer to the worker.
func post(from js.Value, message map[string]any, data []byte) {
	text, err := json.Marshal(message)
	if err != nil {
		panic("playground: an answer has no JSON form: " + err.Error())
	}
	var array any
	if data != nil {
		array = js.Global().Get("Uint8Array").New(len(data))
		js.CopyBytesToJS(array.(js.Value), data)
	}
	from.Call("post", string(text), array)
}
