package site_test

import (
	"bytes"
	_ "embed"
	"encoding/json"
	"io"
	"net/http"
	"os"
	"os/exec"
	"testing"

	"github.com/kubestep/kubestep/scenarios/web/playground"
	"github.com/kubestep/kubestep/sim/engine"
)

// worker stands in for the worker of the playground: it passes the messages of the page to the engine of this test, and plays the
// accidents that a real engine has.
//
//go:embed testdata/worker.js
var worker []byte

// asEngine makes the test binary answer one message of a page, as an instance of the WebAssembly module does: a simulation is a process.
const asEngine = "KUBESTEP_SITE_TEST_ENGINE"

// handler answers the messages of a page.
type handler struct{ *testing.T }

// ServeHTTP implements http.Handler.
func (h handler) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	cmd := exec.CommandContext(r.Context(), os.Args[0])
	cmd.Env = append(os.Environ(), asEngine+"=1")
	var out, words bytes.Buffer
	cmd.Stdin, cmd.Stdout, cmd.Stderr = r.Body, &out, &words
	// A page that is left ends what it has asked for.
	if err := cmd.Run(); err != nil && r.Context().Err() == nil {
		h.Errorf("%v\n%s", err, words.String())
	}
	_, _ = w.Write(out.Bytes())
}

// message is one of a page.
type message struct {
	Type     string   `json:"type"`
	ID       int      `json:"id"`
	Archives [][]byte `json:"archives"`
	Archive  []byte   `json:"archive"`
	playground.Job
	playground.Pointing
}

// reply reads a message and writes its answer.
func reply(in io.Reader, out io.Writer) error {
	var m message
	if err := json.NewDecoder(in).Decode(&m); err != nil {
		return err
	}
	kind, value, packed := answer(m)
	fields := map[string]any{}
	text, err := json.Marshal(value)
	if err == nil {
		err = json.Unmarshal(text, &fields)
	}
	if err != nil {
		return err
	}
	fields["type"], fields["id"], fields["archive"] = kind, m.ID, packed
	return json.NewEncoder(out).Encode(fields)
}

func answer(m message) (kind string, value any, packed []byte) {
	var err error
	switch m.Type {
	case "validate":
		problems, _ := playground.Validate(m.Text)
		return "valid", map[string]any{"errors": problems}, nil
	case "compare":
		if value, err = playground.Compare(m.Archives[0], m.Archives[1]); err == nil {
			return "comparison", value, nil
		}
	case "touch":
		if value, err = m.Offers(m.Text, m.Archive); err == nil {
			return "offers", value, nil
		}
	case "branch":
		if value, err = m.Branch(m.Text, m.Archive); err == nil {
			return "branched", value, nil
		}
	default:
		var result *playground.Result
		if result, err = m.Run(&engine.Progress{}, func(playground.Progress) {}); err == nil {
			return "result", result, result.Archive
		}
	}
	return "error", playground.FailureOf(err), nil
}
