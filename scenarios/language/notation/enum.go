package notation

import (
	"slices"
	"strconv"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kubestep/kubestep/scenarios/language/spelling"
	"github.com/kubestep/kubestep/scenarios/language/view"
)

// EnumValues reads an enum tag: the values themselves, or @ and the name of a list.
func EnumValues(tag string) []string {
	switch tag {
	case "":
		return nil
	case "@reasons":
		return StatusReasons()
	case "@refusals":
		return Refusals()
	case "@rejections":
		return Rejections()
	case "@views":
		return view.Directed()
	}
	return strings.Split(tag, ",")
}

// EnumSuggestion is the value that was probably meant, or all of them.
func EnumSuggestion(values []string, wrong string) string {
	for _, reason := range StatusReasons() {
		if strconv.Itoa(StatusCode(reason)) == wrong && slices.Contains(values, reason) {
			return reason
		}
	}
	if near := spelling.Nearest(wrong, values); near != "" {
		return near
	}
	if slices.Contains(values, string(metav1.StatusReasonNotFound)) {
		return "Invalid, Conflict, NotFound or another status reason"
	}
	return "one of " + strings.Join(values, ", ")
}
