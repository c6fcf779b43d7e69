package answers

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"time"
)

// Plane is an API server to which rows are sent.
type Plane struct {
	send func(*http.Request) (*http.Response, error)
	// space and other are namespaces.
	space, other string
}

// NewPlane is the server to which send sends a request. The ends of the names of its namespaces are five characters.
func NewPlane(send func(*http.Request) (*http.Response, error), end string) *Plane {
	return &Plane{send: send, space: "space-" + end, other: "other-" + end}
}

// Answer is the response to a row's request.
type Answer struct {
	// Code is 0 if the server broke the request off.
	Code int
	// Header are lines such as "Content-Type: application/json".
	Header []string
	// Body is JSON, or a string of JSON if it was no object.
	Body string
}

// broken is how a request ends whose handler panics: HTTP/2 resets its stream.
const broken = "INTERNAL_ERROR"

// answered are the headers of an Answer.
var answered = []string{"Content-Type", "Warning", "Location", "Retry-After", "Allow"}

// definition is that of the custom resource of the rows.
const definition = `{"apiVersion":"apiextensions.k8s.io/v1","kind":"CustomResourceDefinition",` +
	`"metadata":{"name":"widgets.answers.kubestep.dev"},
"spec":{"group":"answers.kubestep.dev","scope":"Namespaced","names":{"plural":"widgets","singular":"widget","kind":"Widget",
"shortNames":["wd"]},
"versions":[{"name":"v1","served":true,"storage":true,
"subresources":{"status":{},"scale":{"specReplicasPath":".spec.replicas","statusReplicasPath":".status.replicas"}},
"additionalPrinterColumns":[{"name":"Size","type":"integer","jsonPath":".spec.size"}],
"schema":{"openAPIV3Schema":{"type":"object","properties":{
"spec":{"type":"object","required":["size"],"properties":{"size":{"type":"integer","minimum":1},"color":{"type":"string","default":"red",
"enum":["red","blue"]},
"replicas":{"type":"integer"},"parts":{"type":"array","x-kubernetes-list-type":"map","x-kubernetes-list-map-keys":["name"],
"items":{"type":"object","required":["name"],"properties":{"name":{"type":"string"},"value":{"type":"string"}}}}},
"x-kubernetes-validations":[{"rule":"self.size < 100","message":"too large"}]},
"status":{"type":"object","properties":{"replicas":{"type":"integer"},"phase":{"type":"string"}}}}}}}]}}`

const definitions = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions"

// Prepare makes what all rows share: two namespaces with their service accounts, and the definition of Widgets. It waits until the server
// has them.
func (p *Plane) Prepare() error {
	for _, name := range []string{p.space, p.other} {
		if err := p.create("/api/v1/namespaces", `{"apiVersion":"v1","kind":"Namespace","metadata":{"name":"`+name+`"}}`); err != nil {
			return err
		}
		accounts := "/api/v1/namespaces/" + name + "/serviceaccounts"
		if err := p.create(accounts, `{"apiVersion":"v1","kind":"ServiceAccount","metadata":{"name":"default"}}`); err != nil {
			return err
		}
	}
	if err := p.create(definitions, definition); err != nil {
		return err
	}
	widget := Request{Method: http.MethodPost, Path: widgets.collection(), Query: "dryRun=All", ContentType: asJSON, Body: widgets.body}
	var answer *response
	for range 300 {
		var err error
		if answer, err = p.do(widget, p.replacer("row-0000", nil)); err != nil {
			return err
		}
		if answer.code == http.StatusCreated {
			return nil
		}
		time.Sleep(100 * time.Millisecond)
	}
	return fmt.Errorf("the custom resource is not served: %s", answer.body)
}

// create creates an object, if it does not exist.
func (p *Plane) create(path, body string) error {
	request := Request{Method: http.MethodPost, Path: path, ContentType: asJSON, Body: body}
	answer, err := p.do(request, p.replacer("", nil))
	if err == nil && answer.code != http.StatusCreated && answer.code != http.StatusConflict {
		err = fmt.Errorf("creating in %s: %d %s", path, answer.code, answer.body)
	}
	return err
}

