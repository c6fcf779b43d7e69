package recording

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/cockroachdb/datadriven"

	"github.com/kubestep/kubestep/sim/trace"
)

// The texts of what scripts look up.

func cachesText(rec *Recording, at int64) string {
	var out strings.Builder
	for _, i := range rec.Caches.Informers() {
		fmt.Fprintf(&out, "%s/%s up to %d\n", i.Actor, i.Resource, i.Revision(at))
		for _, o := range rec.objects() {
			if o.Resource != i.Resource {
				continue
			}
			store := "none"
			if n := rec.VersionAt(o, at); n >= 0 && !rec.Versions(o)[n].Gone {
				store = fmt.Sprint(rec.Versions(o)[n].RV)
			}
			cache := "none"
			if rv := i.Version(o, at); rv != 0 {
				cache = fmt.Sprint(rv)
			}
			fmt.Fprintf(&out, "  %s  cache %s, store %s\n", o.Name, cache, store)
		}
	}
	return out.String()
}

func betweenText(t *testing.T, d *datadriven.TestData, rec *Recording) string {
	from, to := "", ""
	d.ScanArgs(t, "from", &from)
	d.ScanArgs(t, "to", &to)
	i := rec.Caches.Read(d.CmdArgs[0].Key, d.CmdArgs[1].Key)
	if i == nil {
		return "no cache\n"
	}
	begin, err := time.ParseDuration(from)
	end, err2 := time.ParseDuration(to)
	if err != nil || err2 != nil {
		d.Fatalf(t, "%v %v", err, err2)
	}
	least, greatest := i.Between(begin, end)
	return fmt.Sprintf("%s/%s: %d to %d\n", i.Actor, i.Resource, least, greatest)
}

func queuesText(rec *Recording, at int64) string {
	var out strings.Builder
	for _, q := range rec.QueuesAt(at) {
		fmt.Fprintf(&out, "%s/%s: %d syncs, %d requeued\n", q.Actor, q.Queue, q.Syncs, q.Requeued)
		for _, part := range []struct {
			name string
			keys []QueuedKey
		}{{"waiting", q.Waiting}, {"in work", q.InWork}, {"timer", q.Timers}} {
			for _, k := range part.keys {
				fmt.Fprintf(&out, "  %s %s %s, retries %d\n", part.name, k.Key, k.At, k.Retries)
			}
		}
	}
	return out.String()
}

func streamsText(rec *Recording, at int64) string {
	var out strings.Builder
	for _, s := range rec.StreamsAt(at) {
		fmt.Fprintf(&out, "%s cache %d, store %d, %d events, under way %v", s.Name, s.Cache, s.Store, s.Events, s.UnderWay)
		if s.At > 0 {
			fmt.Fprintf(&out, ", the next arrives at %s", s.At)
		}
		out.WriteString("\n")
	}
	return out.String()
}

func whyText(rec *Recording, at int64) string {
	var out strings.Builder
	row := rec.Row(at)
	for _, cell := range []string{row.Actor, row.Verb, row.Object, row.Detail, row.Outcome} {
		if cell != "" {
			out.WriteString(cell + "  ")
		}
	}
	text := strings.TrimRight(out.String(), " ") + "\n"
	for _, link := range rec.Chain(at, 8) {
		text += fmt.Sprintf("  <- %d %s\n", link.Seq, link.Text)
	}
	return text
}

func syncText(rec *Recording, at int64) string {
	s := rec.SyncAt(at)
	if s == nil {
		return "none\n"
	}
	out := fmt.Sprintf("%s %s: records %d to %d, sync %d of %d, triggered by %d\n", s.Actor, s.Key, s.Start, s.End, s.Number, s.Of, s.Trigger)
	for _, read := range s.Reads {
		out += fmt.Sprintf("  read %s: cache %q, store %q, %d behind\n", read.Name, read.Cache, read.Store, read.Behind)
	}
	out += fmt.Sprintf("  requests %v, told %v, comes back with %d, requeued %t, stale %t\n", s.Requests, s.Messages, s.Back, s.Requeued, s.Stale)
	if s.Outcome != "" {
		out += "  " + s.Outcome + "\n"
	}
	return out
}

func marksOf(rec *Recording) map[string][]int64 {
	m := rec.Marks()
	return map[string][]int64{
		"writes": m.Writes, "syncs": m.Syncs, "actions": m.Actions, "notes": m.Notes, "story": m.Story,
		"faults": m.Faults, "errors": m.Errors,
	}
}

func marksText(rec *Recording) string {
	marks := marksOf(rec)
	var out strings.Builder
	for _, name := range []string{"story", "writes", "syncs", "actions", "notes", "faults", "errors"} {
		fmt.Fprintf(&out, "%s %v\n", name, marks[name])
	}
	return out.String()
}

var phases = map[Phase]string{
	Absent: "absent", Pending: "pending", Running: "running", Ready: "ready", Available: "available",
	Terminating: "terminating", Failed: "failed", Succeeded: "succeeded",
}

func workloadText(rec *Recording, cmd, name string, at int64) string {
	for _, w := range rec.Workloads() {
		if w.Name() != name {
			continue
		}
		if cmd == "series" {
			var points []string
			for _, p := range w.Series {
				points = append(points, fmt.Sprintf("%s: %d, %d available", p.At, p.Total, p.Available))
			}
			return strings.Join(points, "\n") + "\n"
		}
		s := w.At(at, rec.At(at))
		if !s.Exists {
			return "does not exist\n"
		}
		out := fmt.Sprintf("%d of %d Pods, %d available, %d updated, %d terminating\n", s.Pods, s.Replicas, s.Available, s.Updated, s.Terminating)
		for _, g := range s.Groups {
			out += fmt.Sprintf("  %s new %t:", g.Object.Name, g.New)
			for _, c := range g.Cells {
				out += fmt.Sprintf(" %s %s", strings.TrimSpace(c.Place+" "+c.Pod.Name), phases[c.Phase])
			}
			out += "\n"
		}
		return out
	}
	return "no such workload\n"
}

func familyText(rec *Recording, o trace.Object, at int64) string {
	var out strings.Builder
	for _, kin := range rec.Family(o, at) {
		fmt.Fprintf(&out, "%s%s %s\n", strings.Repeat("  ", kin.Depth), kin.Object.Name, kin.Note)
	}
	return out.String()
}

func names(objects []trace.Object) []string {
	var names []string
	for _, o := range objects {
		names = append(names, o.Resource+"/"+o.Name)
	}
	return names
}

// TestShort formats durations with few digits.
func TestShort(t *testing.T) {
	for d, want := range map[time.Duration]string{
		7 * time.Millisecond: "7 ms", 6200 * time.Millisecond: "6.2 s", 119 * time.Second: "119 s", 3 * time.Minute: "3 min",
		3*time.Minute + 30*time.Second: "3 min 30 s", time.Hour: "1 h", time.Hour + 10*time.Second: "1 h 10 s",
	} {
		if got := Short(d); got != want {
			t.Errorf("%v: %q instead of %q", d, got, want)
		}
	}
}
