package trace

import (
	"slices"
	"strings"
	"time"
)

// fold turns records into the lines of the text form. It buffers lines for a while, in their order: a sync's line waits
// for the sync's end, and a line that equals a buffered one is counted there.
type fold struct {
	print  func(Row)
	causes *Causes
	// lines are the buffered lines, at most keep; the first printed of them are already written.
	lines   []*foldLine
	printed int
	keep    int
	// open are the syncs that have not ended, by the number of their first record.
	open map[int64]*openSync
	// quiet holds, for each key of a queue, the latest syncs that wrote nothing.
	quiet map[syncKey]*foldLine
	// stored is the resourceVersion of each object in the store, to explain conflicts.
	stored map[Object]uint64
}

// foldLine is a buffered line.
type foldLine struct {
	row Row
	// last is the time of the newest record in the line.
	last time.Duration
	// sync is the sync that the line belongs to or opens.
	sync *openSync
	// shape is the same for lines of requests that are counted together; names are the objects that differ.
	shape       string
	object      Object
	subresource string
	names       []string
	// details are the distinct details of a group.
	details []string
	// outcomes counts how quiet syncs ended.
	outcomes []counted
	dropped  bool
	printed  bool
}

// counted is how some quiet syncs ended. short is for the line of the sync that did more; syncs that found nothing to
// do are not mentioned there.
type counted struct {
	text, short string
	times       int
}

// openSync is a sync that has not ended.
type openSync struct {
	syncKey
	header *foldLine
	lines  []*foldLine
	// refusals are the messages of failed requests; conflict is the latest 409 Conflict.
	refusals []string
	conflict *conflict
	ended    bool
	// reason is why the sync ran.
	reason Reason
	// routine means that a heartbeat or another periodic event caused the sync.
	routine bool
}

// kubeletOf is what the actors of upstream's kubelets are called before the names of their nodes.
const kubeletOf = "kubelet@"

type syncKey struct{ actor, queue, key string }

func newFold(print func(Row), causes *Causes) fold {
	return fold{
		print: print, causes: causes, keep: keepLines,
		open: map[int64]*openSync{}, quiet: map[syncKey]*foldLine{}, stored: map[Object]uint64{},
	}
}

func (f *fold) add(record *Record) {
	f.release(record.At - keepBack)
	switch {
	case record.Request != nil:
		f.store(record.Request)
		f.request(record)
	case record.Sync != nil && record.Sync.Phase == PhaseStart:
		f.begin(record)
	case record.Sync != nil:
		f.end(record)
	case record.At < 0 && strings.HasPrefix(record.Actor, kubeletOf):
		// A kubelet that starts logs errors about all that is not ready yet, and has Events about its node.
	case IsStory(record):
		row := Describe(record)
		f.causes.place(&row, record)
		f.push(&foldLine{row: row, last: record.At}, record.Cause)
	}
}

// push adds a line. It belongs to the sync that caused it, if that has not ended.
func (f *fold) push(line *foldLine, cause int64) {
	if t := f.open[cause]; t != nil {
		line.sync = t
		t.lines = append(t.lines, line)
	}
	f.lines = append(f.lines, line)
}

// release prints the lines older than a time, up to the first one that still waits for its end.
func (f *fold) release(before time.Duration) {
	for ; f.printed < len(f.lines); f.printed++ {
		line := f.lines[f.printed]
		if (line.row.At > before || line.waits()) && len(f.lines)-f.printed <= f.keep {
			break
		}
		f.finish(line)
	}
	if f.printed > f.keep/4 && f.printed > len(f.lines)/2 {
		f.lines = append(f.lines[:0:0], f.lines[f.printed:]...)
		f.printed = 0
	}
}

// waits reports whether the line is that of a sync that has not ended.
func (l *foldLine) waits() bool { return l.sync != nil && l.sync.header == l && !l.sync.ended }

func (f *fold) finish(line *foldLine) {
	line.printed = true
	if line.sync != nil && f.quiet[line.sync.syncKey] == line {
		delete(f.quiet, line.sync.syncKey)
	}
	if !line.dropped {
		f.print(line.text())
	}
}

func (f *fold) close() {
	for _, line := range f.lines[f.printed:] {
		f.finish(line)
	}
	f.lines, f.printed = nil, 0
}

func (f *fold) begin(record *Record) {
	row := Describe(record)
	t := &openSync{syncKey: syncKey{record.Actor, record.Sync.Queue, record.Sync.Key}, reason: f.causes.Because(record.Actor, record.Cause)}
	row.Detail = t.reason.String()
	t.routine = f.causes.isRoutine(record.Cause)
	t.header = &foldLine{row: row, last: record.At, sync: t}
	f.open[record.Seq] = t
	f.lines = append(f.lines, t.header)
}

