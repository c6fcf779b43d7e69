package main

import (
	_ "embed"
	"slices"

	"github.com/kubestep/kubestep/sim/toolchain/exact/internal/edit"
)

// edits are all that changes in Go's own files; what they call is in files of ours.
var edits = slices.Concat(orderEdits, mutexEdits)

// orderEdits make what Go decides a function of the seed.
var orderEdits = []edit.Edit{
	{
		File: "runtime/runtime2.go", Anchor: "bubble  *synctestBubble",
		Text:  "bubble  *synctestBubble\n\texact   exactStreams\n\twait    exactWait",
		Why:   "each goroutine draws from streams of its own; it knows whether its wait for a mutex is durable",
		Proof: "compile",
	},
	{
		File: "runtime/synctest.go", Anchor: "id      uint64 // unique id", Text: "id      uint64 // unique id\n\texact   exactBubble",
		Why:   "a bubble knows its seed",
		Proof: "compile",
	},
	{
		File: "runtime/proc.go", Anchor: "newg.bubble = callergp.bubble",
		Text:  "newg.bubble = callergp.bubble\n\t\tnewg.exact = exactChild(callergp)",
		Why:   "streams are seeded down the tree of goroutines",
		Proof: "bubble/selects",
	},
	{
		File: "runtime/alg.go", Anchor: "cpu.X86.HasAES &&", Text: "false && cpu.X86.HasAES &&",
		Why:   "with AES instructions keys of maps have other hashes than on a processor without them",
		Proof: "bubble/maps",
	},
	{
		File: "runtime/alg.go", Anchor: "cpu.ARM64.HasAES {", Text: "false && cpu.ARM64.HasAES {",
		Why:   "so have they on arm64",
		Proof: "platform/arm64",
	},
	{
		File: "runtime/alg.go", Anchor: "hashSize = (1-goarch.IsWasm)*goarch.PtrSize + goarch.IsWasm*4", Text: "hashSize = goarch.PtrSize",
		Why:   "wasm has hashes of 32 bits, all other machines with 64 bits have hashes of 64",
		Proof: "platform/wasm",
	},
	{
		File: "runtime/alg.go", Anchor: "if goarch.IsWasm != 0 {", Text: "if false && goarch.IsWasm != 0 {",
		Why:   "on wasm the hash of a text would be one of 32 bits",
		Proof: "platform/wasm",
	},
	{
		File: "runtime/hash32.go", Anchor: " || wasm ||", Text: " ||",
		Why:   "wasm would have the hash functions for 32 bits",
		Proof: "platform/wasm",
	},
	{
		File: "runtime/hash64.go", Anchor: "//go:build amd64 ||", Text: "//go:build amd64 || wasm ||",
		Why:   "wasm would lack the hash functions for 64 bits",
		Proof: "platform/wasm",
	},
	{
		File: "internal/runtime/maps/map.go", Anchor: "goarch.PtrSize == 8 && goarch.IsWasm == 0", Text: "goarch.PtrSize == 8",
		Why:   "on wasm a map would take the bits of a hash of 32 bits for its directory",
		Proof: "platform/wasm",
	},
	{
		File: "runtime/alg.go", Anchor: "hashkey[i] = uintptr(bootstrapRand())", Text: "hashkey[i] = uintptr(exactKey(i))",
		Why:   "the key of the hash function is random in each process",
		Proof: "bubble/maps",
	},
	{
		File: "runtime/malloc.go", Anchor: "uintptr(bootstrapRand()), 64", Text: "uintptr(exactHeap), 64",
		Why:   "the heap begins at a random address, so that addresses, which maps with such keys hash, are seldom the same",
		Proof: "bubble/heap",
	},
	{
		File: "runtime/rand.go", Anchor: "c := &mp.chacha8",
		Text:  "if gp := getg(); exactly(gp) {\n\t\treturn exactMapSeed()\n\t}\n\tc := &mp.chacha8",
		Why:   "the compiler seeds maps on the stack with it, as hash/maphash seeds its hashes",
		Proof: "bubble/maps",
	},
	{
		File: "math/rand/rand.go", Anchor: "//go:linkname runtime_rand runtime.rand", Text: "//go:linkname runtime_rand runtime.exactRand",
		Why:   "math/rand would draw the seed of maps, which is always the same in a bubble",
		Proof: "bubble/rand",
	},
	{
		File:   "math/rand/v2/rand.go",
		Anchor: "//go:linkname runtime_rand runtime.rand", Text: "//go:linkname runtime_rand runtime.exactRand",
		Why:   "math/rand/v2 would draw the seed of maps, which is always the same in a bubble",
		Proof: "bubble/rand",
	},
	{
		File: "net/dnsclient.go", Anchor: "//go:linkname runtime_rand runtime.rand", Text: "//go:linkname runtime_rand runtime.exactRand",
		Why:   "the numbers of DNS queries would all be the seed of maps",
		Proof: "bubble/DNS",
	},
	{
		File: "os/tempfile.go", Anchor: "//go:linkname runtime_rand runtime.rand", Text: "//go:linkname runtime_rand runtime.exactRand",
		Why:   "os.CreateTemp would try the same name again and again, up to 10,000 times",
		Proof: "bubble/temporary files",
	},
	{
		File: "runtime/rand.go", Anchor: "func maps_rand() uint64 {\n\treturn rand()",
		Text:  "func maps_rand() uint64 {\n\treturn exactMapSeed()",
		Why:   "each map has a random seed, which decides where its keys lie",
		Proof: "bubble/maps",
	},
	{
		File: "internal/runtime/maps/table.go", Anchor: "it.entryOffset = rand()", Text: "it.entryOffset = exactOffset()",
		Why:   "each iteration begins at a random entry",
		Proof: "bubble/maps",
	},
	{
		File: "internal/runtime/maps/table.go", Anchor: "it.dirOffset = rand()", Text: "it.dirOffset = exactOffset()",
		Why:   "each iteration begins at a random table",
		Proof: "bubble/early",
	},
	{
		File: "internal/sync/hashtriemap.go", Anchor: "ht.seed = uintptr(runtime_rand())", Text: "ht.seed = 0x6b756265",
		Why:   "each sync.Map has a random seed, too, which decides the order of Range",
		Proof: "bubble/sync.Map",
	},
	{
		File: "runtime/select.go", Anchor: "j := cheaprandn(uint32(norder + 1))", Text: "j := exactDrawn(uint32(norder + 1))",
		Why:   "of several ready cases a select takes a random one",
		Proof: "bubble/selects",
	},
	{
		File: "runtime/time.go", Anchor: "t.rand = cheaprand()", Text: "t.rand = exactDraw()",
		Why:   "a bubble's timers of one instant fire in random order",
		Proof: "bubble/timers",
	},
	{
		File: "runtime/proc.go", Anchor: "\tif !haveSysmon && next {\n\t\t// A runnext",
		Text:  "\tif exactPut(gp, next) {\n\t\treturn\n\t}\n\tif !haveSysmon && next {\n\t\t// A runnext",
		Why:   "a goroutine that wakes up is queued by the order of events in its bubble alone",
		Proof: "bubble/crowd",
	},
	{
		File: "runtime/proc.go", Anchor: "\t\tif t == h {\n\t\t\treturn nil, false",
		Text:  "\t\tif t == h {\n\t\t\treturn exactGet(), false",
		Why:   "the queue of exact bubbles has its turn when nobody else wants to run",
		Proof: "bubble/crowd",
	},
	{
		File: "runtime/proc.go", Anchor: "func runqempty(pp *p) bool {",
		Text:  "func runqempty(pp *p) bool {\n\tif exactWaiting() {\n\t\treturn false\n\t}",
		Why:   "a processor with work in that queue must not go idle",
		Proof: "bubble/crowd",
	},
	{
		File: "runtime/proc.go", Anchor: "if preempted && sched.gcwaiting.Load() {",
		Text:  "if exactYield(gp, preempted) {\n\t\t// In its queue.\n\t} else if preempted && sched.gcwaiting.Load() {",
		Why:   "a goroutine that yields would go to the queue of all processors, which is looked at now and then",
		Proof: "bubble/mutexes",
	},
	{
		File: "runtime/proc.go", Anchor: "pd.schedwhen+forcePreemptNS <= now", Text: "pd.schedwhen+exactSlice(pp) <= now",
		Why:   "a goroutine that runs for 10 ms of real time is preempted",
		Proof: "bubble/long loops",
	},
	{
		File: "runtime/proc.go", Anchor: "if runqempty(pp) && sched.nmspinning",
		Text:  "if exactly(thread.gp) && pd.syscallwhen+exactPatience > now || runqempty(pp) && sched.nmspinning",
		Why:   "a goroutine whose system call takes longer than 20 µs of real time loses its processor to others",
		Proof: "bubble/long calls",
	},
	{
		File: "runtime/mgcmark.go", Anchor: "if gp.gcAssistBytes < 0 {\n\t\t// We were unable",
		Text:  "if gp.gcAssistBytes < 0 && gp.exact.order == 0 {\n\t\t// We were unable",
		Why:   "a goroutine that allocates while the garbage collector runs may have to wait for it",
		Proof: "bubble/garbage",
	},
	{
		File: "context/context.go", Anchor: "children map[canceler]struct{} // set",
		Text:  "added    uint64\n\tchildren map[canceler]uint64 // set",
		Why:   "a context cancels its children in the order of a map, whose keys are addresses",
		Proof: "compile",
	},
	{
		File: "context/context.go", Anchor: "p.children = make(map[canceler]struct{})", Text: "p.children = make(map[canceler]uint64)",
		Why:   "the map of children must hold the numbers by which they are ordered",
		Proof: "compile",
	},
	{
		File: "context/context.go", Anchor: "p.children[child] = struct{}{}", Text: "p.added++\n\t\t\tp.children[child] = p.added",
		Why:   "each child of a context gets the next number when it joins",
		Proof: "compile",
	},
	{
		File: "context/context.go", Anchor: "for child := range c.children {", Text: "for _, child := range exactOrdered(c.children) {",
		Why:   "a context cancels its children in the order of those numbers",
		Proof: "bubble/contexts",
	},
	{
		File: "runtime/sema.go", Anchor: "func internal_sync_nanotime() int64 {\n\treturn nanotime()",
		Text:  "func internal_sync_nanotime() int64 {\n\treturn exactNow()",
		Why:   "a mutex changes its ways when somebody waited for a millisecond of real time",
		Proof: "bubble/mutexes",
	},
}

