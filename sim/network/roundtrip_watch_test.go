package network_test

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"

	"github.com/kubestep/kubestep/sim"
)

// TestAWatchAsTable watches with kubectl's Accept header. Each event is a Table of one row, of which only the first one
// says what the columns are.
func TestAWatchAsTable(t *testing.T) {
	const table = "application/json;as=Table;v=v1;g=meta.k8s.io"
	for _, test := range []struct{ accept, include, want string }{
		{table, "", "ADDED Name Data Age: a 0 PartialObjectMetadata; ADDED : b 0 PartialObjectMetadata"},
		{table, "None", "ADDED Name Data Age: a 0; ADDED : b 0"},
		{table, "Object", "ADDED Name Data Age: a 0 ConfigMap; ADDED : b 0 ConfigMap"},
		{table, "Everything", `400 Unable to convert to Table as requested: includeObject: Invalid value: "Everything": ` +
			`must be 'Metadata', 'Object', 'None', or empty`},
		{"application/yaml;as=Table;v=v1;g=meta.k8s.io", "", "406 only the following media types are accepted: " +
			"application/json;stream=watch, application/vnd.kubernetes.protobuf;stream=watch"},
	} {
		t.Run(test.accept+" "+test.include, func(t *testing.T) {
			play(t, sim.Options{}, func(w *world) {
				w.put(t, "a")
				within(t, w, func(ctx context.Context) {
					maps := kubernetes.NewForConfigOrDie(config(w, "client")).CoreV1().ConfigMaps("default")
					if _, err := maps.Create(ctx, configMap("b"), metav1.CreateOptions{}); err != nil {
						t.Error(err)
					}
					if got := watchedTables(ctx, w, test.accept, test.include); got != test.want {
						t.Errorf("got  %s\nwant %s", got, test.want)
					}
				})
			})
		})
	}
}

// watchedTables says what the first two events of a watch contain, or how the watch is refused.
func watchedTables(ctx context.Context, w *world, accept, include string) string {
	address := "http://kube-apiserver/api/v1/namespaces/default/configmaps?watch=true&includeObject=" + include
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, address, nil)
	if err != nil {
		return err.Error()
	}
	request.Header.Set("Accept", accept)
	response, err := w.RoundTripper("client").RoundTrip(request)
	if err != nil {
		return err.Error()
	}
	defer response.Body.Close()
	decoder := json.NewDecoder(response.Body)
	if response.StatusCode != http.StatusOK {
		status := metav1.Status{}
		_ = decoder.Decode(&status)
		return fmt.Sprintf("%d %s", response.StatusCode, status.Message)
	}
	var events []string
	for range 2 {
		var event struct {
			Type   string
			Object metav1.Table
		}
		if err := decoder.Decode(&event); err != nil {
			return err.Error()
		}
		events = append(events, event.Type+" "+tableText(event.Object))
	}
	return strings.Join(events, "; ")
}

// tableText has the columns, the cells of each row except the age, and the kind of its object.
func tableText(table metav1.Table) string {
	var columns []string
	for _, column := range table.ColumnDefinitions {
		columns = append(columns, column.Name)
	}
	text := strings.Join(columns, " ") + ":"
	for _, row := range table.Rows {
		text += fmt.Sprintf(" %v %v", row.Cells[0], row.Cells[1])
		var object metav1.TypeMeta
		if len(row.Object.Raw) > 0 && json.Unmarshal(row.Object.Raw, &object) == nil && object.Kind != "" {
			text += " " + object.Kind
		}
	}
	return text
}
