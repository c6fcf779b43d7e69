// Package likeness finds states of a cluster that are alike: the same objects, but for what differs without consequences.
//
// Two runs of a scenario may both have a Deployment with seven new Pods, of which two are ready, and yet no object is the same: Pods have
// other names and addresses, and were created at other times. The likeness of an object leaves these out:
//
//   - Names that the server has generated: the Pods of a ReplicaSet are interchangeable.
//   - Times. That there is one counts, such as a deletionTimestamp.
//   - uids, addresses, numbers of containers, resourceVersions, and who manages fields.
//   - The generation. That a controller has not seen the newest one yet counts.
//   - The node that a Pod is on. That it is on one counts.
//
// All else is part of it. An object that has kept something of what a fault did to it, such as a number of restarts or a condition, has
// another likeness.
package likeness

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/runtime"

	"github.com/kubestep/kubestep/sim"
	"github.com/kubestep/kubestep/sim/network/fault"
	"github.com/kubestep/kubestep/sim/observe/digest"
	"github.com/kubestep/kubestep/sim/trace"
)

// Finder knows the likenesses of objects. The zero value is ready to use.
type Finder struct{ known map[runtime.Object]string }

// Of is the digest of the likenesses of all objects, but Events and leases, and of more.
func (f *Finder) Of(state *sim.State, more ...any) digest.Digest {
	var lines []string
	current := map[runtime.Object]string{}
	for _, resource := range state.Resources() {
		if fault.IsRoutine(resource.Resource) {
			continue
		}
		for _, object := range state.List(resource, "") {
			text, ok := f.known[object]
			if !ok {
				text = resource.String() + " " + textOf(object)
			}
			current[object] = text
			lines = append(lines, text)
		}
	}
	f.known = current
	slices.Sort(lines)
	lines = append(lines, fmt.Sprint(more...))
	return digest.Of([]byte(strings.Join(lines, "\n")))
}

// textOf is the likeness of an object.
func textOf(object runtime.Object) string {
	data, err := json.Marshal(object)
	var content map[string]any
	if err == nil {
		err = json.Unmarshal(data, &content)
	}
	if err != nil {
		panic("likeness: an object does not marshal: " + err.Error())
	}
	var text bytes.Buffer
	if accessor, err := meta.Accessor(object); err == nil && trace.IsGenerated(accessor.GetName(), accessor.GetGenerateName()) {
		delete(content["metadata"].(map[string]any), "name")
	}
	if status, ok := content["status"].(map[string]any); ok && isBehind(content, status) {
		text.WriteString("not observed ")
	}
	write(&text, "", content)
	return text.String()
}

// isBehind reports whether a controller has not seen the newest generation of its object.
func isBehind(content, status map[string]any) bool {
	metadata, ok := content["metadata"].(map[string]any)
	observed, has := status["observedGeneration"]
	return ok && has && observed != metadata["generation"]
}

// leftOut are fields that differ from run to run.
var leftOut = map[string]bool{
	"uid": true, "resourceVersion": true, "managedFields": true, "generation": true, "observedGeneration": true,
	"podIP": true, "podIPs": true, "hostIP": true, "hostIPs": true, "containerID": true, "images": true,
}

func write(text *bytes.Buffer, name string, value any) {
	switch value := value.(type) {
	case map[string]any:
		text.WriteByte('{')
		for _, key := range slices.Sorted(maps.Keys(value)) {
			if !leftOut[key] {
				text.WriteString(key + ":")
				write(text, key, value[key])
			}
		}
		text.WriteByte('}')
	case []any:
		text.WriteByte('[')
		for _, item := range value {
			write(text, "", item)
		}
		text.WriteByte(']')
	case string:
		if name == "nodeName" || trace.IsTime(value) {
			value = "*"
		}
		fmt.Fprintf(text, "%q,", value)
	default:
		fmt.Fprint(text, value, ",")
	}
}
