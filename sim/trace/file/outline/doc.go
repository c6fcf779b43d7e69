// Package outline is what the lookups of a recording need of each record, in a hundredth of the size of the records: who, when, why,
// which object and which key, and for Pods, their owners and nodes the few fields that say in which state they are.
//
// An archive (package archive) has the outline of each block in front of the block. A reader that has the outlines of all blocks knows
// which blocks have the records that it wants, and decodes no others: it finds the writes of an object, the syncs of a key, the records
// of an actor, and those at a time, in blocks that stay compressed.
//
//	encoder := outline.NewEncoder()
//	encoder.Add(record)                     // each record of a trace, in order
//	data := encoder.Block()                 // the outline of those since the last block
//	block, err := decoder.Decode(data)
//	for record, err := range block.Records() {
//		// record.Seq, record.Actor, record.Request.Writes[0].Object; no text, no content of an object
//	}
//
// The outlines of two blocks are independent of each other. Each is a table of texts, a table of objects that refers to it, and a column
// of numbers for each field: what differs little from record to record, such as times and numbers of records, is written as
// differences. docs/reference/trace-format.md lists the columns.
package outline
