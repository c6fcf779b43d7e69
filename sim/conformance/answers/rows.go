package answers

import (
	"maps"
	"net/http"
	"slices"
	"strings"
	"sync"

	jsonpatch "gopkg.in/evanphx/json-patch.v4"
)

// table collects rows.
type table struct{ rows []Row }

// Rows are all rows, in the order of the recording.
var Rows = sync.OnceValue(func() []Row {
	t := &table{}
	for _, k := range kinds {
		t.creations(k)
		t.updates(k)
		t.patches(k)
		t.applies(k)
		t.deletions(k)
		t.reads(k)
		t.lists(k)
		t.subresources(k)
	}
	t.special()
	for i := range t.rows {
		t.rows[i].number = i + 1
	}
	return t.rows
})

// group adds rows of a group.
type group struct {
	table *table
	name  string
	kind  *kind
	// request is what all rows of the group have in common.
	request Request
}

func (t *table) group(name string, k *kind, request Request) *group {
	return &group{t, name + " " + k.plural, k, request}
}

// add adds a row whose request is edited.
func (g *group) add(what string, setup []Request, edit func(*Request)) {
	request := g.request
	if edit != nil {
		edit(&request)
	}
	row := Row{Group: g.name, What: what, Setup: setup, Request: request}
	if g.kind.api != "" {
		row.collection = g.kind.collection()
	}
	g.table.rows = append(g.table.rows, row)
}

// exists are the requests that make the object.
func (g *group) exists() []Request { return []Request{g.kind.create()} }

// merged is a body with a merge patch in it.
func merged(body, patch string) string {
	out, err := jsonpatch.MergePatch([]byte(body), []byte(patch))
	if err != nil {
		panic("answers: " + patch + ": " + err.Error())
	}
	return string(out)
}

func query(q string) func(*Request)           { return func(r *Request) { r.Query = q } }
func body(b string) func(*Request)            { return func(r *Request) { r.Body = b } }
func accept(a string) func(*Request)          { return func(r *Request) { r.Accept = a } }
func as(media string) func(*Request)          { return func(r *Request) { r.ContentType = media } }
func at(path string) func(*Request)           { return func(r *Request) { r.Path = path } }
func both(a, b func(*Request)) func(*Request) { return func(r *Request) { a(r); b(r) } }

// options are queries that every write has.
var options = []string{"dryRun=All", "dryRun=Some", "dryRun=All&dryRun=All", "fieldManager=me", "fieldManager=" + strings.Repeat("m",
	129),
	"fieldManager=a%01b", "nonsense=1", "pretty=true", "timeout=10s", "timeout=soon", "force=true"}

// validations are the values of fieldValidation.
var validations = []string{"", "fieldValidation=Strict", "fieldValidation=Warn", "fieldValidation=Ignore", "fieldValidation=Other"}

const bothFlaws = "unknown and duplicate field"

// flaws are bodies with fields that are unknown, duplicate, or both.
func (g *group) flaws(text string) map[string]string {
	field := g.kind.field
	return map[string]string{
		"unknown field": strings.Replace(text, field, `"nonsense":1,`+field, 1),
		"duplicate field": strings.Replace(strings.Replace(text, `{"apiVersion":`, `{"kind":"`+g.kind.kindOf()+`","apiVersion":`, 1),
			`"metadata":{`, `"metadata":{"name":"$NAME",`, 1),
		bothFlaws: strings.Replace(strings.Replace(text, field, `"nonsense":1,`+field, 1), `"metadata":{`,
			`"nonsense":{},"metadata":{"name":"$NAME",`, 1),
	}
}

// validated adds a row for each flaw and each value of fieldValidation.
func (g *group) validated(setup []Request, text string) {
	flaws := g.flaws(text)
	for _, flaw := range slices.Sorted(maps.Keys(flaws)) {
		for _, validation := range validations {
			if !g.kind.all && (flaw != "unknown field" || validation != "" && validation != "fieldValidation=Strict") {
				continue
			}
			g.add(strings.TrimSpace(flaw+" "+validation), setup, both(query(validation), body(flaws[flaw])))
		}
	}
}

// media are the content types of a body that is an object.
var media = []string{asYAML, asProtobuf, asCBOR, "text/plain", "", "application/json;charset=utf-8", "application/json, application/yaml",
	"nonsense", asMerge}