// mutexEdits make the wait for a mutex durable while somebody in the bubble holds it (insert/mutex.go.txt). Then virtual time passes,
// which is what its holder may wait for.
var mutexEdits = []edit.Edit{
	{
		File: "internal/sync/mutex.go", Anchor: "\tmutexWaiterShift = iota",
		Text:  "\tmutexOutside\n\tmutexPromised\n\tmutexWaiterShift = iota",
		Why:   "a mutex knows whether a goroutine outside of a bubble holds it, or is about to",
		Proof: "compile",
	},
	{
		File: "internal/sync/mutex.go", Anchor: "&m.state, 0, mutexLocked)", Text: "&m.state, 0, mutexLocked|runtime_exactOutside())",
		Why:   "Lock of a free mutex must note that its holder is outside",
		Proof: "mutexes/outside",
	},
	{
		File: "internal/sync/mutex.go", Anchor: "old|mutexLocked) {\n\t\treturn false\n\t}",
		Text: "old|mutexLocked|runtime_exactOutside()) {\n\t\treturn false\n\t}\n" +
			"\tif old>>mutexWaiterShift != 0 {\n\t\truntime_exactChanged(&m.sema)\n\t}",
		Why:   "TryLock must note that the holder is outside, and who waits is looked at again",
		Proof: "mutexes/outside tries",
	},
	{
		File: "internal/sync/mutex.go", Anchor: "\t\t\tnew |= mutexLocked\n",
		Text:  "\t\t\tif old&mutexLocked == 0 {\n\t\t\t\tnew |= runtime_exactOutside()\n\t\t\t}\n\t\t\tnew |= mutexLocked\n",
		Why:   "Lock of a mutex that was held must note, when it gets it, that its holder is outside",
		Proof: "mutexes/outside waits",
	},
	{
		File: "internal/sync/mutex.go", Anchor: "\t\t\tnew &^= mutexWoken\n", Text: "\t\t\tnew &^= mutexWoken | mutexPromised\n",
		Why:   "a promise ends when the one who was woken up asks again",
		Proof: "mutexes/outside waits",
	},
	{
		File: "internal/sync/mutex.go", Anchor: "break // locked the mutex with CAS",
		Text:  "if old>>mutexWaiterShift != 0 {\n\t\t\t\t\truntime_exactChanged(&m.sema)\n\t\t\t\t}\n\t\t\t\tbreak",
		Why:   "those who wait for it wait for somebody else now",
		Proof: "mutexes/storm",
	},
	{
		File: "internal/sync/mutex.go", Anchor: "\t\t\tqueueLifo := waitStartTime != 0\n",
		Text:  "\t\t\tqueueLifo := waitStartTime != 0\n\t\t\tif awoke {\n\t\t\t\truntime_exactChanged(&m.sema)\n\t\t\t}\n",
		Why:   "it was promised, but somebody else was faster",
		Proof: "mutexes/storm",
	},
	{
		File: "internal/sync/mutex.go", Anchor: "starving || runtime_nanotime()-waitStartTime > starvationThresholdNs",
		Text: "starving || runtime_nanotime()-waitStartTime > starvationThresholdNs ||\n" +
			"\t\t\t\truntime_exactOutside() == 0 && atomic.LoadInt32(&m.state)&mutexOutside != 0",
		Why:   "no virtual time passes meanwhile, and who is in the bubble must not always lose to somebody outside",
		Proof: "mutexes/storm",
	},
	{
		File: "internal/sync/mutex.go", Anchor: "AddInt32(&m.state, -mutexLocked)",
		Text:  "AddInt32(&m.state, -mutexLocked-atomic.LoadInt32(&m.state)&mutexOutside)",
		Why:   "Unlock must take back that the holder is outside",
		Proof: "mutexes/outside",
	},
	{
		File: "sync/rwmutex.go", Anchor: "readerWait  atomic.Int32 // number of departing readers",
		Text:  "readerWait  atomic.Int32 // number of departing readers\n\toutside     atomic.Int32",
		Why:   "an RWMutex knows how many of those who read are outside; of the one who writes, its mutex w knows it",
		Proof: "compile",
	},
	{
		File: "sync/rwmutex.go", Anchor: "\tif rw.readerCount.Add(1) < 0 {\n\t\t// A writer is pending, wait for it.",
		Text: "\tif runtime_exactOutside() {\n\t\trw.outside.Add(1)\n\t}\n\tif rw.readerCount.Add(1) < 0 {\n" +
			"\t\tif runtime_exactOutside() && rw.outside.Add(-1) == 0 {\n\t\t\truntime_exactChanged(&rw.writerSem)\n\t\t}",
		Why:   "RLock must count a reader who is outside, and not while a writer is before it",
		Proof: "mutexes/outside reads",
	},
	{
		File: "sync/rwmutex.go", Anchor: "\t\truntime_SemacquireRWMutexR(&rw.readerSem, false, 0)\n",
		Text: "\t\truntime_SemacquireRWMutexR(&rw.readerSem, false, 0)\n" +
			"\t\tif runtime_exactUncounted() {\n\t\t\trw.outside.Add(1)\n\t\t\truntime_exactChanged(&rw.writerSem)\n\t\t}\n",
		Why:   "a reader outside who had to wait counts from when it may read",
		Proof: "mutexes/storm",
	},
	{
		File: "sync/rwmutex.go", Anchor: "if rw.readerCount.CompareAndSwap(c, c+1) {",
		Text: "if rw.readerCount.CompareAndSwap(c, c+1) {\n\t\t\tif runtime_exactOutside() {\n\t\t\t\trw.outside.Add(1)\n" +
			"\t\t\t\truntime_exactChanged(&rw.writerSem)\n\t\t\t}",
		Why:   "TryRLock must count a reader who is outside",
		Proof: "mutexes/outside tries to read",
	},
	{
		File: "sync/rwmutex.go", Anchor: "\t\trw.rUnlockSlow(r)\n\t}",
		Text: "\t\trw.rUnlockSlow(r)\n\t}\n\tif runtime_exactOutside() && rw.outside.Load() > 0 && rw.outside.Add(-1) == 0 {\n" +
			"\t\truntime_exactChanged(&rw.writerSem)\n\t}",
		Why:   "RUnlock must count down, and let those who wait for the last reader outside be looked at again",
		Proof: "mutexes/outside reads",
	},
	{
		File: "runtime/sema.go", Anchor: "\tfor {\n\t\tlockWithRank(&root.lock, lockRankRoot)\n\t\t// Add ourselves",
		Text:  "\tfor {\n\t\texactAgain(gp, addr)\n\t\tlockWithRank(&root.lock, lockRankRoot)\n\t\t// Add ourselves",
		Why:   "who was woken up to read and finds that somebody else was faster does not read",
		Proof: "mutexes/storm",
	},
	{
		File: "runtime/sema.go", Anchor: "\t\troot.queue(addr, s, lifo)\n",
		Text:  "\t\troot.queue(addr, s, lifo)\n\t\tgp.wait.durable = exactDurable(gp, addr, reason)\n",
		Why:   "whether the wait is durable depends on who holds the mutex",
		Proof: "mutexes/held",
	},
	{
		File: "runtime/sema.go", Anchor: "s, t0, tailtime := root.dequeue(addr)",
		Text:  "s, t0, tailtime := root.dequeue(addr)\n\texactPromise(root, addr, s, handoff)",
		Why:   "whoever the mutex is promised to is the one that others wait for now",
		Proof: "mutexes/outside waits",
	},
	{
		File:   "runtime/synctest.go",
		Anchor: "\t\tif gp.waitreason.isIdleInSynctest() {\n\t\t\twasRunning", Text: "\t\tif exactIdle(gp) {\n\t\t\twasRunning",
		Why:   "the bubble counts those whose wait is not durable",
		Proof: "mutexes/held",
	},
	{
		File:   "runtime/synctest.go",
		Anchor: "\t\tif gp.waitreason.isIdleInSynctest() {\n\t\t\tisRunning", Text: "\t\tif exactIdle(gp) {\n\t\t\tisRunning",
		Why:   "the bubble does not count those whose wait is durable, and so they must not leave it twice",
		Proof: "mutexes/held",
	},
	{
		File: "runtime/traceback.go", Anchor: "\t\tgp.waitreason.isIdleInSynctest() &&", Text: "\t\texactIdle(gp) &&",
		Why:   "whoever finds a simulation frozen reads it in the list of goroutines",
		Proof: "mutexes/listed",
	},
}

