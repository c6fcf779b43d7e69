package trace

// IsStory reports whether a record says what happened and why. The others only pass it on: watch events, additions to
// queues, timers, reads, ends of syncs, log lines without an error, results of probes that leave a container as it is,
// calls to plugins that begin or take no time.
func IsStory(record *Record) bool {
	switch {
	case record.Watch != nil:
		return record.Watch.Type == watchError
	case record.Enqueue != nil, record.Timer != nil, record.Show != nil, record.Webhook != nil && !record.Webhook.Changes():
		return false
	case record.Sync != nil:
		return record.Sync.Phase == PhaseStart
	case record.Log != nil:
		return record.Log.Level < 0
	case record.Event != nil:
		return record.Event.Type != "Normal" || !echoes[record.Event.Reason]
	case record.Container != nil, record.Call != nil:
		return !record.Background
	case record.Request != nil:
		return record.Request.Code >= 400 || !reads(record.Request)
	}
	return true
}

// watchError is the type of a watch event that ends its stream.
const watchError = "ERROR"

// echoes are the reasons of Events that only repeat the write next to them.
var echoes = map[string]bool{"SuccessfulCreate": true, "SuccessfulDelete": true, "Scheduled": true}

// InStory reports whether a record is part of the story: it says what happened and why (IsStory), and is neither background nor that of
// a controller that waits for its cache.
func InStory(record *Record) bool {
	return !record.Background && IsStory(record) && (record.Log == nil || IsError(record))
}

// IsError reports whether a record describes a failure. A controller that waits for its cache does not fail.
func IsError(record *Record) bool {
	switch {
	case record.Request != nil:
		return record.Request.Code >= 400
	case record.Sync != nil:
		return record.Sync.Error != "" && !record.Sync.Stale
	case record.Webhook != nil:
		return !record.Webhook.Allowed
	case record.Log != nil:
		return record.Log.Level < 0 && !record.Log.Stale
	case record.Check != nil:
		return !record.Check.Passed
	case record.Action != nil:
		return record.Action.Error != ""
	}
	return false
}
