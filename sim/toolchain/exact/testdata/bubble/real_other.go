//go:build !linux

package main

import "time"

func callFor(time.Duration) {}

func spinFor(time.Duration) { spin(10_000_000) }
