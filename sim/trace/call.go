package trace

import "time"

// Call is a call of a kubelet to a plugin of its node, or of the controller of a driver, which begins or ends.
type Call struct {
	// Object is what it is about: a PersistentVolume, a Pod or a ResourceClaim. UID is the uid of the Pod, if it is known.
	Object
	UID string `json:"uid,omitempty"`
	// Plugin is the name of the driver, or the resource of a device plugin.
	Plugin string `json:"plugin"`
	// Method is that of the remote procedure call, such as NodeStageVolume.
	Method string `json:"method"`
	Phase  Phase  `json:"phase"`
	// Took is how long it took, at its end.
	Took time.Duration `json:"took,omitempty"`
	// Error is that of the plugin; empty if the call succeeded.
	Error string `json:"error,omitempty"`
}

func describeCall(row *Row, record *Record) {
	c := record.Call
	row.Verb, row.Object, row.Detail = "call", objectName(c.Object), c.Plugin+" "+c.Method
	if c.Phase != PhaseEnd {
		row.Detail += " begins"
		return
	}
	if c.Error != "" {
		row.Detail += " failed: " + oneLine(c.Error)
	}
	row.Outcome = "took " + Seconds(c.Took)
}
