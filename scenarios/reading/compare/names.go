package compare

import (
	"encoding/json"
	"encoding/pem"
	"net/http"
	"net/netip"
	"regexp"
	"strings"

	"github.com/google/uuid"

	"github.com/kubestep/kubestep/sim/trace"
)

// names blots out what the seed draws: the ends of generated names.
type names map[string]string

// add remembers the names that a request made the API server generate.
func (n names) add(r *trace.Request) {
	n.addRefused(r)
	for i := range r.Writes {
		w := &r.Writes[i]
		if w.Op != trace.OpCreate {
			continue
		}
		var object struct {
			Metadata struct {
				GenerateName string `json:"generateName"`
			} `json:"metadata"`
		}
		if json.Unmarshal(w.New, &object) != nil {
			continue
		}
		if prefix := object.Metadata.GenerateName; trace.IsGenerated(w.Name, prefix) {
			n[w.Name] = n.prefix(prefix) + "*"
		}
	}
}

// generated is a name in quotation marks with random letters of the API server at its end: SafeEncodeString in
// k8s.io/apimachinery/pkg/util/rand writes those of the seed.
var generated = regexp.MustCompile(`"([a-z0-9.-]+-)([bcdfghjklmnpqrstvwxz2456789]{5})"`)

// addRefused remembers the name that the API server generated for an object that it then refused: it is only in the message, from which
// controllers copy it to conditions and Events.
func (n names) addRefused(r *trace.Request) {
	if r.Verb != "create" || r.Name != "" || r.Code < http.StatusBadRequest {
		return
	}
	for _, match := range generated.FindAllStringSubmatch(r.Message, -1) {
		n[match[1]+match[2]] = n.prefix(match[1]) + "*"
	}
}

// prefix is a generateName; one that begins with the name of a ReplicaSet has its pattern.
func (n names) prefix(prefix string) string {
	if pattern, ok := n[strings.TrimSuffix(prefix, "-")]; ok {
		return pattern + "-"
	}
	return prefix
}

// name is a name, or the pattern of a generated one.
func (n names) name(name string) string {
	if pattern, ok := n[name]; ok {
		return pattern
	}
	if pattern, ok := identity(name); ok {
		return pattern
	}
	return name
}

// bundleLength is how many hexadecimal digits the hash of certificates at the end of the name of a ClusterTrustBundle has.
const bundleLength = 24

// identity is the pattern of a uid, of an address, and of a name that ends in a uid, such as that of a provisioned
// PersistentVolume, or in a hash of certificates. An IPAddress has its address as a name.
func identity(text string) (pattern string, ok bool) {
	if at := len(text) - bundleLength; at > 0 && text[at-1] == ':' && strings.Trim(text[at:], "0123456789abcdef") == "" {
		return text[:at] + "(hash)", true
	}
	const length = len("0c5cf91d-65a0-4fd4-92d7-6d1a6c6b6f35")
	if prefix := len(text) - length; prefix == 0 || prefix > 0 && text[prefix-1] == '-' {
		if _, err := uuid.Parse(text[prefix:]); err == nil {
			return text[:prefix] + "(uid)", true
		}
	}
	_, err := netip.ParseAddr(text)
	return "(address)", err == nil
}

// object is an object with the pattern of its name.
func (n names) object(o trace.Object) trace.Object {
	o.Name = n.name(o.Name)
	return o
}

// tokenPrefix begins the name of the volume that the admission plugin ServiceAccount adds to a Pod: kube-api-access-t7spt
// (ServiceAccountVolumeName in plugin/pkg/admission/serviceaccount/admission.go).
const tokenPrefix = "kube-api-access-"

// tokenVolume is the pattern of such a name.
func tokenVolume(name string) (pattern string, ok bool) {
	rest, ok := strings.CutPrefix(name, tokenPrefix)
	return tokenPrefix + "*", ok && len(rest) == trace.RandomLength
}

// key is the key of a work queue with the pattern of its name.
func (n names) key(key string) string {
	namespace, name, found := strings.Cut(key, "/")
	if !found {
		return n.name(key)
	}
	return namespace + "/" + n.name(name)
}

// words blots names out in a text.
func (n names) words(text string) string {
	fields := strings.Split(text, " ")
	for i, field := range fields {
		bare := strings.Trim(field, `",:;()`)
		if at := strings.LastIndexByte(bare, '/'); at >= 0 {
			bare = bare[at+1:]
		}
		if pattern, ok := n[bare]; ok {
			fields[i] = strings.Replace(field, bare, pattern, 1)
		}
	}
	return strings.Join(fields, " ")
}

// Words is a text without what the seed draws.
func (d *Decisions) Words(text string) string { return d.names.words(text) }

// value is a field's value without what the seed draws.
func (n names) value(text string) string {
	if pattern, ok := n[text]; ok {
		return pattern
	}
	if pattern, ok := identity(text); ok {
		return pattern
	}
	if name, ok := tokenVolume(text); ok {
		return name
	}
	if block, _ := pem.Decode([]byte(text)); block != nil {
		return "(PEM)"
	}
	if trace.IsTime(text) {
		return "(time)"
	}
	if strings.HasSuffix(text, "-") {
		return n.prefix(text)
	}
	return n.words(text)
}
