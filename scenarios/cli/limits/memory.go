package limits

import (
	"fmt"
	"runtime/metrics"
	"time"

	"k8s.io/apimachinery/pkg/api/resource"
)

// DefaultMemory is far more than a usual simulation needs: a thousand Pods take 400 MiB.
const (
	DefaultMemory      = "4Gi"
	DefaultMemoryBytes = 4 << 30
)

// ParseMemory reads an amount of memory such as 512Mi, in bytes.
func ParseMemory(text string) (int64, error) {
	quantity, err := resource.ParseQuantity(text)
	if err != nil || quantity.Sign() < 0 {
		return 0, fmt.Errorf("%q is not a memory size", text)
	}
	return quantity.Value(), nil
}

// watchMemory calls exceeded once, with the bytes in use, when the process holds more than limit. It looks
// from outside the bubble, in real time, until stop is called.
func watchMemory(limit int64, exceeded func(used int64)) (stop func()) {
	if limit == 0 {
		return func() {}
	}
	done := make(chan struct{})
	look := func() bool {
		used := MemoryInUse()
		if used > limit {
			exceeded(used)
		}
		return used > limit
	}
	if look() {
		return func() {}
	}
	go func() {
		tick := time.NewTicker(100 * time.Millisecond)
		defer tick.Stop()
		for {
			select {
			case <-done:
				return
			case <-tick.C:
			}
			if look() {
				return
			}
		}
	}()
	return func() { close(done) }
}

// MemoryInUse is what the process has from the system, without what it gave back.
func MemoryInUse() int64 {
	samples := []metrics.Sample{{Name: "/memory/classes/total:bytes"}, {Name: "/memory/classes/heap/released:bytes"}}
	metrics.Read(samples)
	return int64(samples[0].Value.Uint64() - samples[1].Value.Uint64())
}
