package outline

import "github.com/kubestep/kubestep/sim/trace"

// Version is the version of the form of an outline. Outlines in other versions are ignored.
const Version = 1

// Record is the outline of a record.
type Record struct {
	// Record has Seq, At, Date, Kind, Cause, Actor, Background and FaultSeq. The field that its kind names is there, and has
	//
	//	request  Verb, Object, Code, RV of a list, Webhooks, and of each write Op, Object, RV, and UID of a creation with Facts
	//	watch    Type, Object, RV, Written
	//	sync     Phase, Queue, Key, Start, Requeued, and some Error if there was one
	//	timer    Queue, Key
	//	check    Passed
	//
	// and nothing else. It is valid until the next one is read.
	trace.Record
	// Story and Failed are trace.InStory and trace.IsError of the record.
	Story, Failed bool
	// Facts are those of the objects that Request.Writes have written, by their indices; of other objects and of deletions they are
	// empty.
	Facts []Facts
}

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
	columns
)
