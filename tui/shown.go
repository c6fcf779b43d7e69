package tui

import (
	"bytes"

	"github.com/kubestep/kubestep/sim/recording"
	"github.com/kubestep/kubestep/sim/trace"
	"github.com/kubestep/kubestep/sim/visible"
)

// shown returns a recording whose texts are fit to be shown: hidden characters in its records are visible ones, and so
// all panes can put these texts between styles of their own. Hardly a recording has such characters; all others are
// returned as they are. The trace hash stays that of the records as they were read.
func shown(rec *recording.Recording) (*recording.Recording, error) {
	origin := rec.Origin
	for _, text := range []*string{&origin.Name, &origin.Title, &origin.Error, &origin.Cut} {
		*text = visible.Line(*text)
	}
	changed := false
	records := make([]*trace.Record, 0, len(rec.Records))
	for _, record := range rec.Records {
		line := record.Line()
		if text := visible.JSON(line); !bytes.Equal(text, line) {
			var err error
			if record, err = trace.Decode(text); err != nil {
				return nil, err
			}
			changed = true
		}
		records = append(records, record)
	}
	if !changed {
		rec.Origin = origin
		return rec, nil
	}
	builder := recording.NewBuilder()
	for _, record := range records {
		if err := builder.Add(record); err != nil {
			return nil, err
		}
	}
	return builder.Done(origin, rec.Hash), nil
}
