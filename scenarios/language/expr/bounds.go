package expr

import (
	"errors"

	"github.com/google/cel-go/common/functions"
	"github.com/google/cel-go/common/types"
	"github.com/google/cel-go/common/types/ref"
	"github.com/google/cel-go/common/types/traits"
	"github.com/google/cel-go/interpreter"
)

// A condition is looked at after every write, so one that loops over loops must fail, and soon. Each
// evaluation may do so much work and no more. Work is counted in items: the turns of a loop, the objects
// and records that a function looks through, what goes through a function such as sum() or sort().
// CEL could count the cost of every step itself; that makes a loop over 1,000 pods ten times slower.
const (
	// maxText and maxDepth bound the text of a condition, in characters and nested parentheses.
	maxText, maxDepth = 4096, 100
	// maxWork allows 1,000 pods to be compared with 1,000 pods, which takes less than a second.
	maxWork = 2_000_000
	// MaxWork is the work of one evaluation, in items.
	MaxWork = maxWork
	// maxItems and maxBytes bound the lists and strings that a condition builds; those that it reads from the
	// simulation are as long as they are.
	maxItems, maxBytes = 10_000, 16 << 10
	// maxCursors bounds the places in the trace that one condition remembers.
	maxCursors = 100
)

// ErrTooMuch ends an evaluation that would take too long.
var ErrTooMuch = errors.New("the condition takes too much work; loop over fewer things")

// work accounts for n items.
func (e *evaluation) work(n uint64) error {
	e.worked += min(n, maxWork+1)
	if e.isExhausted() {
		return ErrTooMuch
	}
	return nil
}

// isExhausted means that an evaluation did all the work that it may. It then fails, even if && or || made do without the
// part that was too much.
func (e *evaluation) isExhausted() bool { return e.worked > e.maxWork }

// turn accounts for a turn of a loop, before it. It ends the evaluation if that has done all the work that it may.
func turn(vars interpreter.Activation) {
	found, _ := vars.ResolveName(evaluationVariable)
	if e, ok := found.(*evaluation); ok && e.work(1) != nil {
		panic(interpreter.EvalCancelledError{Message: ErrTooMuch.Error(), Cause: interpreter.CostLimitExceeded})
	}
}

// interruptVariable is what the loops of CEL 0.26 ask after each turn, when they are planned to be interruptible. Those of CEL 0.29 do
// not: turn counts theirs.
const interruptVariable = "#interrupted"

func length(v ref.Val) uint64 {
	if sizer, ok := v.(traits.Sizer); ok {
		if n, ok := sizer.Size().(types.Int); ok {
			return uint64(n)
		}
	}
	return 1
}

// effort tells, before a call, how much work it is and how many items or bytes it will build: at most,
// and no more than what matters. lists.range(1000000000) must not be tried first and measured then.
type effort func(args []ref.Val) (work, built uint64)

// through is a call that goes through its first argument once, and builds nothing larger.
func through(args []ref.Val) (work, built uint64) { return length(args[0]), 0 }

// pairs is a call that compares each item of its first argument with each of its second.
func pairs(args []ref.Val) (work, built uint64) { return length(args[0]) * length(args[1]), 0 }

// efforts has the functions that do not end in one step. + and format are here for their results only.
var efforts = map[string]effort{
	"_+_":                   nil,
	"format":                nil,
	"split":                 through,
	"sum":                   through,
	"sort":                  through,
	"@sortByAssociatedKeys": through,
	"reverse":               through,
	"slice":                 through,
	"isSorted":              through,
	"min":                   through,
	"max":                   through,
	"indexOf":               through,
	"lastIndexOf":           through,
	"find":                  through,
	"findAll":               through,
	"sets.contains":         pairs,
	"sets.equivalent":       pairs,
	"sets.intersects":       pairs,
	"lists.range": func(args []ref.Val) (work, built uint64) {
		n, _ := args[0].(types.Int)
		return uint64(max(n, 0)), uint64(max(n, 0))
	},
	"distinct": func(args []ref.Val) (work, built uint64) {
		// It compares each item with each: 1,000 items are a million comparisons.
		return length(args[0]) * length(args[0]), 0
	},
	"flatten": func(args []ref.Val) (work, built uint64) {
		depth := types.Int(1)
		if len(args) == 2 {
			depth, _ = args[1].(types.Int)
		}
		built = flatLength(args[0], depth, maxItems)
		return built, built
	},
	"join": func(args []ref.Val) (work, built uint64) {
		separator := uint64(0)
		if len(args) == 2 {
			separator = length(args[1])
		}
		if list, ok := args[0].(traits.Lister); ok {
			for it := list.Iterator(); it.HasNext() == types.True && built <= maxBytes; {
				built += length(it.Next()) + separator
			}
		}
		return built, built
	},
	"replace": func(args []ref.Val) (work, built uint64) {
		// At worst every character is replaced.
		built = length(args[0]) * max(1, length(args[2]))
		return built, built / maxBytes
	},
}

// flatLength counts the items of a flattened list, up to just above the limit.
func flatLength(v ref.Val, depth types.Int, limit uint64) uint64 {
	list, ok := v.(traits.Lister)
	if !ok || depth < 0 {
		return 1
	}
	total := uint64(0)
	for it := list.Iterator(); it.HasNext() == types.True && total <= limit; {
		total += flatLength(it.Next(), depth-1, limit-total)
	}
	return total
}

// boundedCall accounts for a call's work, and refuses one that builds too much.
type boundedCall struct {
	interpreter.InterpretableCall
	args   []interpreter.Interpretable
	effort effort
	impl   *functions.Overload
}

// Eval implements interpreter.Interpretable.
func (b *boundedCall) Eval(vars interpreter.Activation) ref.Val {
	if b.effort == nil || b.impl == nil {
		return refuseLarge(b.InterpretableCall.Eval(vars))
	}
	args := make([]ref.Val, len(b.args))
	for i, arg := range b.args {
		args[i] = arg.Eval(vars)
		if types.IsUnknownOrError(args[i]) {
			return args[i]
		}
	}
	work, built := b.effort(args)
	if built > maxItems {
		return types.NewErr("%s() builds too much", b.Function())
	}
	found, _ := vars.ResolveName(evaluationVariable)
	if err := found.(*evaluation).work(work); err != nil {
		return types.WrapErr(err)
	}
	return refuseLarge(types.LabelErrNode(b.ID(), invoke(b.impl, args)))
}

func invoke(impl *functions.Overload, args []ref.Val) ref.Val {
	switch {
	case len(args) == 1 && impl.Unary != nil:
		return impl.Unary(args[0])
	case len(args) == 2 && impl.Binary != nil:
		return impl.Binary(args[0], args[1])
	case impl.Function != nil:
		return impl.Function(args...)
	}
	return types.NewErr("no such overload")
}

// refuseLarge passes on a value that is small enough. Lists of the simulation are not built, but may come through here,
// reversed or sorted.
func refuseLarge(value ref.Val) ref.Val {
	switch v := value.(type) {
	case types.String:
		if len(v) > maxBytes {
			return types.NewErr("a text grew beyond %d bytes", maxBytes)
		}
	case traits.Lister:
		if length(v) > maxWork {
			return types.WrapErr(ErrTooMuch)
		}
	}
	return value
}
