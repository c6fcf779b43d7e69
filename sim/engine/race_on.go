//go:build race

package engine

// DetectsRaces is whether this is a program with the race detector.
const DetectsRaces = true