// Remove deletes what Prepare has made.
func (p *Plane) Remove() error {
	for _, path := range []string{definitions + "/widgets.answers.kubestep.dev", "/api/v1/namespaces/" + p.space, "/api/v1/namespaces/" +
		p.other} {
		answer, err := p.do(Request{Method: http.MethodDelete, Path: path}, p.replacer("", nil))
		if err == nil && answer.code >= 300 && answer.code != http.StatusConflict {
			err = fmt.Errorf("deleting %s: %d %s", path, answer.code, answer.body)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// name is the name of a row's object.
func (r Row) name() string { return fmt.Sprintf("row-%04d", r.number) }

// Ask makes the objects of a row, and sends its request.
func (p *Plane) Ask(row Row) (Answer, error) {
	replace, err := p.SetUp(row)
	if err != nil {
		return Answer{}, err
	}
	answer, err := p.do(row.Request, replace)
	switch {
	case err == nil:
	case strings.Contains(err.Error(), broken):
		return Answer{Body: broken}, nil
	default:
		return Answer{}, fmt.Errorf("%s: %w", row.Name(), err)
	}
	return p.normal(row, answer)
}

// SetUp makes the objects of a row. It returns what replaces the placeholders in its request.
func (p *Plane) SetUp(row Row) (*strings.Replacer, error) {
	replace := p.replacer(row.name(), nil)
	for _, request := range row.Setup {
		answer, err := p.do(request, replace)
		if err == nil && answer.code >= http.StatusMultipleChoices {
			err = fmt.Errorf("%s %s: %d %s", request.Method, request.Path, answer.code, answer.body)
		}
		if err != nil {
			return nil, fmt.Errorf("before %s: %w", row.Name(), err)
		}
		replace = p.replacer(row.name(), answer.body)
	}
	return replace, nil
}

// Clear deletes the objects of a row, whatever their finalizers wait for.
func (p *Plane) Clear(row Row) error {
	if row.collection == "" {
		return nil
	}
	replace := p.replacer(row.name(), nil)
	answer, err := p.do(Request{Method: http.MethodGet, Path: row.collection, Query: "labelSelector=row%3D$NAME"}, replace)
	if err != nil {
		return err
	}
	var list struct {
		Items []struct{ Metadata struct{ Name string } }
	}
	if err := json.Unmarshal(answer.body, &list); err != nil {
		return fmt.Errorf("%w in %q", err, answer.body)
	}
	// Some rows change the label of their object.
	names := []string{row.name()}
	for _, item := range list.Items {
		names = append(names, item.Metadata.Name)
	}
	for _, name := range names {
		path := row.collection + "/" + name
		for _, request := range []Request{
			{Method: http.MethodPatch, Path: path, ContentType: asMerge, Body: `{"metadata":{"finalizers":null}}`},
			{Method: http.MethodDelete, Path: path},
			{Method: http.MethodPut, Path: path + "/finalize", ContentType: asJSON,
				Body: `{"apiVersion":"v1","kind":"Namespace","metadata":{"name":"` + name + `"},"spec":{}}`},
		} {
			// It is gone, or has no finalizers, if not all of them succeed.
			if _, err := p.do(request, replace); err != nil {
				return err
			}
		}
	}
	return nil
}

// replacer replaces the placeholders of a row's requests.
func (p *Plane) replacer(name string, previous []byte) *strings.Replacer {
	var object struct {
		Metadata struct{ UID, ResourceVersion string }
	}
	_ = json.Unmarshal(previous, &object) // what is no object has none
	return strings.NewReplacer("$NAME", name, "$NS", p.space, "$OTHER", p.other, "$UID", object.Metadata.UID,
		"$RV", object.Metadata.ResourceVersion)
}

// response is a response that has been read.
type response struct {
	code   int
	header http.Header
	body   []byte
}

func (p *Plane) do(request Request, replace *strings.Replacer) (*response, error) {
	r, err := request.HTTP(replace)
	if err != nil {
		return nil, err
	}
	answer, err := p.send(r)
	if err != nil {
		return nil, err
	}
	defer answer.Body.Close()
	data, err := io.ReadAll(answer.Body)
	return &response{answer.StatusCode, answer.Header, data}, err
}

// normal is the part of a response that two servers have in common.
func (p *Plane) normal(row Row, r *response) (Answer, error) {
	body, err := inJSON(r.header.Get("Content-Type"), r.body)
	if err != nil {
		return Answer{}, fmt.Errorf("%s: %w in %q", row.Name(), err, r.body)
	}
	words := strings.NewReplacer(row.name(), "row", p.space, "space", p.other, "other")
	out := Answer{Code: r.code}
	if out.Body, err = Normal(words.Replace(string(body))); err != nil {
		return Answer{}, fmt.Errorf("%s: %w in %q", row.Name(), err, r.body)
	}
	for _, name := range answered {
		values := slices.Clone(r.header.Values(name))
		slices.Sort(values)
		for _, value := range values {
			out.Header = append(out.Header, name+": "+normalText(words.Replace(value)))
		}
	}
	return out, nil
}
