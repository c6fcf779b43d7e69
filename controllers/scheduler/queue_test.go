package scheduler

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestUpstreamLogsMoves looks for the lines that are read in upstream's source. Without them, attempts have no cause, and no time passes
// for a Pod that waits for the end of its back-off.
func TestUpstreamLogsMoves(t *testing.T) {
	root, err := exec.Command("go", "list", "-m", "-f", "{{.Dir}}", "k8s.io/kubernetes").Output()
	if err != nil {
		t.Fatal(err)
	}
	for file, queue := range map[string]string{"active_queue.go": "activeQ", "backoff_queue.go": "backoffQ"} {
		source, err := os.ReadFile(filepath.Join(strings.TrimSpace(string(root)), "pkg/scheduler/backend/queue", file))
		if err != nil {
			t.Fatal(err)
		}
		line := fmt.Sprintf(`logger\.V\(%d\)\.Info\("(%s)%s", (.*, )?"(pod|entity)", klog\.KObj\(.*"event", event, "queue", %s\)`,
			movedVerbosity, strings.Join(moving, "|"), regexp.QuoteMeta(movedMessage), queue)
		if !regexp.MustCompile(line).Match(source) {
			t.Errorf("%s has no line like %s", file, line)
		}
	}
	source, err := os.ReadFile(filepath.Join(strings.TrimSpace(string(root)), "pkg/scheduler/backend/queue/scheduling_queue.go"))
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{waitsForTime, unschedulable} {
		if !strings.Contains(string(source), fmt.Sprintf("= %q\n", name)) {
			t.Errorf("no part of the queue is called %s", name)
		}
	}
}