// wrongBodies are bodies that are not the object of the path.
func (g *group) wrongBodies() map[string]string {
	k := g.kind
	wrong := map[string]string{
		"of another kind":    `{"apiVersion":"v1","kind":"Endpoints","metadata":{"name":"$NAME"}}`,
		"of no known kind":   `{"apiVersion":"v1","kind":"Nonsense","metadata":{"name":"$NAME"}}`,
		"of another version": k.replaced(`"apiVersion":"`+k.versionOf(), `"apiVersion":"example.com/v9`),
		"without kind":       k.replaced(`"kind":"`+k.kindOf()+`",`, ""),
		"without apiVersion": k.replaced(`"apiVersion":"`+k.versionOf()+`",`, ""),
		"empty":              "", "that is no JSON": "{", "that is a list": "[]", "that is null": "null", "that is a string": `"x"`,
		"with more behind it":  k.body + "{}",
		"without metadata":     k.replaced(named+",", ""),
		"with an empty object": "{}",
	}
	if !k.cluster {
		wrong["in another namespace"] = k.replaced(`"metadata":{`, `"metadata":{"namespace":"$OTHER",`)
		wrong["in its namespace"] = k.replaced(`"metadata":{`, `"metadata":{"namespace":"$NS",`)
	} else {
		wrong["in a namespace"] = k.replaced(`"metadata":{`, `"metadata":{"namespace":"$NS",`)
	}
	return wrong
}

// ofEachKind are the wrong bodies whose answer depends on the kind.
var ofEachKind = []string{"of another kind", "in another namespace", "in a namespace", "without metadata"}

func (g *group) wrong(setup []Request) {
	bodies := g.wrongBodies()
	for _, what := range slices.Sorted(maps.Keys(bodies)) {
		if g.kind.all || slices.Contains(ofEachKind, what) {
			g.add("a body "+what, setup, body(bodies[what]))
		}
	}
}

// metadata are merge patches of metadata that are refused, or change what is written.
var metadata = map[string]string{
	"name too long": `{"metadata":{"name":"` + strings.Repeat("n", 300) + `"}}`, "name invalid": `{"metadata":{"name":"A b"}}`,
	"no name":      `{"metadata":{"name":null}}`,
	"generateName": `{"metadata":{"name":null,"generateName":"$NAME-"}}`, "resourceVersion": `{"metadata":{"resourceVersion":"1"}}`,
	"uid": `{"metadata":{"uid":"11111111-1111-1111-1111-111111111111"}}`, "label invalid": `{"metadata":{"labels":{"a b":"c"}}}`,
	"annotation invalid": `{"metadata":{"annotations":{"a b":"c"}}}`, "finalizer": `{"metadata":{"finalizers":["example.com/wait"]}}`,
	"finalizer invalid": `{"metadata":{"finalizers":["wait"]}}`,
	"owner":             `{"metadata":{"ownerReferences":[{"apiVersion":"v1","kind":"Pod","name":"p","uid":"u"}]}}`,
	"owner invalid":     `{"metadata":{"ownerReferences":[{"apiVersion":"v1","kind":"Pod"}]}}`,
	"set by the server": `{"metadata":{"creationTimestamp":"2020-01-01T00:00:00Z","generation":7,"selfLink":"x"}}`,
	"deletionTimestamp": `{"metadata":{"deletionTimestamp":"2020-01-01T00:00:00Z","deletionGracePeriodSeconds":3}}`,
	"managedFields": `{"metadata":{"managedFields":[{"manager":"you","operation":"Update","apiVersion":"v1","fieldsType":"FieldsV1",` +
		`"fieldsV1":{"f:metadata":{}}}]}}`,
}

func (g *group) metadata() []string {
	if g.kind.all {
		return slices.Sorted(maps.Keys(metadata))
	}
	return []string{"generateName", "name invalid", "name too long", "resourceVersion"}
}

