package verb

import (
	"context"

	"gopkg.in/yaml.v3"

	"github.com/kubestep/kubestep/scenarios/language/format"
	"github.com/kubestep/kubestep/scenarios/language/notation"
	"github.com/kubestep/kubestep/scenarios/language/source"
)

// editRow is a change of the store itself.
var editRow = Row{
	Syntax: format.Syntax{
		Of: new(Edit),
		Doc: "Changes a stored object without a request, as with access to etcd: the API server does not validate " +
			"the change. Watches report it.",
		Example: `# Fields that no client could change, or that nobody should.
- edit: {target: pod/web-0, patch: {metadata: {ownerReferences: null, labels: {app: other}}}}
- edit: {target: replicaset/web, patch: {spec: {selector: {matchLabels: {app: other}}}}}
- edit: {target: pod/web-1, patch: {metadata: {finalizers: [example.com/stuck]}}}
`,
	},
}

// Edit is a change of the store itself.
type Edit struct {
	Target string     `yaml:"target" required:"true" example:"pod/web-0" doc:"KIND/NAME or NAMESPACE/KIND/NAME."`
	Patch  *yaml.Node `yaml:"patch" required:"true" format:"mapping" example:"{metadata: {ownerReferences: null}}" doc:"The fields to change, as a JSON merge patch: null removes a field, and a list is replaced as a whole."`
}

// Keyword implements format.Verb.
func (*Edit) Keyword() string { return "edit" }

// Role implements format.Verb.
func (*Edit) Role() format.Role { return format.Fault }

// String implements format.Verb.
func (e *Edit) String() string { return e.Target }

// Check implements format.Verb.
func (e *Edit) Check(c *format.Checker) { c.Target("target", e.Target, "", nil) }

// Do implements Verb.
func (e *Edit) Do(_ context.Context, w World) error {
	at := path(w)
	target, err := notation.ParseTarget(w.Scenario().Kinds(), e.Target)
	if err != nil {
		return err
	}
	body, err := source.PatchJSON(e.Patch)
	if err != nil {
		return w.Scenario().Errorf(at+".patch", "{metadata: {ownerReferences: null}}", "%v", err)
	}
	req := Request("edit", target)
	sim := w.Simulation()
	sim.Engine.Call("edit|"+at, func() { err = sim.Edit(req.Resource, req.Namespace, req.Name, body, w.Cause()) })
	if err != nil {
		return w.Scenario().Errorf(at+".target", "an object that exists at this time; a wait before this step waits for it", "%v", err)
	}
	return nil
}
