package trace

import (
	"bytes"
	"iter"
)

// Divergence is where two recordings part: A and B are their records of the same number, of which one is
// nil when its recording has ended.
type Divergence struct {
	Seq  int64
	A, B *Record
}

// FirstDivergence compares two recordings record by record; nil means that they are the same to the end.
func FirstDivergence(a, b iter.Seq2[*Record, error]) (*Divergence, error) {
	nextB, stop := iter.Pull2(b)
	defer stop()
	seq := int64(0)
	for x, err := range a {
		if err != nil {
			return nil, err
		}
		seq++
		y, errB, ok := nextB()
		switch {
		case ok && errB != nil:
			return nil, errB
		case !ok:
			return &Divergence{Seq: seq, A: x}, nil
		case !same(x, y):
			return &Divergence{Seq: seq, A: x, B: y}, nil
		}
	}
	y, err, ok := nextB()
	switch {
	case !ok:
		return nil, nil
	case err != nil:
		return nil, err
	}
	return &Divergence{Seq: seq + 1, B: y}, nil
}

// same compares the lines that two records are written as.
func same(a, b *Record) bool { return a == b || bytes.Equal(marshal(a), marshal(b)) }