func (t *table) creations(k *kind) {
	g := t.group("create", k, k.create())
	g.add("what is new", nil, nil)
	g.add("what exists", g.exists(), nil)
	g.add("what exists dryRun=All", g.exists(), query("dryRun=All"))
	for _, option := range options {
		if k.all || option == "dryRun=All" {
			g.add(short(option), nil, query(option))
		}
	}
	for _, m := range media {
		if k.all || m == asYAML || m == asProtobuf {
			g.add("Content-Type "+m, nil, as(m))
		}
	}
	for _, a := range acceptances {
		if k.all || a == asProtobuf || strings.Contains(a, "as=Table") {
			g.add("Accept "+a, nil, accept(a))
		}
	}
	g.validated(nil, k.body)
	g.wrong(nil)
	for _, what := range g.metadata() {
		g.add("metadata: "+what, nil, body(merged(k.body, metadata[what])))
	}
	for _, what := range slices.Sorted(maps.Keys(k.bad)) {
		g.add("invalid: "+what, nil, body(merged(k.body, k.bad[what])))
	}
	if k.all {
		g.add("at its name", nil, at(k.path()))
	}
	if !k.cluster {
		g.add("in a namespace that does not exist", nil, at(strings.Replace(k.collection(), "$NS", "none", 1)))
		if k.all {
			g.add("in no namespace", nil, at(k.api+"/"+k.plural))
		}
	}
	g.add("as a user without rights", nil, func(r *Request) { r.As = "jane" })
}

// short is an option without a long value.
func short(option string) string {
	if len(option) > 60 {
		return option[:20] + "..."
	}
	return option
}

// acceptances are values of Accept.
var acceptances = []string{
	asYAML, asProtobuf, asCBOR, "text/plain", "*/*", "application/json;as=Table;v=v1;g=meta.k8s.io",
	"application/json;as=PartialObjectMetadata;v=v1;g=meta.k8s.io", "application/json;as=Nonsense;v=v1;g=meta.k8s.io",
}

func (t *table) updates(k *kind) {
	changed := merged(k.body, k.merge)
	g := t.group("update", k, Request{Method: http.MethodPut, Path: k.path(), ContentType: asJSON, Body: changed})
	g.add("what exists", g.exists(), nil)
	g.add("what does not exist", nil, nil)
	g.add("what does not exist dryRun=All", nil, query("dryRun=All"))
	g.add("without a change", g.exists(), body(k.body))
	g.add("with its resourceVersion", g.exists(), body(merged(changed, `{"metadata":{"resourceVersion":"$RV"}}`)))
	g.add("with an old resourceVersion", g.exists(), body(merged(changed, `{"metadata":{"resourceVersion":"1"}}`)))
	g.add("with another uid", g.exists(), body(merged(changed, metadata["uid"])))
	g.add("another name", g.exists(), body(merged(changed, `{"metadata":{"name":"other"}}`)))
	if k.all {
		g.add("with no resourceVersion of the server", g.exists(), body(merged(changed, `{"metadata":{"resourceVersion":"x"}}`)))
		g.add("with its uid", g.exists(), body(merged(changed, `{"metadata":{"uid":"$UID"}}`)))
		g.add("with a resourceVersion, what does not exist", nil, body(merged(changed, `{"metadata":{"resourceVersion":"1"}}`)))
		g.add("all of them", g.exists(), at(k.collection()))
	}
	for _, option := range options {
		if k.all || option == "dryRun=All" {
			g.add(short(option), g.exists(), query(option))
		}
	}
	for _, m := range media {
		if k.all || m == asYAML || m == asProtobuf {
			g.add("Content-Type "+m, g.exists(), as(m))
		}
	}
	g.validated(g.exists(), changed)
	g.wrong(g.exists())
	for _, what := range g.metadata() {
		if what != "resourceVersion" && what != "uid" && k.all {
			g.add("metadata: "+what, g.exists(), body(merged(changed, metadata[what])))
		}
	}
	for _, what := range slices.Sorted(maps.Keys(k.bad)) {
		g.add("invalid: "+what, g.exists(), body(merged(changed, k.bad[what])))
	}
	for _, what := range slices.Sorted(maps.Keys(k.fixed)) {
		g.add("fixed: "+what, g.exists(), body(merged(changed, k.fixed[what])))
	}
}

