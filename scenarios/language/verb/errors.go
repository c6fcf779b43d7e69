package verb

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/kubestep/kubestep/scenarios/language/format"
	"github.com/kubestep/kubestep/scenarios/language/manifest"
	"github.com/kubestep/kubestep/scenarios/language/source"
)

// manifestErrors gives an error of the API server the positions in the manifest that it is about: one error for each
// field. A step that is meant to fail wants the status itself.
func manifestErrors(s *format.Scenario, step int, m manifest.Manifest, err error) error {
	if s.Spec.Steps[step].Fails != "" {
		return err
	}
	var positioned *source.Error
	if !errors.As(StepError(s, step, err), &positioned) {
		return err
	}
	list := ManifestErrors(positioned, m, err)
	if len(list) == 1 {
		return list[0]
	}
	return list
}

// ManifestErrors places an error of the API server about a manifest: at the fields that it names, or at the manifest. whole has
// the rest of the error.
func ManifestErrors(whole *source.Error, m manifest.Manifest, err error) source.ErrorList {
	if list := fieldErrors(whole, m, err); len(list) > 0 {
		return list
	}
	if m.Position.Line > 0 {
		whole.Move(m.Position)
	}
	return source.ErrorList{whole}
}

// fieldErrors are the single mistakes that the API server found in an object.
func fieldErrors(whole *source.Error, m manifest.Manifest, err error) (list source.ErrorList) {
	var status apierrors.APIStatus
	if !errors.As(err, &status) || status.Status().Details == nil || !apierrors.IsInvalid(err) {
		return nil
	}
	details := status.Status().Details
	head := fmt.Sprintf("%s %q is invalid: ", schema.GroupKind{Group: details.Group, Kind: details.Kind}, details.Name)
	for _, cause := range withoutConsequences(details.Causes) {
		e := *whole
		e.Message, e.Try = head+cause.Field+": "+cause.Message, tryField(cause, e.Try)
		if at := m.Field(cause.Field); at.Line > 0 {
			e.Move(at)
		}
		list = append(list, &e)
	}
	return list
}

const selectorField = "spec.selector"

// withoutConsequences leaves out what is wrong only because of another mistake: no labels match a selector that is missing.
func withoutConsequences(causes []metav1.StatusCause) []metav1.StatusCause {
	if !slices.ContainsFunc(causes, func(c metav1.StatusCause) bool {
		return c.Field == selectorField && c.Type == metav1.CauseTypeFieldValueRequired
	}) {
		return causes
	}
	return slices.DeleteFunc(slices.Clone(causes), func(c metav1.StatusCause) bool {
		return c.Field != selectorField && strings.Contains(c.Message, "selector")
	})
}

// tryField is the remedy for a mistake in a field.
func tryField(cause metav1.StatusCause, otherwise string) string {
	switch {
	case cause.Type == metav1.CauseTypeFieldValueRequired && cause.Field == selectorField:
		return "selector: {matchLabels: LABELS}, with the labels of the template"
	case cause.Type == metav1.CauseTypeFieldValueRequired:
		return "add " + cause.Field
	case strings.Contains(cause.Message, "`selector` does not match template `labels`"):
		return "the same labels in spec.selector.matchLabels and in spec.template.metadata.labels"
	}
	return otherwise
}

// StepError adds the position of a step to an error of the API server.
func StepError(s *format.Scenario, step int, err error) error {
	var positioned *source.Error
	if errors.As(err, &positioned) {
		return err
	}
	name, try := s.Spec.Steps[step].Verb.Keyword(), ""
	if reason := apierrors.ReasonForError(err); reason != "" {
		try = fmt.Sprintf("fails: %s next to %s, if you expect the failure", reason, name)
	}
	message := err.Error()
	if plain, ok := plainPatch(message); ok {
		message, try = plain, "a value of the field's type"
	}
	return s.Errorf(format.StepPath(step)+"."+name, try, "%s", message)
}

var (
	// patchPrefix is what upstream puts before what is wrong with a patched object: all of the object.
	patchPrefix = regexp.MustCompile(`^ *"" is invalid: patch: Invalid value: "(?:[^"\\]|\\.)*": `)
	// wrongType is a mistake in the words of Go's decoder of JSON.
	wrongType  = regexp.MustCompile(`^json: cannot unmarshal (\w+) into Go struct field \w+\.([\w.]+) of type (\S+)$`)
	noSuchType = regexp.MustCompile(`^unrecognized type: (\w+)$`)
)

// plainPatch says what is wrong with a patched object in words for those who know Kubernetes.
func plainPatch(message string) (string, bool) {
	prefix := patchPrefix.FindString(message)
	if prefix == "" {
		return "", false
	}
	rest := message[len(prefix):]
	if m := wrongType.FindStringSubmatch(rest); m != nil {
		return fmt.Sprintf("the patch does not fit: %s must be %s, not a %s", m[2], jsonType(m[3]), m[1]), true
	}
	if m := noSuchType.FindStringSubmatch(rest); m != nil {
		return fmt.Sprintf("the patch does not fit: a field must be %s", jsonType(m[1])), true
	}
	return "the patch does not fit: " + strings.TrimPrefix(rest, "json: "), true
}

// jsonType names a type of Go as OpenAPI does.
func jsonType(name string) string {
	switch {
	case strings.HasPrefix(name, "int") || strings.HasPrefix(name, "uint"):
		return "an integer"
	case strings.HasPrefix(name, "float"):
		return "a number"
	case name == "bool":
		return "a boolean"
	case name == "string":
		return "a string"
	case strings.HasPrefix(name, "[]"):
		return "a list"
	}
	return "an object"
}
