// Package notation reads the words in which a scenario says how long, how much, which object and until when:
//
//	1m30s                       Duration
//	1ms..5ms, never             Delay: drawn from the seed
//	1..12                       Range: whole numbers, drawn from the seed
//	500m, 1Gi                   Quantity
//	shop/deployment/web         Target: an object, by any name that kubectl knows its kind by
//	rollout deployment/web      WaitFor: what a step waits for
//
// A word that is wrong gets an error that says what to write instead: "5 s" is 5s, and "deployment web" is
// deployment/web. Where the word stands is not known here; the caller adds it (source.File.Place).
package notation
