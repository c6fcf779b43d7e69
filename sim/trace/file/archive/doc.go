// Package archive stores a trace in one compressed file with checksums, an index, and what the run was made from: the
// text of the scenario, the seed, and the versions of kubestep and Kubernetes. The suffix of such a file is .kst.
//
// An archive is written from the first record to the last with constant memory, apart from 100 bytes per block for the
// index and some fields of the Pods and workloads that exist (package outline), and the same run gives the same bytes. The lines in it are
// those of the JSON form of the trace (package trace), byte for byte, so the trace hash is the same.
//
//	signature   12 bytes; the last four are the version of the format
//	HEAD        the Header
//	RECS        a block: about half a MiB of whole lines, and before them their outline
//	RECS        ...
//	INDX        the Index: the blocks, the number of records, the trace hash, how the run ended
//	end         16 bytes: where INDX is
//
// Between signature and end there are frames. A frame has 16 bytes - its kind, the size of its content, the size that
// the content has without compression, and a CRC-32C of all these and of the content - and then its content, compressed
// with zstd. docs/reference/trace-format.md describes every field.
//
// The library github.com/klauspost/compress/zstd compresses: a trace of 230 MB becomes 15 MB in a second, and 4 MB of outlines, and gzip
// needs twice the time for 20 MB. A Reader allocates what a frame declares, at most textMax, so a small file cannot take
// much memory.
package archive