//go:embed insert/runtime.go.txt
var runtimeInsert string

//go:embed insert/mutex.go.txt
var mutexInsert string

//go:embed insert/sync.go.txt
var syncInsert string

//go:embed insert/internalsync.go.txt
var internalSyncInsert string

//go:embed insert/maps.go.txt
var mapsInsert string

//go:embed insert/external.go.txt
var externalInsert string

//go:embed insert/random.go.txt
var randomInsert string

//go:embed insert/cryptotest.go.txt
var cryptotestInsert string

//go:embed insert/context.go.txt
var contextInsert string

// inserts are the files of ours that join a package of the toolchain, by their path below GOROOT/src.
var inserts = map[string]string{
	"context/kubestep_exact.go":               contextInsert,
	"runtime/kubestep_exact.go":               runtimeInsert,
	"runtime/kubestep_mutex.go":               mutexInsert,
	"sync/kubestep_exact.go":                  syncInsert,
	"internal/sync/kubestep_exact.go":         internalSyncInsert,
	"internal/runtime/maps/kubestep_exact.go": mapsInsert,
	"testing/cryptotest/kubestep_exact.go":    cryptotestInsert,
}

// externalEdits and externalInserts join them in programs that import package ctrlmain.
var externalEdits = []edit.Edit{
	{
		File: "runtime/select.go", Anchor: "\t\t\tallSynctest = false", Text: "\t\t\tallSynctest = allSynctest && exactly(gp)",
		Why:   "libraries have channels that were made before the bubble, such as wait.NeverStop; nobody outside sends to them",
		Proof: "external/select",
	},
	{
		File: "runtime/chan.go", Anchor: "if c.bubble != nil {\n\t\treason = waitReasonSynctestChanSend",
		Text:  "if c.bubble != nil || exactly(gp) {\n\t\treason = waitReasonSynctestChanSend",
		Why:   "a goroutine that sends to a channel from before the bubble would keep time from passing",
		Proof: "external/send",
	},
	{
		File: "runtime/chan.go", Anchor: "if c.bubble != nil {\n\t\treason = waitReasonSynctestChanReceive",
		Text:  "if c.bubble != nil || exactly(gp) {\n\t\treason = waitReasonSynctestChanReceive",
		Why:   "a goroutine that receives from a channel from before the bubble would keep time from passing",
		Proof: "external/receive",
	},
	{
		File: "os/sys.go", Anchor: "func Hostname() (name string, err error) {",
		Text: "func Hostname() (name string, err error) {\n\tif name := Getenv(\"KUBESTEP_EXTERNAL\"); name != \"\" {\n" +
			"\t\treturn name, nil\n\t}",
		Why:   "candidates in an election call themselves by the name of the host; in a cluster that is the name of the Pod",
		Proof: "external/hostname",
	},
}

var externalInserts = map[string]string{
	"runtime/kubestep_external.go":              externalInsert,
	"crypto/internal/rand/kubestep_external.go": randomInsert,
}
