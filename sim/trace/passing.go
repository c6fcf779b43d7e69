package trace

// remembered is how many records back a cause can be described. A chain of causes is short, but a timer may sleep for a
// long time.
const remembered = 1 << 16

// passingText is the maximum length of the description of a write, in a line that says why a sync ran.
const passingText = 56

// Passing are the Causes of a run that is under way. It keeps short summaries of its latest records, for the syncs that they will cause.
type Passing struct {
	Causes
	links []link
}

// NewPassing returns the Causes of a run of which no record has been added.
func NewPassing() *Passing {
	p := &Passing{}
	p.recall = p.get
	return p
}

// Add keeps a record, if it can be a cause.
func (p *Passing) Add(record *Record) {
	switch {
	case record.Request != nil && record.Request.Reason == "Conflict":
		p.wentWrong(record.Cause, conflictText)
		return
	case record.Sync != nil && record.Sync.Phase == PhaseEnd:
		p.wentWrong(record.Sync.Start, errorText(record.Sync))
		return
	case record.Request != nil && (len(record.Request.Writes) > 0 || record.Request.Verb == "list"):
	case record.Watch != nil, record.Sync != nil, record.Enqueue != nil, record.Timer != nil, record.Action != nil:
	default:
		return
	}
	if p.links == nil {
		p.links = make([]link, 1024)
	}
	p.grow(record.Seq)
	p.links[record.Seq%int64(len(p.links))] = linkOf(record, passingText)
}

// grow adds capacity while the trace is short, so that a small one takes little memory.
func (p *Passing) grow(seq int64) {
	if seq < int64(len(p.links)) || len(p.links) == remembered {
		return
	}
	links := make([]link, len(p.links)*2)
	for _, l := range p.links {
		links[l.seq%int64(len(links))] = l
	}
	p.links = links
}

func (p *Passing) get(seq int64) (link, bool) {
	if seq == 0 || len(p.links) == 0 {
		return link{}, false
	}
	l := p.links[seq%int64(len(p.links))]
	return l, l.seq == seq
}

// wentWrong records why a sync has to be retried.
func (p *Passing) wentWrong(sync int64, why string) {
	if l, ok := p.get(sync); ok && l.kind == KindSync && why != "" {
		l.text = why
		p.links[sync%int64(len(p.links))] = l
	}
}
