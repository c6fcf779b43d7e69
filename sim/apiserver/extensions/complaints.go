package extensions

import (
	"sync"
	"time"
	_ "unsafe" // for go:linkname
)

// complaints limits how often the process logs that managed fields do not fit a schema, as those of an object do that a webhook
// has converted to one with fields that the schema does not have (AtMostEvery in
// k8s.io/apimachinery/pkg/util/managedfields/internal).
type complaints struct {
	delay    time.Duration
	lastCall time.Time
	mutex    sync.Mutex
}

//go:linkname atMostEverySecond k8s.io/apimachinery/pkg/util/managedfields/internal.atMostEverySecond
var atMostEverySecond *complaints

// forget makes the next complaint one that is logged, whatever the simulation before this one did at the same virtual time.
func (c *complaints) forget() {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	c.lastCall = time.Time{}
}
