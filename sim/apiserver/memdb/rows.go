package memdb

import (
	"iter"
	"slices"
	"strings"
)

// blockMax is how many entries a block has at most. Inserting into a block moves half of that many pointers, and while the garbage
// collector marks, it looks at each pointer that is moved. So in one list, the ten thousand Pods and the Events about them would cost more
// the more there are.
const blockMax = 128

// rows are entries in the order of their keys, in blocks. No block is empty.
type rows struct {
	blocks [][]*entry
	count  int
}

// locate returns where a key is, or where it belongs: a block, and an index in it that may be one past its end.
func (r *rows) locate(key string) (block, index int, found bool) {
	block, found = slices.BinarySearchFunc(r.blocks, key, func(b []*entry, key string) int { return strings.Compare(b[0].key, key) })
	switch {
	case found:
		return block, 0, true
	case block == 0:
		return 0, 0, false
	}
	block--
	index, found = slices.BinarySearchFunc(r.blocks[block], key, func(e *entry, key string) int { return strings.Compare(e.key, key) })
	return block, index, found
}

// get returns the entry of a key, or nil.
func (r *rows) get(key string) *entry {
	block, index, found := r.locate(key)
	if !found {
		return nil
	}
	return r.blocks[block][index]
}

// set puts an entry into its place, and returns the one whose place it takes, or nil.
func (r *rows) set(e *entry) (before *entry) {
	block, index, found := r.locate(e.key)
	if found {
		before = r.blocks[block][index]
		r.blocks[block][index] = e
		return before
	}
	r.count++
	if len(r.blocks) == 0 {
		r.blocks = append(r.blocks, make([]*entry, 0, blockMax))
	}
	if full := r.blocks[block]; len(full) == blockMax {
		const half = blockMax / 2
		r.blocks = slices.Insert(r.blocks, block+1, append(make([]*entry, 0, blockMax), full[half:]...))
		clear(full[half:])
		r.blocks[block] = full[:half]
		if index > half {
			block, index = block+1, index-half
		}
	}
	r.blocks[block] = slices.Insert(r.blocks[block], index, e)
	return nil
}

// remove takes the entry of a key out, and returns it, or nil.
func (r *rows) remove(key string) *entry {
	block, index, found := r.locate(key)
	if !found {
		return nil
	}
	e := r.blocks[block][index]
	r.count--
	r.blocks[block] = slices.Delete(r.blocks[block], index, index+1)
	if len(r.blocks[block]) == 0 {
		r.blocks = slices.Delete(r.blocks, block, block+1)
	}
	return e
}

// from yields the entries from a key on, in the order of their keys.
func (r *rows) from(key string) iter.Seq[*entry] {
	return func(yield func(*entry) bool) {
		first, index, _ := r.locate(key)
		for block := first; block < len(r.blocks); block++ {
			for _, e := range r.blocks[block][index:] {
				if !yield(e) {
					return
				}
			}
			index = 0
		}
	}
}
