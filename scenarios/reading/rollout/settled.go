package rollout

import "github.com/kubestep/kubestep/sim/recording"

// Settled is a Deployment at the end of a recording.
type Settled struct {
	Deployment string `json:"deployment"`
	// Seconds is when its status changed last.
	Seconds   float64 `json:"seconds"`
	Replicas  int64   `json:"replicas"`
	Updated   int64   `json:"updatedReplicas"`
	Available int64   `json:"availableReplicas"`
	// Progressing is the reason of the condition.
	Progressing string `json:"progressing,omitempty"`
}

// lastOnes are the Deployments that exist at the end of a recording.
func lastOnes(rec *recording.Recording) []Settled {
	var list []Settled
	for _, o := range rec.Replay.Objects(deployments, rec.Len()) {
		object, versions := rec.Replay.Object(o), rec.Versions(o)
		status, _ := object["status"].(map[string]any)
		spec, _ := object["spec"].(map[string]any)
		s := Settled{Deployment: o.Namespace + "/" + o.Name, Progressing: progressingReason(status)}
		s.Seconds = rec.At(versions[len(versions)-1].Seq).Seconds()
		s.Replicas, _ = spec["replicas"].(int64)
		s.Updated, _ = status["updatedReplicas"].(int64)
		s.Available, _ = status["availableReplicas"].(int64)
		list = append(list, s)
	}
	return list
}

func progressingReason(status map[string]any) string {
	conditions, _ := status["conditions"].([]any)
	for _, c := range conditions {
		if condition, _ := c.(map[string]any); condition["type"] == "Progressing" {
			reason, _ := condition["reason"].(string)
			return reason
		}
	}
	return ""
}
