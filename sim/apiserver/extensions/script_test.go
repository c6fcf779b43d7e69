package extensions_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/cockroachdb/datadriven"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/rest"
	"sigs.k8s.io/yaml"

	"github.com/kubestep/kubestep/sim/simtest"
)

// TestScripts plays the scripts in testdata: requests over HTTP, as kubectl and a controller send them, and what they are answered.
func TestScripts(t *testing.T) {
	datadriven.Walk(t, "testdata", func(t *testing.T, path string) {
		synctest.Test(t, func(t *testing.T) {
			cluster := simtest.Start(t, simtest.Options{Server: simtest.Server{CustomResources: true}})
			transport, err := rest.TransportFor(cluster.Config)
			if err != nil {
				t.Fatal(err)
			}
			w := &world{client: &http.Client{Transport: transport}, host: cluster.Config.Host}
			datadriven.RunTest(t, path, func(t *testing.T, d *datadriven.TestData) string {
				out, err := w.run(d)
				if err != nil {
					d.Fatalf(t, "%v", err)
				}
				return out
			})
		})
	})
}

// world is a client of the server, with the watch that it has open.
type world struct {
	client *http.Client
	host   string
	events *json.Decoder
}

// run executes one command. The arguments of a request are its method and its path below /apis; the input is its body, in YAML.
// type=apply sends a server-side apply, and accept=table asks for a Table. The answer is its code, and the fields that
// show=(PATH, ...) names, or the message of a refusal.
func (w *world) run(d *datadriven.TestData) (string, error) {
	switch d.Cmd {
	case "request": // request POST example.com/v1/namespaces/default/backups [type=apply] [accept=table] [show=(spec)]
		return w.request(d)
	case "watch": // watch example.com/v1/backups [accept=table]: opens it
		return "", w.watch(d)
	case "event": // event [show=(metadata.name)]: the next event of the watch
		var event struct {
			Type   string
			Object map[string]any
		}
		if err := w.events.Decode(&event); err != nil {
			return "", err
		}
		return event.Type + "\n" + shown(d, event.Object), nil
	case "sleep": // sleep 5s
		pause, err := time.ParseDuration(d.CmdArgs[0].Key)
		time.Sleep(pause)
		return "", err
	}
	return "", fmt.Errorf("unknown command %q", d.Cmd)
}

func (w *world) send(d *datadriven.TestData, method, path string) (*http.Response, error) {
	body, err := yaml.YAMLToJSON([]byte(d.Input))
	if err != nil {
		return nil, err
	}
	if d.Input == "" {
		body = nil
	}
	r, err := http.NewRequest(method, w.host+"/apis/"+path, bytes.NewReader(body))
	if err != nil {
		return nil, err
	}
	kinds := map[string]string{"": "application/json", "apply": "application/apply-patch+yaml", "merge": "application/merge-patch+json"}
	r.Header.Set("Content-Type", kinds[argument(d, "type")])
	r.Header.Set("Accept", "application/json")
	if argument(d, "accept") == "table" {
		r.Header.Set("Accept", "application/json;as=Table;v=v1;g=meta.k8s.io")
	}
	return w.client.Do(r)
}

func (w *world) request(d *datadriven.TestData) (string, error) {
	response, err := w.send(d, d.CmdArgs[0].Key, d.CmdArgs[1].String())
	if err != nil {
		return "", err
	}
	defer response.Body.Close()
	data, err := io.ReadAll(response.Body)
	if err != nil {
		return "", err
	}
	var status metav1.Status
	if json.Unmarshal(data, &status) == nil && status.Status == metav1.StatusFailure {
		return fmt.Sprintf("%d %s: %s\n", status.Code, status.Reason, status.Message), nil
	}
	var object map[string]any
	if err := json.Unmarshal(data, &object); err != nil {
		return fmt.Sprintf("%d %s\n", response.StatusCode, data), nil
	}
	return fmt.Sprintf("%d\n", response.StatusCode) + shown(d, object), nil
}

func (w *world) watch(d *datadriven.TestData) error {
	response, err := w.send(d, http.MethodGet, d.CmdArgs[0].String()+"?watch=true")
	if err == nil && response.StatusCode != http.StatusOK {
		err = errors.New(response.Status)
	}
	if err == nil {
		w.events = json.NewDecoder(response.Body)
	}
	return err
}

func argument(d *datadriven.TestData, name string) string {
	for _, arg := range d.CmdArgs {
		if arg.Key == name && len(arg.Vals) > 0 {
			return arg.Vals[0]
		}
	}
	return ""
}

// shown are the fields that the command names, one of them a line. A field of the items of a list is shown for each.
func shown(d *datadriven.TestData, object map[string]any) string {
	var out strings.Builder
	for _, arg := range d.CmdArgs {
		if arg.Key != "show" {
			continue
		}
		for _, path := range arg.Vals {
			value, err := json.Marshal(at(object, strings.Split(path, ".")))
			if err != nil {
				panic(err)
			}
			fmt.Fprintf(&out, "  %s: %s\n", path, value)
		}
	}
	return out.String()
}

func at(value any, path []string) any {
	if len(path) == 0 {
		return value
	}
	switch value := value.(type) {
	case map[string]any:
		return at(value[path[0]], path[1:])
	case []any:
		var out []any
		for _, item := range value {
			out = append(out, at(item, path))
		}
		return out
	}
	return nil
}
