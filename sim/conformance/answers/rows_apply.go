package answers

import (
	"maps"
	"net/http"
	"slices"
	"strings"
)

// applied is a request of another manager that applies the object.
func (k *kind) applied(manager, text string) Request {
	return Request{Method: http.MethodPatch, Path: k.path(), Query: "fieldManager=" + manager, ContentType: asApply, Body: text}
}

// applies adds server-side applies.
func (t *table) applies(k *kind) {
	changed := merged(k.body, k.merge)
	g := t.group("apply", k, k.applied("me", k.body))
	g.add("what is new", nil, nil)
	g.add("what exists", g.exists(), body(changed))
	g.add("what another applies", []Request{k.applied("you", k.body)}, nil)
	g.add("without a manager", nil, query(""))
	g.add("what exists dryRun=All", g.exists(), both(query("fieldManager=me&dryRun=All"), body(changed)))
	g.wrong(nil)
	if !k.all {
		return
	}
	g.add("again", []Request{k.applied("me", k.body)}, nil)
	g.add("with a change", []Request{k.applied("me", k.body)}, body(changed))
	g.add("less", []Request{k.applied("me", changed)}, nil)
	g.add("against another", []Request{k.applied("you", k.body)}, body(k.conflicting()))
	g.add("against another force=true", []Request{k.applied("you", k.body)}, both(query("fieldManager=me&force=true"),
		body(k.conflicting())))
	g.add("against an update", g.exists(), body(k.conflicting()))
	g.add("dryRun=All", nil, query("fieldManager=me&dryRun=All"))
	flaws := g.flaws(k.body)
	// Which of two flaws the message is about is chance.
	delete(flaws, bothFlaws)
	for _, flaw := range slices.Sorted(maps.Keys(flaws)) {
		for _, validation := range validations {
			if k.all || validation == "fieldValidation=Strict" && flaw == "unknown field" {
				g.add(strings.TrimSpace(flaw+" "+validation), nil,
					both(query("fieldManager=me&"+validation), body(asYAMLText(flaws[flaw]))))
			}
		}
	}
	for _, what := range g.metadata() {
		g.add("metadata: "+what, nil, body(merged(k.body, metadata[what])))
	}
	for _, what := range slices.Sorted(maps.Keys(k.bad)) {
		g.add("invalid: "+what, nil, body(merged(k.body, k.bad[what])))
	}
	g.add("with managedFields", g.exists(), body(merged(changed, metadata["managedFields"])))
	g.add("with an old resourceVersion", g.exists(), body(merged(changed, `{"metadata":{"resourceVersion":"1"}}`)))
	g.add("with its resourceVersion", g.exists(), body(merged(changed, `{"metadata":{"resourceVersion":"$RV"}}`)))
	g.add("force=maybe", nil, query("fieldManager=me&force=maybe"))
	g.add("force=false", nil, query("fieldManager=me&force=false"))
	g.add("with a long manager", nil, query("fieldManager="+strings.Repeat("m", 129)))
	g.add("in JSON", nil, body(" "+k.body))
	g.add("in protobuf", nil, as(asProtobuf))
	for _, a := range acceptances {
		g.add("Accept "+a, nil, accept(a))
	}
}

// conflicting is the body with other values in the fields that it has.
func (k *kind) conflicting() string {
	return merged(k.body, `{"metadata":{"labels":{"row":"x"}}}`)
}

// asYAMLText makes YAML of JSON that has fields twice, which a decoder would drop: YAML has JSON in it.
func asYAMLText(text string) string { return "# JSON is YAML\n" + text + "\n" }
