package compare

import (
	"fmt"
	"iter"
	"maps"
	"strings"

	"github.com/kubestep/kubestep/sim/trace"
)

// restartedAt is what kubectl rollout restart sets in a template: the time. So the hash of the template is another one in each run.
const restartedAt = "kubectl.kubernetes.io/restartedAt"

// restarts are the names in which the hash of a template that kubectl rollout restart made is that of its revision: web-6df754cf7b-*
// becomes web-(restart 2)-*.
func (n names) restarts(objects iter.Seq2[trace.Object, map[string]any]) names {
	out, isCopy := n, false
	for object, content := range objects {
		labels, _ := field(content, "metadata", "labels").(map[string]any)
		hash := hashOf(object.Resource, labels)
		revision, restarted := restartOf(content)
		if hash == "" || !restarted {
			continue
		}
		if !isCopy {
			out, isCopy = maps.Clone(n), true
		}
		role := fmt.Sprintf("(restart %v)", revision)
		out[hash], out[object.Name] = role, strings.Replace(object.Name, hash, role, 1)
		for name, pattern := range out {
			out[name] = strings.Replace(pattern, hash, role, 1)
		}
	}
	return out
}

// restartOf is the revision of a ReplicaSet or a ControllerRevision, if kubectl rollout restart made its template.
func restartOf(content map[string]any) (revision any, restarted bool) {
	revision = field(content, "metadata", "annotations", revisionAnnotation)
	if revision == nil {
		revision = content["revision"]
	}
	for _, at := range [][]string{{"spec", "template"}, {"data", "spec", "template"}} {
		if field(content, append(at, "metadata", "annotations", restartedAt)...) != nil {
			return revision, true
		}
	}
	return nil, false
}
