package knowledge

// History are the values that something had, each from a revision on.
type History[T any] []struct {
	rv    uint64
	value T
}

// Add adds a value that holds from a revision on.
func (h *History[T]) Add(rv uint64, value T) {
	*h = append(*h, struct {
		rv    uint64
		value T
	}{rv, value})
}

// In lists the values of a span: the one that held at its beginning, and those that came in it.
func (h History[T]) In(s Span) []T {
	var values []T
	for i := len(h) - 1; i >= 0; i-- {
		if h[i].rv > s.To && i > 0 {
			continue
		}
		values = append(values, h[i].value)
		if h[i].rv <= s.From {
			break
		}
	}
	return values
}

// Until lists the values from the beginning of a span up to now.
func (h History[T]) Until(s Span) []T { return h.In(Span{s.From, ^uint64(0)}) }

// All reports whether all values of a span meet a condition.
func (h History[T]) All(s Span, condition func(*T) bool) bool {
	for i := len(h) - 1; i >= 0; i-- {
		if h[i].rv > s.To && i > 0 {
			continue
		}
		if !condition(&h[i].value) {
			return false
		}
		if h[i].rv <= s.From {
			break
		}
	}
	return len(h) > 0
}

// Newest is the last value. There must be one.
func (h History[T]) Newest() T { return h[len(h)-1].value }

// Begins reports whether the first value already held at the beginning of a span.
func (h History[T]) Begins(s Span) bool { return len(h) > 0 && h[0].rv <= s.From }
