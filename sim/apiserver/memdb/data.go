package memdb

// Data returns what a key holds, encoded, and the revision of its last write.
func (db *DB) Data(key string) (data []byte, revision uint64, found bool) {
	db.mu.Lock()
	defer db.mu.Unlock()
	for _, t := range db.tables {
		if e := t.get(key); e != nil {
			return e.data, e.revision, true
		}
	}
	return nil, 0, false
}
