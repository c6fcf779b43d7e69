package trace

import (
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/kubestep/kubestep/sim/kinds"
)

// objectName is resource/name, with the namespace only if it is not default.
func objectName(o Object) string { return partName(o, "") }

// ObjectName is the name of an object in the text form.
func ObjectName(o Object) string { return objectName(o) }

// partName is objectName with a subresource: deployments/web/status.
func partName(o Object, subresource string) string {
	name := resourceName(o.Resource)
	if o.Name != "" {
		name += "/" + o.Name
	}
	if subresource != "" {
		name += "/" + subresource
	}
	if o.Namespace != "" && o.Namespace != "default" {
		name += " -n " + o.Namespace
	}
	return name
}

// resourceName omits the group of Kubernetes' own resources: deployments, not deployments.apps. Other groups are kept,
// since anybody may use the same name: pods.metrics.k8s.io are not pods.
func resourceName(resource string) string {
	plain, group, _ := strings.Cut(resource, ".")
	foreign := strings.Contains(group, ".") && !strings.HasSuffix(group, ".k8s.io")
	if kinds.BuiltIn().Named(resource) == nil && (foreign || kinds.BuiltIn().Named(plain) != nil) {
		return resource
	}
	return plain
}

// RandomLength is how many letters the API server adds to a generateName.
const RandomLength = 5

// IsGenerated reports whether the API server has made a name of a generateName, such as web-78746f9f76-mjgpm of web-78746f9f76-. The Pods
// of a StatefulSet have a generateName, too, but names that say which of them they are.
func IsGenerated(name, generateName string) bool {
	rest, ok := strings.CutPrefix(name, generateName)
	return ok && generateName != "" && len(rest) == RandomLength
}

// IsTime reports whether a value of an object's field is a time: 2026-01-01T00:00:00Z.
func IsTime(value string) bool {
	if len(value) < len(time.DateTime) || value[4] != '-' || value[10] != 'T' {
		return false
	}
	_, err := time.Parse(time.RFC3339, value)
	return err == nil
}

// middle shortens text to a width by omitting its middle: the start and the end of generated names say more.
func middle(text string, width int) string {
	length := utf8.RuneCountInString(text)
	if length <= width || width < 3 {
		return cut(text, width)
	}
	runes := []rune(text)
	tail := (width - 1) / 2
	return string(runes[:width-1-tail]) + "…" + string(runes[length-tail:])
}

// cut shortens text to a width at its end.
func cut(text string, width int) string {
	if utf8.RuneCountInString(text) <= width {
		return text
	}
	if width <= 0 {
		return ""
	}
	return string([]rune(text)[:width-1]) + "…"
}

// limited is cut, or returns the whole text if the width is 0.
func limited(text string, width int) string {
	if width == 0 {
		return text
	}
	return cut(text, width)
}

// stem is the common prefix of the names of a group, up to a dash, and rest is the remainder of each.
func stem(names []string) (common string, rest []string) {
	common = names[0]
	for _, name := range names[1:] {
		for !strings.HasPrefix(name, common) {
			common = common[:len(common)-1]
		}
	}
	common = common[:strings.LastIndexByte(common, '-')+1]
	for _, name := range names {
		rest = append(rest, strings.TrimPrefix(name, common))
	}
	return common, rest
}

// Seconds formats a virtual time as the trace does: seconds with three decimal places.
func Seconds(d time.Duration) string {
	return strconv.FormatFloat(d.Seconds(), 'f', 3, 64) + "s"
}
