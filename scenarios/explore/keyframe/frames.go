package keyframe

import (
	"cmp"
	"slices"
	"sync"
	"time"
)

// Frames are the keyframes of a run, for the process that asks them. Several goroutines may use them.
type Frames struct {
	// Memory bounds what the processes need together, in bytes. Nobody knows how much of it they share, so each counts as a whole.
	Memory int64

	mu     sync.Mutex
	list   []*Frame
	closed bool
}

// Frame is one keyframe.
type Frame struct {
	Mark
	// Hash is the state of the hash of the records until then (encoding.BinaryMarshaler).
	Hash []byte
	conn connection
}

// add adds a keyframe, and ends some if all need too much memory.
func (f *Frames) add(frame *Frame) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.closed {
		frame.conn.end()
		return
	}
	i, _ := slices.BinarySearchFunc(f.list, frame.At+1, func(f *Frame, at time.Duration) int { return cmp.Compare(f.At, at) })
	if slices.ContainsFunc(f.list, func(other *Frame) bool { return other.Branch && frame.Branch && other.At == frame.At }) {
		frame.conn.end()
		return
	}
	f.list = slices.Insert(f.list, i, frame)
	for len(f.list) > 1 && f.bytes() > f.Memory {
		i := f.leastMissed()
		f.list[i].conn.end()
		f.list = slices.Delete(f.list, i, i+1)
	}
}

func (f *Frames) bytes() (sum int64) {
	for _, frame := range f.list {
		sum += frame.Bytes
	}
	return sum
}

// leastMissed is the keyframe without which a branch repeats the least, in relation to its whole past. It is not the last one.
func (f *Frames) leastMissed() int {
	gaps := make([]float64, len(f.list)-1)
	before := time.Duration(0)
	for i := range gaps {
		after := f.list[i+1].Cost
		gaps[i] = float64(after-before) / float64(max(after, 1))
		before = f.list[i].Cost
	}
	return slices.Index(gaps, slices.MinFunc(gaps, cmp.Compare[float64]))
}

// Before is the last keyframe from which a branch at a virtual time can continue; nil if there is none, or if f is nil.
func (f *Frames) Before(at time.Duration) *Frame {
	if f == nil {
		return nil
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	for _, frame := range slices.Backward(f.list) {
		if frame.At < at && !frame.Branch || frame.At == at && frame.Branch {
			return frame
		}
	}
	return nil
}

// Len is the number of keyframes.
func (f *Frames) Len() int {
	f.mu.Lock()
	defer f.mu.Unlock()
	return len(f.list)
}

// Close ends all keyframes, of nil Frames, too.
func (f *Frames) Close() {
	if f == nil {
		return
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	f.closed = true
	for _, frame := range f.list {
		frame.conn.end()
	}
	f.list = nil
}
