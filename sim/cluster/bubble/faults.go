package bubble

import (
	"fmt"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/watch"

	"github.com/kubestep/kubestep/sim/apiserver"
	"github.com/kubestep/kubestep/sim/apiserver/extensions"
	"github.com/kubestep/kubestep/sim/network/fault"
)

// What the verb of a rule may be, for each place.
var verbs = map[fault.Place][]string{
	fault.Requests: {"get", "list", "watch", "create", "update", "patch", "delete", "deletecollection"},
	fault.Watches:  {string(watch.Added), string(watch.Modified), string(watch.Deleted), string(watch.Bookmark), string(watch.Error)},
}

// check finds what keeps a rule from ever matching: a verb that no request has, or a resource that the server does not
// have and no definition among the objects defines.
func (c *Cluster) check(rule *fault.Rule, options Options) error {
	match, known := rule.Match, verbs[rule.Place]
	if match.Verb != "" && !slices.Contains(known, match.Verb) {
		return fmt.Errorf("fault %s: unknown verb %q: want one of %s", rule.Name, match.Verb, strings.Join(known, ", "))
	}
	if match.Resource == "" {
		return nil
	}
	var groups []string
	for _, r := range c.Simulation.Server.Resources() {
		if r.Subresource == "" && r.Resource == match.Resource {
			groups = append(groups, r.Group)
		}
	}
	defined := definitions(options.Objects)
	for _, d := range defined {
		if d.Resource == match.Resource {
			groups = append(groups, d.Group)
		}
	}
	switch {
	case slices.Contains(groups, match.Group):
		return nil
	case options.Server.CustomResources && c.isUnknown(match.Group, defined):
		return nil // the test can define it
	case len(groups) > 0:
		return fmt.Errorf("fault %s: no resource %q in the group %q: want the group %q",
			rule.Name, match.Resource, match.Group, strings.Join(groups, ", "))
	}
	return fmt.Errorf("fault %s: unknown resource %q: want a plural name such as configmaps", rule.Name,
		schema.GroupResource{Group: match.Group, Resource: match.Resource})
}

// definitions are the resources that CustomResourceDefinitions among objects define. The name of a definition is that of its
// resource.
func definitions(objects []apiserver.Request) (defined []schema.GroupResource) {
	for _, o := range objects {
		if o.Resource.GroupResource() == extensions.Definitions.GroupResource() {
			defined = append(defined, schema.ParseGroupResource(o.Name))
		}
	}
	return defined
}

// isUnknown reports whether neither the server nor a definition has resources in a group.
func (c *Cluster) isUnknown(group string, defined []schema.GroupResource) bool {
	return !slices.ContainsFunc(c.Simulation.Server.Resources(), func(r *apiserver.Resource) bool { return r.Group == group }) &&
		!slices.ContainsFunc(defined, func(d schema.GroupResource) bool { return d.Group == group })
}

// reportUnused logs the rules that were never applied: the test has not seen their faults.
func reportUnused(t TB, rules []*fault.Rule) {
	for _, rule := range rules {
		if why := rule.WhyUnused(); why != "" {
			t.Logf("fault %s %s", rule.Name, why)
		}
	}
}
