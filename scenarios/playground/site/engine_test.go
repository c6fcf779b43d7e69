package site_test

import (
	_ "embed"
	"encoding/json"
	"errors"
	"io/fs"
	"net/http"
	"os"
	"path"
	"path/filepath"
	"strings"
	"testing"

	"github.com/kubestep/kubestep/controllers"
	"github.com/kubestep/kubestep/scenarios"
	"github.com/kubestep/kubestep/scenarios/branch"
	"github.com/kubestep/kubestep/scenarios/child"
	"github.com/kubestep/kubestep/scenarios/format"
	"github.com/kubestep/kubestep/scenarios/library"
	"github.com/kubestep/kubestep/scenarios/page"
	"github.com/kubestep/kubestep/scenarios/source"
	"github.com/kubestep/kubestep/scenarios/verb"
	"github.com/kubestep/kubestep/sim/recording"
	"github.com/kubestep/kubestep/sim/trace"
)

// worker stands in for the worker of the playground: it passes the messages of the page to the engine of this test, and plays the
// accidents that a real engine has.
//
//go:embed testdata/worker.js
var worker []byte

// message is one of the page.
type message struct {
	Type, Text, Name string
	ID               int
	Seed             *int64
	Vary             map[string]string
}

// engine answers the messages of a page with kubestep itself, in processes of their own.
type engine struct{ *testing.T }

// ServeHTTP implements http.Handler.
func (e engine) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	var m message
	if err := json.NewDecoder(r.Body).Decode(&m); err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	answer, err := e.answer(m)
	if err != nil {
		answer = map[string]any{"type": "error", "message": err.Error(), "errors": errorsOf(err)}
	}
	answer["id"] = m.ID
	// A page that has been left takes no answer.
	_ = json.NewEncoder(w).Encode(answer)
}

func (e engine) answer(m message) (map[string]any, error) {
	switch m.Type {
	case "validate":
		_, err := format.Parse("scenario.yaml", []byte(m.Text), verb.All)
		answer := map[string]any{"type": "valid", "errors": errorsOf(err)}
		if err != nil {
			answer["type"] = "invalid"
		}
		return answer, nil
	case "compare":
		return map[string]any{"type": "comparison", "text": "They diverge at 5.069s."}, nil
	}
	return e.run(m)
}

// shipped are the scenarios that come with kubestep, as library.json has them.
func shipped() (map[string]any, error) {
	files, err := library.Files()
	if err != nil {
		return nil, err
	}
	var all []map[string]string
	for _, file := range files {
		text, err := fs.ReadFile(scenarios.Files, file)
		if err != nil {
			return nil, err
		}
		scenario, err := library.Load(file)
		if err != nil {
			return nil, err
		}
		all = append(all, map[string]string{
			"name": strings.TrimSuffix(path.Base(file), ".yaml"), "group": path.Dir(file), "title": scenario.Spec.Title, "text": string(text),
		})
	}
	return map[string]any{"scenarios": all}, nil
}

func (e engine) run(m message) (map[string]any, error) {
	scenario, err := library.Load(m.Name)
	text := []byte(m.Text)
	if m.Name == "" {
		scenario, err = format.Parse("scenario.yaml", text, verb.All)
	}
	if err != nil {
		return nil, err
	}
	for field, name := range map[string]string{"maxSurge": "max-surge", "maxUnavailable": "max-unavailable", "replicas": "replicas", "ready": "ready"} {
		if m.Vary[field] == "" {
			continue
		}
		v, _, err := branch.ParseVariation(name + " " + m.Vary[field])
		if err != nil {
			return nil, err
		}
		if scenario, err = v.Of(scenario, trace.Object{Resource: "deployments.apps", Namespace: "default", Name: "web"}); err != nil {
			return nil, err
		}
	}
	if m.Name != "" || len(m.Vary) > 0 {
		if text, err = scenario.Encode(); err != nil {
			return nil, err
		}
	}
	file := filepath.Join(e.TempDir(), "scenario.yaml")
	if err := os.WriteFile(file, text, 0o600); err != nil {
		return nil, err
	}
	rec, err := child.Run{File: file, Seed: m.Seed}.Record(e.Context(), recording.Origin{Name: scenario.Metadata.Name, Title: scenario.Spec.Title}, nil)
	if err != nil {
		return nil, err
	}
	lesson, err := page.New(rec)
	if err != nil {
		return nil, err
	}
	lesson.Kubernetes = controllers.KubernetesVersion
	return map[string]any{
		"type": "result", "name": rec.Name, "hash": rec.Hash, "verdict": rec.Result, "summary": rec.Result + "  " + rec.Name, "data": lesson,
		"archive": []byte("trace"), "text": string(text),
	}, nil
}

// errorsOf are the errors of a scenario with their positions.
func errorsOf(err error) []map[string]any {
	list := []map[string]any{}
	var all source.ErrorList
	var one *source.Error
	if errors.As(err, &one) && !errors.As(err, &all) {
		all = source.ErrorList{one}
	}
	for _, e := range all {
		list = append(list, map[string]any{"line": e.Line, "column": e.Column, "message": e.Message, "try": e.Try, "severity": "error"})
	}
	return list
}
