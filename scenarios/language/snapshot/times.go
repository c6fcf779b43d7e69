package snapshot

import (
	"time"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
)

// pastTimes are the fields that say when something happened. A time of another field may lie in the future.
var pastTimes = map[string]bool{
	"creationTimestamp": true, "time": true, "lastHeartbeatTime": true, "lastTransitionTime": true,
	"lastUpdateTime": true, "startTime": true, "completionTime": true, "startedAt": true, "finishedAt": true,
	"renewTime": true, "acquireTime": true, "firstTimestamp": true, "lastTimestamp": true, "eventTime": true,
	"lastObservedTime": true, "lastScheduleTime": true, "lastSuccessfulTime": true, "lastScaleTime": true,
	"deprecatedFirstTimestamp": true, "deprecatedLastTimestamp": true,
}

// newest returns the last instant that the objects speak of, which is about when the dump was taken.
func newest(objects []*unstructured.Unstructured) time.Time {
	var last time.Time
	var visit func(key string, value any)
	visit = func(key string, value any) {
		switch value := value.(type) {
		case map[string]any:
			for key, child := range value {
				visit(key, child)
			}
		case []any:
			for _, child := range value {
				visit(key, child)
			}
		case string:
			if !pastTimes[key] {
				return
			}
			if at, err := time.Parse(time.RFC3339, value); err == nil && at.After(last) {
				last = at
			}
		}
	}
	for _, o := range objects {
		visit("", o.Object)
	}
	return last
}
