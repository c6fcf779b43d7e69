package main

import (
	"syscall"
	"time"
)

// callFor is a system call that takes that long in real time.
func callFor(d time.Duration) {
	for left := syscall.NsecToTimespec(int64(d)); syscall.Nanosleep(&left, &left) == syscall.EINTR; {
	}
}

// spinFor computes for that long in real time: a bubble's own clock stands still.
func spinFor(d time.Duration) {
	for end := realTime().Add(d); realTime().Before(end); {
		spin(100_000)
	}
}

func realTime() time.Time {
	var now syscall.Timeval
	if err := syscall.Gettimeofday(&now); err != nil {
		panic(err)
	}
	return time.Unix(now.Unix())
}
