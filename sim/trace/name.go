package trace

import (
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/kubestep/kubestep/sim/kinds"
)

// objectName is resource/name as people write it: the namespace only when it is not default.
func objectName(o Object) string { return partName(o, "") }

// ObjectName is an object as the text form names it.
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

// resourceName leaves out the group of Kubernetes' own resources: deployments, not deployments.apps. The groups of
// others stay, as their names are anybody's: pods.metrics.k8s.io are not pods.
func resourceName(resource string) string {
	plain, group, _ := strings.Cut(resource, ".")
	foreign := strings.Contains(group, ".") && !strings.HasSuffix(group, ".k8s.io")
	if kinds.BuiltIn().Named(resource) == nil && (foreign || kinds.BuiltIn().Named(plain) != nil) {
		return resource
	}
	return plain
}

// middle shortens text to a width by leaving out its middle: the start and the end of generated names tell
// more.
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

// limited is cut, or the whole text if the width is 0.
func limited(text string, width int) string {
	if width == 0 {
		return text
	}
	return cut(text, width)
}

// stem is what the names of a group have in common, up to a dash, and rest is what tells them apart.
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

// Seconds prints a virtual time as the trace does: seconds with three digits behind the point.
func Seconds(d time.Duration) string {
	return strconv.FormatFloat(d.Seconds(), 'f', 3, 64) + "s"
}
