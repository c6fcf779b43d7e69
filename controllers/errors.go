package controllers

import (
	"regexp"

	"github.com/kubestep/kubestep/sim/syncs"
)

// staleCache is how pkg/controller/util/consistency says that a cache lags behind the controller's own
// writes. When several caches lag, upstream names the first that a Go map yields, which differs from run
// to run; so the trace says only that one lags.
var staleCache = regexp.MustCompile(`read version: \S+ is not as new as written version: \S+ for group resource \S+`)

// failedKey finds the key in the errors of workers that do not log it: sync "default/web" failed with ...
var failedKey = regexp.MustCompile(`(?:^|[\s"])([a-z0-9.-]+/[a-z0-9.-]+)"? failed with`)

// readError says what a controller's error means for the trace: the part that Go's random map order decides is
// replaced, and a stale cache and the key of the sync are found.
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
