package trace

import (
	"strconv"
	"strings"
	"time"

	"github.com/kubestep/kubestep/sim/kinds"
)

// Row is a record in the columns of the text form.
type Row struct {
	// Seq is the record's number, if it is shown.
	Seq   int64
	At    time.Duration
	Actor string
	// Nested rows belong to a sync, or to a step of the scenario, that began above them.
	Nested bool
	Verb   string
	Object string
	// Detail is what happened: the decisive fields, the cause of a sync, the text of an event.
	Detail string
	// Outcome is the result: the resourceVersion that was written, what a sync did.
	Outcome string
}

func keyOrQueue(key, queue string) string {
	if key == "" {
		return "(" + queue + ")"
	}
	return key
}

func times(n int) string { return "x" + strconv.Itoa(n) }

// lag prints a short time in milliseconds.
func lag(d time.Duration) string {
	if d >= 10*time.Second {
		return strconv.FormatInt(int64(d/time.Second), 10) + "s"
	}
	return strconv.FormatInt(d.Milliseconds(), 10) + "ms"
}

// requestVerbs are the names of requests whose subresource says more than their verb.
var requestVerbs = map[string]string{"binding": "bind", "eviction": "evict"}

func describeRequest(row *Row, r *Request) {
	row.Verb, row.Object = r.Verb, partName(r.Object, r.Subresource)
	if verb := requestVerbs[r.Subresource]; verb != "" && r.Verb == "create" {
		row.Verb, row.Object = verb, objectName(r.Object)
	}
	switch {
	case r.Code >= 400 && len(r.Writes) > 0:
		row.Detail = refusal(r) + "; executed nevertheless: " + writesText(r)
	case r.Code >= 400:
		row.Detail = refusal(r)
	case len(r.Writes) > 0:
		row.Detail = writesText(r)
		row.Outcome = "rv " + strconv.FormatUint(r.Writes[len(r.Writes)-1].RV, 10)
	case r.Items != nil:
		row.Detail = Count(*r.Items, "item")
	case r.Server != "":
	case !reads(r):
		row.Detail = "no change"
	}
	if r.Server != "" {
		row.Detail = phrases(row.Detail, "answered by "+r.Server)
	}
	if r.Flow != nil && r.Flow.Waited > 0 {
		row.Detail = phrases(row.Detail, "waited "+lag(r.Flow.Waited)+" for a seat of "+r.Flow.PriorityLevel)
	}
	if row.Outcome == "" && r.RV != "" {
		row.Outcome = "rv " + r.RV
	}
}

func reads(r *Request) bool { return r.Verb == "get" || r.Verb == "list" || r.Verb == "watch" }

// writesText describes the writes of a request: first those of the object that it names, then the others, such as that
// of a PodDisruptionBudget in an eviction.
func writesText(r *Request) string {
	own, others := "", []string{}
	for i := range r.Writes {
		w := &r.Writes[i]
		text := Summarize(w)
		switch {
		case w.Name == r.Name && w.Namespace == r.Namespace && resourceName(w.Resource) == resourceName(r.Resource):
			own = text
		case len(others) == 3:
			others = append(others, strconv.Itoa(len(r.Writes)-i)+" more")
			return phrases(own, strings.Join(others, ", "))
		default:
			others = append(others, strings.TrimSpace(objectName(w.Object)+" "+text))
		}
	}
	return phrases(own, strings.Join(others, ", "))
}

// refusal describes a failed request: its code and reason and, briefly, why.
func refusal(r *Request) string {
	text := strconv.Itoa(r.Code)
	if r.Reason != "" {
		text += " " + r.Reason
	}
	why := r.Message
	switch r.Reason {
	case "Conflict":
		if strings.Contains(why, "the object has been modified") {
			why = "the object has been modified"
		}
	case "AlreadyExists":
		why = "it already exists"
	case "NotFound":
		why = ""
	}
	// "pods "web-0" is forbidden: exceeded quota" repeats what the line already says.
	if _, rest, ok := strings.Cut(why, " is forbidden: "); ok {
		why = rest
	} else if _, rest, ok := strings.Cut(why, " is invalid: "); ok {
		why = rest
	}
	if why == "" {
		return text
	}
	return text + ": " + oneLine(why)
}

