package commandline

import (
	"bytes"
	"fmt"
	"os"
	"slices"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/kubestep/kubestep/sim/trace"
	"github.com/kubestep/kubestep/sim/trace/file/archive"
	"github.com/kubestep/kubestep/sim/trace/file/tracefile"
)

// lies are what the outline of an archive says wrongly of a record; false if it says nothing of the record that could be wrong.
var lies = map[string]func(*trace.Record) bool{
	// The lines have another object.
	"object": func(r *trace.Record) bool {
		wrote := r.Request != nil && len(r.Request.Writes) > 0 && r.Request.Resource == "events"
		if wrote {
			r.Request.Writes[0].Name += "-other"
		}
		return wrote
	},
	// The lines have the creation of an object, which the outline calls an update.
	"update": func(r *trace.Record) bool {
		created := r.Request != nil && len(r.Request.Writes) > 0 && r.Request.Resource == "events" &&
			r.Request.Writes[0].Op == trace.OpCreate
		if created {
			r.Request.Writes[0].Op = trace.OpUpdate
		}
		return created
	},
	// The time of the outline runs backwards.
	"time": func(r *trace.Record) bool {
		r.At = 0
		return r.Seq == lateRecord
	},
	// The lines say that another program acts.
	"actor": func(r *trace.Record) bool {
		r.Actor = "nobody"
		return r.Seq == lateRecord
	},
}

// lateRecord is a record in the middle of a small trace.
const lateRecord = 1000

// misstates WHAT FROM TO writes an archive again, whose checksums are right, and whose outline says something wrong of a record.
func misstates(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 3 || lies[args[0]] == nil {
		ts.Fatalf("usage: misstates WHAT FROM TO")
	}
	in, err := os.Open(ts.MkAbs(args[1]))
	ts.Check(err)
	defer in.Close()
	out, err := os.Create(ts.MkAbs(args[2]))
	ts.Check(err)
	defer out.Close()
	ts.Check(misstate(in, out, lies[args[0]]))
}

func misstate(in, out *os.File, lie func(*trace.Record) bool) error {
	file, err := tracefile.New(in)
	if err != nil {
		return err
	}
	writer, err := archive.NewWriter(out, *file.Header)
	if err != nil {
		return err
	}
	lied := false
	for piece := range file.Pieces(nil) {
		if piece.Err != nil {
			return piece.Err
		}
		lines := bytes.SplitAfter(piece.Lines, []byte{'\n'})
		for i, record := range piece.Records {
			said := record
			if !lied {
				copied := *record
				if record.Request != nil {
					request := *record.Request
					request.Writes = slices.Clone(request.Writes)
					copied.Request = &request
				}
				if lied = lie(&copied); lied {
					said = &copied
				}
			}
			if err := writer.Write(said, lines[i]); err != nil {
				return err
			}
		}
	}
	if !lied {
		return fmt.Errorf("no record to say something wrong of")
	}
	return writer.Close(file.Index().End)
}
