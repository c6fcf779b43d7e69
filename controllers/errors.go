package controllers

import (
	"regexp"

	"github.com/kubestep/kubestep/sim/observe/syncs"
)

// staleCache matches the error of pkg/controller/util/consistency for a cache that lacks the controller's own writes.
// If several caches do, upstream names the first one in the order of a Go map, which differs between runs; so the trace
// only says that there is one.
var staleCache = regexp.MustCompile(`read version: \S+ is not as new as written version: \S+ for group resource \S+`)

// failedKey finds the key in the errors of workers that do not log it: sync "default/web" failed with ...
var failedKey = regexp.MustCompile(`(?:^|[\s"])([a-z0-9.-]+/[a-z0-9.-]+)"? failed with`)

// readError interprets a controller's error for the trace: it replaces the part that depends on Go's map order, and
// finds a stale cache and the key of the sync.
func readError(text string) syncs.ReportedError {
	e := syncs.ReportedError{Text: text, Stale: staleCache.MatchString(text)}
	if m := failedKey.FindStringSubmatch(text); m != nil {
		e.Key = m[1]
	}
	if e.Stale {
		e.Text = staleCache.ReplaceAllString(text, "a cache that has not yet seen this controller's own last write")
	}
	return e
}
