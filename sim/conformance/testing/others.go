package testing

// Short reports that long tests are wanted: in virtual time they are not long.
func Short() bool { return false }

// Verbose reports that log lines are wanted.
func Verbose() bool { return true }

// Testing reports that this is a test.
func Testing() bool { return true }

// M is what a TestMain gets. None is called: a process runs one test, not those of a package.
type M struct{}

// Run implements the method of Go's M.
func (*M) Run() int { return 0 }

// B is a benchmark. Benchmarks are compiled with their packages, but never run.
type B struct {
	T
	N int
}

// Run implements the method of Go's B.
func (*B) Run(string, func(*B)) bool { return false }

// Loop implements the method of Go's B.
func (*B) Loop() bool { return false }

// ResetTimer implements the method of Go's B.
func (*B) ResetTimer() {}

// StartTimer implements the method of Go's B.
func (*B) StartTimer() {}

// StopTimer implements the method of Go's B.
func (*B) StopTimer() {}

// ReportAllocs implements the method of Go's B.
func (*B) ReportAllocs() {}

// ReportMetric implements the method of Go's B.
func (*B) ReportMetric(float64, string) {}

// SetBytes implements the method of Go's B.
func (*B) SetBytes(int64) {}
