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
