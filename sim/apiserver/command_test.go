package apiserver_test

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/cockroachdb/datadriven"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apiserver/pkg/authentication/user"
	"k8s.io/client-go/kubernetes/scheme"
	"sigs.k8s.io/yaml"

	"github.com/kubestep/kubestep/sim/apiserver"
)

// command is one command of a script, with its arguments.
type command struct{ *datadriven.TestData }

// positional returns the nth argument as the script has it, such as deployments/web.
func (c command) positional(n int) (string, error) {
	if n >= len(c.CmdArgs) || c.CmdArgs[n].Vals != nil {
		return "", fmt.Errorf("%s lacks an argument", c.Cmd)
	}
	return c.CmdArgs[n].Key, nil
}

// value returns what an argument says, or "".
func (c command) value(key string) string { return strings.Join(c.values(key), ",") }

func (c command) values(key string) []string {
	arg, _ := c.Arg(key)
	return arg.Vals
}

// number returns an argument that is a number, or nil.
func (c command) number(key string) *int64 {
	n, err := strconv.ParseInt(c.value(key), 10, 64)
	if err != nil {
		return nil
	}
	return &n
}

func (c command) dryRun() []string {
	if values := c.values("dry-run"); c.HasArg("dry-run") && len(values) > 0 {
		return values
	}
	if c.HasArg("dry-run") {
		return []string{metav1.DryRunAll}
	}
	return nil
}

func (c command) deleteOptions() metav1.DeleteOptions {
	options := metav1.DeleteOptions{GracePeriodSeconds: c.number("grace"), DryRun: c.dryRun()}
	if cascade := c.value("cascade"); cascade != "" {
		policy := metav1.DeletionPropagation(strings.ToUpper(cascade[:1]) + cascade[1:])
		options.PropagationPolicy = &policy
	}
	if uid := types.UID(c.value("uid")); uid != "" {
		options.Preconditions = &metav1.Preconditions{UID: &uid}
	}
	if rv := c.value("rv"); rv != "" {
		options.Preconditions = &metav1.Preconditions{ResourceVersion: &rv}
	}
	return options
}

func (c command) listOptions() metav1.ListOptions {
	options := metav1.ListOptions{
		LabelSelector: c.value("selector"), FieldSelector: c.value("fields"),
		ResourceVersion:      c.value("rv"),
		ResourceVersionMatch: metav1.ResourceVersionMatch(c.value("match")),
		AllowWatchBookmarks:  c.HasArg("bookmarks"),
	}
	if limit := c.number("limit"); limit != nil {
		options.Limit = *limit
	}
	return options
}

// request builds a request for a path such as deployments/web, which the API server need not have.
func (w *world) request(c command, verb, path string) apiserver.Request {
	resource, name, _ := strings.Cut(path, "/")
	gvr, namespaced := w.resource(resource)
	req := apiserver.Request{
		Actor: "script", Verb: verb, Resource: gvr, Subresource: c.value("sub"), Name: name,
	}
	if c.HasArg("as") {
		req.User = &user.DefaultInfo{Name: c.value("as"), Groups: append(c.values("groups"), user.AllAuthenticated)}
	}
	switch namespace := c.value("ns"); {
	case namespace == "none":
	case namespace != "":
		req.Namespace = namespace
	case namespaced:
		req.Namespace = metav1.NamespaceDefault
	}
	return req
}

// resource finds the resource that kubectl would find by this name.
func (w *world) resource(text string) (gvr schema.GroupVersionResource, namespaced bool) {
	name, version, qualified := strings.Cut(text, ".")
	version, group, _ := strings.Cut(version, ".")
	gvr = schema.GroupVersionResource{Group: group, Version: version, Resource: name}
	for _, r := range w.server.Resources() {
		preferred, _ := w.server.Preferred(r.GroupResource())
		if r.Subresource == "" && r.Resource == name &&
			(r.GroupVersionResource == gvr || !qualified && r == preferred) {
			return r.GroupVersionResource, r.Namespaced
		}
	}
	return gvr, true
}

// pathOf returns the path to which an object of this kind is posted.
func (w *world) pathOf(kind schema.GroupVersionKind) (string, error) {
	for _, r := range w.server.Resources() {
		if r.Subresource == "" && r.Kind == kind {
			return strings.Join([]string{r.Resource, r.Version, r.Group}, "."), nil
		}
	}
	return "", fmt.Errorf("no resource of kind %s is served", kind)
}

// decode reads YAML into the Go type of its kind, without defaults, as a typed client has it.
func decode(text string) (runtime.Object, schema.GroupVersionKind, error) {
	data, err := yaml.YAMLToJSON([]byte(text))
	if err != nil {
		return nil, schema.GroupVersionKind{}, err
	}
	obj, kind, err := scheme.Codecs.UniversalDeserializer().Decode(data, nil, nil)
	if err != nil {
		return nil, schema.GroupVersionKind{}, err
	}
	return obj, *kind, nil
}

// typeOf returns the kind of a typed object, which clients clear.
func typeOf(obj runtime.Object) (schema.GroupVersionKind, error) {
	kinds, _, err := scheme.Scheme.ObjectKinds(obj)
	if err != nil {
		return schema.GroupVersionKind{}, err
	}
	if len(kinds) != 1 {
		return schema.GroupVersionKind{}, errors.New("an object of several kinds")
	}
	return kinds[0], nil
}
