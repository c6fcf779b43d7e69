// Package notation parses the values of a scenario: durations, quantities, objects and what to wait for:
//
//	1m30s                       Duration
//	1ms..5ms, never             Delay: drawn from the seed
//	1..12                       Range: whole numbers, drawn from the seed
//	500m, 1Gi                   Quantity
//	shop/deployment/web         Target: an object, by any name that kubectl knows its kind by
//	rollout deployment/web      WaitFor: what a step waits for
//
// A wrong value gets an error with a suggestion: "5 s" is 5s, and "deployment web" is deployment/web. The caller adds
// the position (source.File.Place).
package notation