// end completes the line of a sync. A sync is quiet if it wrote nothing and met at most a temporary error.
func (f *fold) end(record *Record) {
	s := record.Sync
	t := f.open[s.Start]
	if t == nil {
		return
	}
	delete(f.open, s.Start)
	t.ended = true
	if t.key == "" && s.Key != "" {
		// The queue does not report the key; the sync's reads do.
		t.key, t.header.row.Object = s.Key, s.Key
	}
	t.dropRepeats(s)
	t.explainConflict(s)
	if t.header.printed {
		row := Describe(record)
		row.Detail = ""
		f.push(&foldLine{row: row, last: record.At}, 0)
		return
	}
	if how, ok := t.quietly(s); ok {
		// Before time zero all keys are synced once, which says nothing either.
		if t.routine || t.header.row.At < 0 {
			t.header.dropped = true
			return
		}
		f.countQuiet(t, how, record.At)
		return
	}
	t.header.row.Outcome = syncOutcome(s, t.conflict != nil)
	f.absorb(t)
	if s.Error != "" && !t.shows(s.Error) {
		row := Row{At: record.At, Actor: record.Actor, Nested: true, Verb: "failed"}
		row.Object, row.Detail = keyOrQueue(s.Key, s.Queue), oneLine(s.Error)
		f.push(&foldLine{row: row, last: record.At}, 0)
	}
}

// absorb removes the line of the quiet syncs right before this one, and counts them in its line.
func (f *fold) absorb(t *openSync) {
	run := f.quiet[t.syncKey]
	delete(f.quiet, t.syncKey)
	if run == nil || run.printed || t.header.row.At-run.last > sameRun {
		return
	}
	run.dropped = true
	var before []string
	for _, o := range run.outcomes {
		if o.short != "" {
			before = append(before, o.repeated(o.short))
		}
	}
	if len(before) > 0 {
		if t.reason.Text != "" {
			t.reason.Retry = "" // the line before tells of it
		}
		t.header.row.Detail = t.reason.String() + "; before it: " + strings.Join(before, ", ")
	}
}

// dropRepeats removes the log lines that repeat the sync's error.
func (t *openSync) dropRepeats(s *Sync) {
	t.lines = slices.DeleteFunc(t.lines, func(line *foldLine) bool {
		if line.row.Verb == string(KindLog) && s.Error != "" && strings.Contains(line.row.Detail, oneLine(s.Error)) {
			line.dropped = true
		}
		return line.dropped
	})
}

// shows reports whether the line of a failed request already shows an error.
func (t *openSync) shows(text string) bool {
	return slices.ContainsFunc(t.refusals, func(message string) bool { return strings.Contains(text, message) })
}

// quietly describes the end of a sync that only needs to be counted.
func (t *openSync) quietly(s *Sync) (how counted, ok bool) {
	switch {
	case s.Writes > 0:
		return counted{}, false
	case t.conflict != nil && len(t.lines) == 1 && s.Requests == 1:
		return counted{text: "409 Conflict: its copy of " + t.conflict.object + " was outdated", short: conflictText}, true
	case len(t.lines) > 0:
		return counted{}, false
	case s.Stale:
		return counted{text: staleOutcome, short: "waits for its cache"}, true
	case s.Error != "":
		return counted{}, false
	case s.Requeued:
		return counted{text: "nothing to do yet"}, true
	case s.Attempt != nil && !s.Attempt.Skipped:
		return counted{text: s.Attempt.Outcome()}, true
	}
	return counted{text: "nothing to do"}, true
}

// sameRun is the longest time between two quiet syncs of a key that are counted together.
const sameRun = time.Second

// countQuiet counts a quiet sync with the previous ones, if its key had no other sync since.
func (f *fold) countQuiet(t *openSync, how counted, at time.Duration) {
	for _, line := range t.lines {
		line.dropped = true
	}
	run := f.quiet[t.syncKey]
	if run == nil || run.printed || t.header.row.At-run.last > sameRun {
		f.quiet[t.syncKey] = t.header
		run = t.header
	} else {
		t.header.dropped = true
	}
	run.last = at
	for i := range run.outcomes {
		if run.outcomes[i].text == how.text {
			run.outcomes[i].times++
			return
		}
	}
	how.times = 1
	run.outcomes = append(run.outcomes, how)
}

// text is the row of a line with everything that was counted in it.
func (l *foldLine) text() Row {
	row := l.row
	if len(l.names) > 1 {
		common, rest := stem(l.names)
		group := l.object
		group.Name = common + "*"
		row.Object = partName(group, l.subresource) + " " + times(len(l.names))
		if len(rest) > shownNames {
			rest = append(rest[:shownNames:shownNames], "…")
		}
		row.Outcome = strings.Join(rest, " ")
		if span := l.last - row.At; span >= time.Second {
			row.Outcome = "over " + Seconds(span) + ": " + row.Outcome
		}
		row.Detail = strings.ReplaceAll(strings.Join(l.details, ", "), ", -> ", ", ")
	}
	if len(l.outcomes) > 0 {
		turns := 0
		var texts []string
		for _, o := range l.outcomes {
			turns += o.times
			if len(l.outcomes) > 1 && o.short != "" {
				o.text = o.short
			}
			texts = append(texts, o.repeated(o.text))
		}
		row.Outcome = strings.Join(texts, ", ")
		if turns > 1 {
			row.Object += " " + times(turns)
			row.Outcome = strings.TrimSuffix(row.Outcome, " "+times(turns))
		}
	}
	if l.waits() {
		row.Outcome = unfinished
	}
	return row
}

func (c counted) repeated(text string) string {
	if c.times > 1 {
		text += " " + times(c.times)
	}
	return text
}

// shownNames is how many names of a group are listed.
const shownNames = 10
