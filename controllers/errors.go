package controllers

import "regexp"

// staleCache is how pkg/controller/util/consistency says that a cache lags behind the controller's own
// writes. When several caches lag, upstream names the first that a Go map yields, which differs from run
// to run; so the trace says only that one lags.
var staleCache = regexp.MustCompile(`read version: \S+ is not as new as written version: \S+ for group resource \S+`)

// failedKey finds the key in the errors of workers that do not log it: sync "default/web" failed with ...
var failedKey = regexp.MustCompile(`(?:^|[\s"])([a-z0-9.-]+/[a-z0-9.-]+)"? failed with`)

// readError prepares the text of a controller's error for the trace: the part that Go's random map order
// decides is replaced, and the key of the sync is returned if the text tells it.
func readError(text string) (rewritten, key string) {
	if m := failedKey.FindStringSubmatch(text); m != nil {
		key = m[1]
	}
	return staleCache.ReplaceAllString(text, "a cache that has not yet seen this controller's own last write"), key
}
