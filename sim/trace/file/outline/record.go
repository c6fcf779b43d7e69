package outline

import (
	"strings"

	"github.com/kubestep/kubestep/sim/trace"
)

// Version is the version of the form of an outline. Outlines in other versions are ignored.
const Version = 1

// Record is the outline of a record.
type Record struct {
	// Record has Seq, At, Date, Kind, Cause, Actor, Background and FaultSeq. The field that its kind names is there, and has
	//
	//	request    Verb, Object, Subresource, Code, RV of a list, Webhooks, and of each write Op, Object, RV, UID of a creation with
	//	           Facts, and a Path of a change of the desired state, if an update has one
	//	watch      Type, Object, RV, Written
	//	sync       Phase, Queue, Key, Start, Requeued, and some Error if there was one
	//	timer      Queue, Key
	//	check      Passed
	//	container  UID
	//	fault      Verb, Effect
	//
	// and nothing else. It is valid until the next one is read.
	trace.Record
	// Story and Failed are trace.InStory and trace.IsError of the record. Wrote means that a request has written something.
	Story, Failed, Wrote bool
	// Facts are those of the objects that Request.Writes have written, by their indices; of other objects and of deletions they are
	// empty.
	Facts []Facts
}

// IsWanted reports whether a field of an object says what is wanted.
func IsWanted(path string) bool {
	return path == wanted || strings.HasPrefix(path, wanted+".") || path == "metadata.deletionTimestamp"
}

// wanted is the field with the desired state.
const wanted = "spec"

// The flags of a record.
const (
	flagBackground = 1 << iota
	flagStory
	flagFailed
	flagFault
	flagDate
)

// The flags of the end of a sync, and of the facts of a Pod.
const (
	flagRequeued = 1 << iota
	flagError
)

const (
	flagReady = 1 << iota
	flagTerminating
)

// The columns, in the order in which they are written.
const (
	columnKinds = iota
	columnFlags
	columnTimes
	columnCauses
	columnActors
	columnFaults
	columnVerbs
	columnRequests
	columnCodes
	columnLists
	columnWebhooks
	columnWrites
	columnOps
	columnWritten
	columnRevisions
	columnUIDs
	columnOwners
	columnPods
	columnMinReady
	columnTypes
	columnWatched
	columnReceived
	columnLags
	columnSyncs
	columnStarts
	columnTimers
	columnSubresources
	columnWanted
	columnDetails
	columns
)
