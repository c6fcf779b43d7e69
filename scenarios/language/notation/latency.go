package notation

import "time"

// LatencyProfiles are the latencies between clients and the API server that a scenario can choose by name. The values of idle are fitted
// to recordings of a real control plane (docs/explanation/fidelity.md).
var LatencyProfiles = map[string]LatencyProfile{
	"idle": {
		Request: between(300*time.Microsecond, 900*time.Microsecond), Service: between(4*time.Millisecond, 10*time.Millisecond),
		Response: between(800*time.Microsecond, 1500*time.Microsecond), Watch: between(300*time.Microsecond, 1600*time.Microsecond),
	},
	"loaded": {
		Request: between(2*time.Millisecond, 10*time.Millisecond), Service: between(10*time.Millisecond, 40*time.Millisecond),
		Response: between(2*time.Millisecond, 10*time.Millisecond), Watch: between(5*time.Millisecond, 100*time.Millisecond),
	},
	"slow-etcd": {
		Request: between(300*time.Microsecond, 900*time.Microsecond), Service: between(50*time.Millisecond, 300*time.Millisecond),
		Response: between(800*time.Microsecond, 1500*time.Microsecond), Watch: between(300*time.Microsecond, 1600*time.Microsecond),
	},
}

// LatencyProfile is how long a request travels, the server needs for a write, and a response and a watch event travel.
type LatencyProfile struct{ Request, Service, Response, Watch Delay }

func between(low, high time.Duration) Delay { return Delay{Min: low, Max: high} }