func (t *table) patches(k *kind) {
	for _, form := range []struct{ name, media, change string }{
		{"merge", asMerge, k.merge}, {"strategic", asStrategic, k.merge}, {"json", asJSONPatch, k.jsonPatch},
	} {
		g := t.group("patch "+form.name, k, Request{Method: http.MethodPatch, Path: k.path(), ContentType: form.media, Body: form.change})
		g.add("what exists", g.exists(), nil)
		g.add("what does not exist", nil, nil)
		g.add("what exists dryRun=All", g.exists(), query("dryRun=All"))
		for _, option := range options {
			if k.all && option != "dryRun=All" {
				g.add(short(option), g.exists(), query(option))
			}
		}
		empty, wrongs := "{}", []string{"", "{", "[]", "null", `"x"`, "1"}
		if form.name == "json" {
			empty, wrongs = "[]", []string{"", "[", "{}", "null", `[{"op":"test","path":"/metadata/name","value":"x"}]`,
				`[{"op":"nonsense","path":"/metadata/name"}]`,
				`[{"op":"remove","path":"/nonsense"}]`, `[{"path":"/metadata"}]`, `[{"op":"replace","path":"metadata","value":{}}]`,
				`[{"op":"move","from":"/spec","path":"/metadata/annotations"}]`}
		}
		if k.all || form.name == "merge" {
			g.add("of nothing", g.exists(), body(empty))
		}
		for _, wrong := range wrongs {
			if k.all {
				g.add("body "+wrong, g.exists(), body(wrong))
			}
		}
		t.flawed(g, form.name)
		t.refused(g, form.name)
	}
	g := t.group("patch", k, Request{Method: http.MethodPatch, Path: k.path(), ContentType: asMerge, Body: k.merge})
	for _, m := range []string{asJSON, asYAML, asApplyCBOR, "text/plain", "", "application/merge-patch+json;charset=utf-8",
		"application/json-patch+json, text/plain"} {
		if k.all || m == asJSON {
			g.add("Content-Type "+m, g.exists(), as(m))
		}
	}
	for _, a := range acceptances {
		if k.all {
			g.add("Accept "+a, g.exists(), accept(a))
		}
	}
	g.add("all of them", g.exists(), at(k.collection()))
}

// flawed adds patches with unknown and duplicate fields.
func (t *table) flawed(g *group, form string) {
	flaws := map[string]string{"unknown field": `{"nonsense":1}`, "duplicate field": `{"metadata":{"labels":{"a":"b","a":"c"}}}`}
	if form == "json" {
		flaws = map[string]string{"unknown field": `[{"op":"add","path":"/nonsense","value":1}]`,
			"duplicate field":               `[{"op":"add","path":"/metadata/annotations","value":{"a":"b","a":"c"}}]`,
			"unknown field of an operation": `[{"op":"test","path":"/metadata/name","value":"$NAME","nonsense":1}]`}
	}
	for _, flaw := range slices.Sorted(maps.Keys(flaws)) {
		for _, validation := range validations {
			if g.kind.all || validation == "fieldValidation=Strict" && flaw == "unknown field" {
				g.add(strings.TrimSpace(flaw+" "+validation), g.exists(), both(query(validation), body(flaws[flaw])))
			}
		}
	}
}

// refused adds patches to what is not valid.
func (t *table) refused(g *group, form string) {
	if form == "json" {
		return
	}
	k := g.kind
	for _, what := range slices.Sorted(maps.Keys(k.bad)) {
		if k.all || form == "merge" {
			g.add("invalid: "+what, g.exists(), body(k.bad[what]))
		}
	}
	g.add("with an old resourceVersion", g.exists(), body(`{"metadata":{"resourceVersion":"1"}}`))
	if k.all {
		g.add("with its resourceVersion", g.exists(), body(`{"metadata":{"resourceVersion":"$RV","annotations":{"a":"b"}}}`))
		g.add("with another uid", g.exists(), body(metadata["uid"]))
		g.add("another name", g.exists(), body(`{"metadata":{"name":"other"}}`))
		g.add("another namespace", g.exists(), body(`{"metadata":{"namespace":"$OTHER"}}`))
		g.add("another kind", g.exists(), body(`{"kind":"Endpoints"}`))
		g.add("another version", g.exists(), body(`{"apiVersion":"example.com/v9"}`))
		g.add("to be deleted", g.exists(), body(metadata["deletionTimestamp"]))
		g.add("labels", g.exists(), body(`{"metadata":{"labels":{"row":null,"x":"y"}}}`))
		g.add("a directive", g.exists(), body(`{"metadata":{"labels":{"$patch":"replace","z":"y"}}}`))
		g.add("an unknown directive", g.exists(), body(`{"metadata":{"labels":{"$patch":"nonsense","z":"y"}}}`))
	}
}
