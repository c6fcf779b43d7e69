package verb

import (
	"cmp"
	"context"
	"encoding/json"

	"gopkg.in/yaml.v3"
	"k8s.io/apimachinery/pkg/types"

	"github.com/kubestep/kubestep/scenarios/language/format"
	"github.com/kubestep/kubestep/scenarios/language/notation"
	"github.com/kubestep/kubestep/scenarios/language/source"
	"github.com/kubestep/kubestep/sim/kinds"
)

// patchRow is kubectl patch.
var patchRow = Row{
	Manager: "kubectl-patch",
	Syntax: format.Syntax{
		Of:  new(Patch),
		Doc: "As kubectl patch.",
		Example: `- patch: {target: deployment/web, patch: {spec: {paused: true}}}
- patch:
    target: deployment/web
    type: json
    patch:
    - {op: replace, path: /spec/minReadySeconds, value: 30}
`,
		Synonyms: map[string]string{
			"update": "patch",
			"taint":  "patch: {target: node/NAME, patch: {spec: {taints: [...]}}}",
		},
	},
}

// Patch changes one object.
type Patch struct {
	Target      string     `yaml:"target" required:"true" example:"deployment/web" doc:"KIND/NAME or NAMESPACE/KIND/NAME."`
	Type        string     `yaml:"type,omitempty" enum:"strategic,merge,json" doc:"strategic (default), merge or json."`
	Subresource string     `yaml:"subresource,omitempty" enum:"status,scale,approval,resize,ephemeralcontainers" doc:"status, scale, approval of a CertificateSigningRequest, or of a Pod resize, which changes the resources of its containers, or ephemeralcontainers, which adds one."`
	Patch       *yaml.Node `yaml:"patch" required:"true" example:"{spec: {paused: true}}" doc:"The patch as YAML, or as a string of JSON. As metadata.resourceVersion, $(resourceVersion) is the one that the object has when the step is taken."`
}

// Keyword implements format.Verb.
func (*Patch) Keyword() string { return "patch" }

// Role implements format.Verb.
func (*Patch) Role() format.Role { return format.Request }

// String implements format.Verb.
func (p *Patch) String() string { return p.Target }

// ApplyDefaults implements format.Defaulter.
func (p *Patch) ApplyDefaults() { p.Type = cmp.Or(p.Type, "strategic") }

// Check implements format.Verb. The patch must have the form that its type wants.
func (p *Patch) Check(c *format.Checker) {
	c.Target("target", p.Target, "", nil)
	node := c.PatchBody("patch", p.Patch)
	if node == nil {
		return
	}
	isList := node.Kind == yaml.SequenceNode
	target, err := notation.ParseTarget(c.Scenario().Kinds(), p.Target)
	switch {
	case err == nil && p.Type == "strategic" && !c.Fails() && kinds.BuiltIn().Of(target.Kind().GroupResource()) == nil:
		c.Fail("", "type: merge", "a %s has no strategic merge patch", target.Kind().Kind)
	case isList && p.Type != "json":
		c.Fail("patch", "type: json", "a list is a patch of type json, not %s", p.Type)
	case !isList && p.Type == "json":
		c.Fail("patch", "[{op: replace, path: /spec/replicas, value: 3}]",
			"a patch of type json is a list of operations")
	}
}

// PatchTypes are the types of patches by their names in a file.
var PatchTypes = map[string]types.PatchType{
	"strategic": types.StrategicMergePatchType, "merge": types.MergePatchType, "json": types.JSONPatchType,
}

// Do implements Verb.
func (p *Patch) Do(_ context.Context, w World) error {
	target, err := notation.ParseTarget(w.Scenario().Kinds(), p.Target)
	if err != nil {
		return err
	}
	body, err := source.PatchJSON(p.Patch)
	if err != nil {
		return w.Scenario().Errorf(path(w, "patch"), "{spec: {replicas: 3}}", "%v", err)
	}
	body = withVersion(w, body, target.Kind().GroupResource(), namespaceOf(target), target.Name)
	return sendPatch(w, target, PatchTypes[p.Type], p.Subresource, json.RawMessage(body))
}
