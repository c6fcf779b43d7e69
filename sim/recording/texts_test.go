package recording

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/cockroachdb/datadriven"
)

// The texts of what scripts look up.

func cachesText(rec *Recording, at int64) string {
	var out strings.Builder
	for _, i := range rec.Caches.Informers() {
		fmt.Fprintf(&out, "%s/%s up to %d\n", i.Actor, i.Resource, i.Revision(at))
		for _, o := range rec.objects {
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

func turnText(rec *Recording, at int64) string {
	t := rec.TurnAt(at)
	if t == nil {
		return "none\n"
	}
	return fmt.Sprintf("%s %s: records %d to %d, sync %d of %d\ntrigger %d, requests %v, told %v, comes back with %d, requeued %t, stale %t\n%s\n",
		t.Actor, t.Key, t.Start, t.End, t.Number, t.Of, t.Trigger, t.Requests, t.Told, t.Back, t.Requeued, t.Stale, t.Outcome)
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