// oneLine joins the lines of a message.
func oneLine(text string) string { return strings.Join(strings.Fields(text), " ") }

func describeSync(row *Row, s *Sync) {
	row.Object = keyOrQueue(s.Key, s.Queue)
	if s.Phase == PhaseEnd {
		row.Verb, row.Nested = "done", true
		row.Detail, row.Outcome = readsText(s.Reads), syncOutcome(s, false)
		if s.Attempt != nil {
			row.Detail = s.Attempt.Text()
		}
	}
}

// itemsText counts the objects of a list: 10 pods, 1 pod.
func itemsText(n int, list Object) string {
	name := objectName(list)
	if kind := kinds.BuiltIn().Named(list.Resource); n == 1 && kind != nil {
		name = strings.Replace(name, resourceName(list.Resource), kind.Singular, 1)
	}
	return strconv.Itoa(n) + " " + name
}

// readsText describes what a sync read from its caches.
func readsText(reads []Read) string {
	var texts []string
	for _, r := range reads {
		switch {
		case r.Items != nil:
			texts = append(texts, itemsText(*r.Items, r.Object))
		case r.RV == "":
			texts = append(texts, "no "+objectName(r.Object))
		default:
			texts = append(texts, objectName(r.Object)+" rv "+r.RV)
		}
	}
	if len(texts) == 0 {
		return ""
	}
	return "read " + strings.Join(texts, ", ")
}

const staleOutcome = "waits: cache is older than its own last write"

// syncOutcome describes briefly how a sync ended, and whether one of its requests met a conflict.
func syncOutcome(s *Sync, conflict bool) string {
	text := ""
	switch {
	case s.Attempt != nil:
		text = s.Attempt.Outcome()
	case s.Writes > 0:
		text = Count(s.Writes, "write")
	case s.Error == "" && s.Requests == 0:
		text = "nothing to do"
	case s.Error == "":
		text = "nothing written"
	}
	if s.Duration >= time.Second && s.Error == "" {
		text += " in " + Seconds(s.Duration)
	}
	switch {
	case s.Stale:
		text = phrases(text, staleOutcome)
	case s.Error != "" && s.Duration >= time.Second:
		text = phrases(text, "failed after "+Seconds(s.Duration))
	case s.Error != "":
		text = phrases(text, "failed")
	}
	if conflict {
		text = phrases(text, conflictText)
	}
	if s.Requeued {
		text = phrases(text, "requeued")
	}
	return text
}

func describeLog(row *Row, l *Log) {
	row.Object = "info"
	if l.Level < 0 {
		row.Object = "error"
	} else if l.Level > 0 {
		row.Object = "V(" + strconv.Itoa(l.Level) + ")"
	}
	row.Detail = oneLine(l.Message)
	if l.Error != "" {
		row.Detail += ": " + oneLine(l.Error)
	}
	row.Detail += inParentheses(oneLine(strings.Join(l.Values, " ")))
}

// describeFault describes a fault: the request or watch event, its effect, and the rule.
func describeFault(row *Row, f *Fault) {
	row.Object, row.Outcome = partName(f.Object, f.Subresource), "by "+f.Rule
	row.Detail = strings.TrimSpace(f.Verb + ": " + f.Effect)
	if f.Verb == "" {
		row.Detail = f.Effect
	}
	if f.Count > 0 {
		row.Detail += " " + times(f.Count)
	}
	if f.Resource == "" {
		row.Object, row.Outcome = f.Rule, ""
	}
}

func describeAction(row *Row, a *Action) {
	row.Actor, row.Verb, row.Object = "", ">", strings.TrimSpace(a.Verb+" "+oneLine(a.Text))
	if a.Error != "" {
		row.Outcome, row.Detail = "FAILED", oneLine(a.Error)
	}
}

func describeCheck(row *Row, c *Check) {
	row.Actor, row.Verb, row.Object, row.Detail = "", "check", c.Name, oneLine(c.Message)
	row.Outcome = "passed"
	if !c.Passed {
		row.Verb, row.Outcome = "!!! CHECK FAILED", ""
	}
}
