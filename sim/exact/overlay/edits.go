package main

import _ "embed"

// release is the Go release that the edits are written for. A later patch level is fine as long as every
// anchor still stands exactly once in its file.
const release, wrote = "go1.26", "go1.26.8"

// An edit replaces text of a file of the toolchain.
type edit struct {
	// file is the path below GOROOT/src.
	file string
	// anchor must stand in the file exactly once.
	anchor string
	// text replaces the anchor.
	text string
	// why says what would be left to chance without it.
	why string
}

// edits are all that changes in Go's own files; what they call is in files of ours.
var edits = []edit{
	{
		file: "runtime/runtime2.go", anchor: "bubble  *synctestBubble", text: "bubble  *synctestBubble\n\texact   exactStreams",
		why: "each goroutine draws from streams of its own, so that no other can shift them",
	},
	{
		file: "runtime/synctest.go", anchor: "id      uint64 // unique id", text: "id      uint64 // unique id\n\texact   exactBubble",
		why: "a bubble knows its seed",
	},
	{
		file: "runtime/proc.go", anchor: "newg.bubble = callergp.bubble",
		text: "newg.bubble = callergp.bubble\n\t\tnewg.exact = exactChild(callergp)",
		why:  "streams are seeded down the tree of goroutines",
	},
	{
		file: "runtime/alg.go", anchor: "cpu.X86.HasAES &&", text: "false && cpu.X86.HasAES &&",
		why: "with AES instructions keys of maps have other hashes than on a processor without them",
	},
	{
		file: "runtime/alg.go", anchor: "cpu.ARM64.HasAES {", text: "false && cpu.ARM64.HasAES {",
		why: "so have they on arm64",
	},
	{
		file: "runtime/alg.go", anchor: "hashSize = (1-goarch.IsWasm)*goarch.PtrSize + goarch.IsWasm*4", text: "hashSize = goarch.PtrSize",
		why: "wasm has hashes of 32 bits, all other machines with 64 bits have hashes of 64",
	},
	{
		file: "runtime/alg.go", anchor: "if goarch.IsWasm != 0 {", text: "if false && goarch.IsWasm != 0 {",
		why: "the same",
	},
	{
		file: "runtime/hash32.go", anchor: " || wasm ||", text: " ||",
		why: "the same",
	},
	{
		file: "runtime/hash64.go", anchor: "//go:build amd64 ||", text: "//go:build amd64 || wasm ||",
		why: "the same",
	},
	{
		file: "internal/runtime/maps/map.go", anchor: "goarch.PtrSize == 8 && goarch.IsWasm == 0", text: "goarch.PtrSize == 8",
		why: "the same",
	},
	{
		file: "runtime/alg.go", anchor: "hashkey[i] = uintptr(bootstrapRand())", text: "hashkey[i] = uintptr(exactKey(i))",
		why: "the key of the hash function is random in each process",
	},
	{
		file: "runtime/malloc.go", anchor: "uintptr(bootstrapRand()), 64", text: "uintptr(exactHeap), 64",
		why: "the heap begins at a random address, and maps whose keys are pointers hash addresses",
	},
	{
		file: "runtime/rand.go", anchor: "c := &mp.chacha8",
		text: "if gp := getg(); exactly(gp) {\n\t\treturn exactMapSeed()\n\t}\n\tc := &mp.chacha8",
		why:  "the compiler seeds maps on the stack with it, as hash/maphash seeds its hashes",
	},
	{
		file: "math/rand/rand.go", anchor: "//go:linkname runtime_rand runtime.rand", text: "//go:linkname runtime_rand runtime.exactRand",
		why: "who wants a random number must not get the seed of maps",
	},
	{
		file:   "math/rand/v2/rand.go",
		anchor: "//go:linkname runtime_rand runtime.rand", text: "//go:linkname runtime_rand runtime.exactRand",
		why: "the same",
	},
	{
		file: "net/dnsclient.go", anchor: "//go:linkname runtime_rand runtime.rand", text: "//go:linkname runtime_rand runtime.exactRand",
		why: "the same",
	},
	{
		file: "os/tempfile.go", anchor: "//go:linkname runtime_rand runtime.rand", text: "//go:linkname runtime_rand runtime.exactRand",
		why: "the same",
	},
	{
		file: "runtime/rand.go", anchor: "func maps_rand() uint64 {\n\treturn rand()",
		text: "func maps_rand() uint64 {\n\treturn exactMapSeed()",
		why:  "each map has a random seed, which decides where its keys lie",
	},
	{
		file: "internal/runtime/maps/table.go", anchor: "it.entryOffset = rand()", text: "it.entryOffset = exactOffset()",
		why: "each iteration begins at a random entry",
	},
	{
		file: "internal/runtime/maps/table.go", anchor: "it.dirOffset = rand()", text: "it.dirOffset = exactOffset()",
		why: "each iteration begins at a random table",
	},
	{
		file: "internal/sync/hashtriemap.go", anchor: "ht.seed = uintptr(runtime_rand())", text: "ht.seed = 0x6b756265",
		why: "each sync.Map has a random seed, too, which decides the order of Range",
	},
	{
		file: "runtime/select.go", anchor: "j := cheaprandn(uint32(norder + 1))", text: "j := exactDrawn(uint32(norder + 1))",
		why: "of several ready cases a select takes a random one",
	},
	{
		file: "runtime/time.go", anchor: "t.rand = cheaprand()", text: "t.rand = exactDraw()",
		why: "a bubble's timers of one instant fire in random order",
	},
	{
		file: "runtime/proc.go", anchor: "\tif !haveSysmon && next {\n\t\t// A runnext",
		text: "\tif exactPut(gp, next) {\n\t\treturn\n\t}\n\tif !haveSysmon && next {\n\t\t// A runnext",
		why:  "a goroutine that wakes up is queued by the order of events in its bubble alone",
	},
	{
		file: "runtime/proc.go", anchor: "\t\tif t == h {\n\t\t\treturn nil, false",
		text: "\t\tif t == h {\n\t\t\treturn exactGet(), false",
		why:  "the queue of exact bubbles has its turn when nobody else wants to run",
	},
	{
		file: "runtime/proc.go", anchor: "func runqempty(pp *p) bool {",
		text: "func runqempty(pp *p) bool {\n\tif exactWaiting() {\n\t\treturn false\n\t}",
		why:  "a processor with work in that queue must not go idle",
	},
	{
		file: "runtime/proc.go", anchor: "if preempted && sched.gcwaiting.Load() {",
		text: "if exactPut(gp, false) {\n\t\t// In its queue.\n\t} else if preempted && sched.gcwaiting.Load() {",
		why:  "a goroutine that yields would go to the queue of all processors, which is looked at now and then",
	},
	{
		file: "runtime/proc.go", anchor: "pd.schedwhen+forcePreemptNS <= now", text: "pd.schedwhen+exactSlice(pp) <= now",
		why: "a goroutine that runs for 10 ms of real time is preempted",
	},
	{
		file: "runtime/proc.go", anchor: "if runqempty(pp) && sched.nmspinning",
		text: "if exactly(thread.gp) && pd.syscallwhen+exactPatience > now || runqempty(pp) && sched.nmspinning",
		why:  "a goroutine whose system call takes longer than 20 µs of real time loses its processor to others",
	},
	{
		file: "runtime/mgcmark.go", anchor: "if gp.gcAssistBytes < 0 {\n\t\t// We were unable",
		text: "if gp.gcAssistBytes < 0 && gp.exact.order == 0 {\n\t\t// We were unable",
		why:  "a goroutine that allocates while the garbage collector runs may have to wait for it",
	},
	{
		file: "runtime/sema.go", anchor: "func internal_sync_nanotime() int64 {\n\treturn nanotime()",
		text: "func internal_sync_nanotime() int64 {\n\treturn exactNow()",
		why:  "a mutex changes its ways when somebody waited for a millisecond of real time",
	},
}

//go:embed insert/runtime.go.txt
var runtimeInsert string

//go:embed insert/maps.go.txt
var mapsInsert string

// inserts are the files of ours that join a package of the toolchain, by their path below GOROOT/src.
var inserts = map[string]string{
	"runtime/kubestep_exact.go":               runtimeInsert,
	"internal/runtime/maps/kubestep_exact.go": mapsInsert,
}
