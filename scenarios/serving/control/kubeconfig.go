package control

import (
	"bytes"
	"crypto/tls"
	"crypto/x509"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strings"

	"gopkg.in/yaml.v3"

	"github.com/kubestep/kubestep/scenarios/language/source"
	"github.com/kubestep/kubestep/sim/trace/file/input"
)

// Kubeconfig is how clients find a session: the values in the kubeconfig file that kubestep serve writes.
//
// A kubeconfig file can do much more. client-go runs programs that it names (exec), sends files that it names to a server that it
// names (tokenFile, client-certificate), goes through a proxy, and trusts anybody (insecure-skip-tls-verify). A file that somebody
// else wrote may not do that to who opens it, so no loader of client-go reads one here. ReadKubeconfig knows the fields of serve,
// and refuses all others.
type Kubeconfig struct {
	// Name is that of the cluster, the user and the context in the file.
	Name string
	// Server is the address of the server: https, a host and a port.
	Server string
	// Authority is the certificate in PEM that signs the server's.
	Authority []byte
	// Token is what the server wants to see.
	Token string
}

// ContextOf is the name in the kubeconfig file of a cluster, as kind has it: kubestep-dev for dev.
func ContextOf(cluster string) string { return "kubestep-" + cluster }

// Text is the kubeconfig file: what clients such as kubectl need, under one name.
func (k Kubeconfig) Text() []byte {
	text := []byte(input.SessionMark + "apiVersion: v1\nkind: Config\n")
	for _, list := range k.Entries() {
		text = fmt.Appendf(text, "%s:\n%s", list.Key, list.Text)
	}
	return fmt.Appendf(text, "current-context: %s\n", quoted(k.Name))
}

// Entry is one item of a list of a kubeconfig file, as lines of YAML without indentation.
type Entry struct{ Key, Text string }

// Entries are the items that a kubeconfig file has for the session, one in each list.
func (k Kubeconfig) Entries() []Entry {
	name := quoted(k.Name)
	return []Entry{
		{"clusters", fmt.Sprintf("- name: %s\n  cluster:\n    certificate-authority-data: %s\n    server: %s\n",
			name, base64.StdEncoding.EncodeToString(k.Authority), quoted(k.Server))},
		{"users", fmt.Sprintf("- name: %s\n  user:\n    token: %s\n", name, quoted(k.Token))},
		{"contexts", fmt.Sprintf("- name: %s\n  context:\n    cluster: %s\n    user: %s\n", name, name, name)},
	}
}

// plainName are the names that YAML takes as they are.
var plainName = regexp.MustCompile(`^[a-z][a-z0-9.-]*$`)

// quoted is a string as a value of YAML: itself, or its JSON form.
func quoted(text string) []byte {
	if plainName.MatchString(text) && strings.Contains(text, "-") {
		return []byte(text) // and so no other value, such as true
	}
	out, _ := json.Marshal(text) // a string has one
	return out
}

// fieldsOfKubeconfig are the fields that a kubeconfig file of a session has, and what a value of them goes to; [] is the only item of
// a list. kubectl config set-context writes the namespace.
const (
	versionField   = "apiVersion"
	kindField      = "kind"
	currentField   = "current-context"
	clusterName    = "clusters[].name"
	serverField    = "clusters[].cluster.server"
	authorityField = "clusters[].cluster.certificate-authority-data"
	userName       = "users[].name"
	tokenField     = "users[].user.token"
	contextName    = "contexts[].name"
	contextCluster = "contexts[].context.cluster"
	contextUser    = "contexts[].context.user"
	namespaceField = "contexts[].context.namespace"
	preferences    = "preferences"
)

var fieldsOfKubeconfig = []string{
	versionField, kindField, currentField, clusterName, serverField, authorityField, userName, tokenField, contextName, contextCluster,
	contextUser, namespaceField, preferences,
}

// trySession is what helps with a kubeconfig file that is not that of a session.
const trySession = "the kubeconfig file that kubestep serve wrote"

// ReadKubeconfig reads a kubeconfig file. Of its fields it takes those that serve writes; any other one is an error with its name and
// place. It opens no other file, starts no program and sends nothing. The error is a *source.Error, or that of package input.
func ReadKubeconfig(path string) (*Kubeconfig, error) {
	file, err := input.Open(path, input.Session, input.Kubeconfig)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	text, err := io.ReadAll(file)
	if err != nil {
		return nil, err
	}
	k, err := ParseKubeconfig(text)
	var wrong *source.Error
	if errors.As(err, &wrong) {
		wrong.File = path
	}
	return k, err
}

// ParseKubeconfig is ReadKubeconfig for the text of a file. The error is a *source.Error.
func ParseKubeconfig(text []byte) (*Kubeconfig, error) {
	k, wrong := parseKubeconfig(text)
	if wrong != nil {
		return nil, wrong
	}
	return k, nil
}

func parseKubeconfig(text []byte) (*Kubeconfig, *source.Error) {
	if err := source.TextOnly(text); err != nil {
		return nil, err
	}
	var document yaml.Node
	documents := yaml.NewDecoder(bytes.NewReader(text))
	switch err := source.DecodeNode(documents, &document); {
	case err == io.EOF:
		return nil, source.Problem(trySession, "contains no kubeconfig")
	case err != nil:
		return nil, source.SyntaxError(err, string(text))
	}
	if source.DecodeNode(documents, &yaml.Node{}) != io.EOF {
		return nil, source.Problem(trySession, "contains more than one YAML document")
	}
	r := kubeconfigReader{values: map[string]*yaml.Node{}}
	for _, root := range document.Content {
		r.read("", root)
	}
	if r.err != nil {
		return nil, r.err
	}
	return r.kubeconfig()
}

// kubeconfigReader collects the values of the fields.
type kubeconfigReader struct {
	values map[string]*yaml.Node
	err    *source.Error
}

// fail notes the first error.
func (r *kubeconfigReader) fail(at *yaml.Node, path, format string, args ...any) {
	if r.err == nil {
		r.err = source.Problem(trySession, format, args...)
		r.err.Path = strings.TrimPrefix(path, ".")
		if at != nil {
			r.err.Position = source.Position{Line: at.Line, Column: at.Column}
		}
	}
}

// read goes through the fields. Nothing that is not among those of a session is looked at.
func (r *kubeconfigReader) read(path string, node *yaml.Node) {
	switch {
	case r.err != nil:
	case node.Kind == yaml.ScalarNode && slices.Contains(fieldsOfKubeconfig, path) && path != preferences:
		r.values[path] = node
	case node.Kind == yaml.SequenceNode && isBelow(path+"[]"):
		if len(node.Content) != 1 {
			r.fail(node, path, "has %d items; a session has one", len(node.Content))
			return
		}
		r.read(path+"[]", node.Content[0])
	case node.Kind == yaml.MappingNode && (path == "" || isBelow(path+".") || path == preferences):
		r.mapping(path, node)
	default:
		r.fail(node, path, "is not what kubestep serve writes there")
	}
}

func (r *kubeconfigReader) mapping(path string, node *yaml.Node) {
	seen := map[string]bool{}
	for i := 0; i+1 < len(node.Content); i += 2 {
		key := node.Content[i]
		field := strings.TrimPrefix(path+"."+key.Value, ".")
		switch {
		case key.Kind != yaml.ScalarNode || seen[key.Value]:
			r.fail(key, field, "is a duplicate, or not a name")
		case !slices.Contains(fieldsOfKubeconfig, field) && !isBelow(field+".") && !isBelow(field+"[]"):
			r.fail(key, field, "is not a field that kubestep serve writes; "+
				"kubestep starts no program, reads no file and uses no proxy because a kubeconfig names it")
		default:
			r.read(field, node.Content[i+1])
		}
		seen[key.Value] = true
	}
}

// isBelow reports whether fields of a session begin so.
func isBelow(prefix string) bool {
	return slices.ContainsFunc(fieldsOfKubeconfig, func(field string) bool { return strings.HasPrefix(field, prefix) })
}

// text is the value of a field; empty if it is not there.
func (r *kubeconfigReader) text(field string) string {
	if node := r.values[field]; node != nil {
		return node.Value
	}
	return ""
}

// kubeconfig checks the values, and which of them belong together.
func (r *kubeconfigReader) kubeconfig() (*Kubeconfig, *source.Error) {
	for _, each := range []struct{ field, want string }{
		{versionField, "v1"}, {kindField, "Config"}, {currentField, r.text(contextName)},
		{contextCluster, r.text(clusterName)}, {contextUser, r.text(userName)},
	} {
		if got := r.text(each.field); got != each.want || got == "" {
			r.fail(r.values[each.field], each.field, "is %q, not %q", got, each.want)
		}
	}
	k := &Kubeconfig{Name: r.text(contextName), Server: r.text(serverField), Token: r.text(tokenField)}
	if problem := serverProblem(k.Server); problem != "" {
		r.fail(r.values[serverField], serverField, "%q %s", k.Server, problem)
	}
	if k.Token == "" || strings.ContainsFunc(k.Token, func(c rune) bool { return c <= ' ' || c > '~' }) {
		r.fail(r.values[tokenField], tokenField, "is empty, or no token of kubestep serve")
	}
	var err error
	if k.Authority, err = base64.StdEncoding.DecodeString(r.text(authorityField)); err != nil || k.pool() == nil {
		r.fail(r.values[authorityField], authorityField, "is not a certificate in base64")
	}
	if r.err != nil {
		return nil, r.err
	}
	return k, nil
}

// serverProblem is what is wrong with the address of a server; empty if nothing is.
func serverProblem(server string) string {
	parsed, err := url.Parse(server)
	switch {
	case err != nil || parsed.Scheme != "https" || parsed.Hostname() == "" || parsed.Port() == "":
		return "is not https://HOST:PORT"
	case parsed.User != nil || strings.Trim(parsed.Path, "/") != "" || parsed.RawQuery != "" || parsed.Fragment != "":
		return "has more than a host and a port"
	}
	return ""
}

// pool is the authority; nil if it is not a certificate.
func (k *Kubeconfig) pool() *x509.CertPool {
	pool := x509.NewCertPool()
	if !pool.AppendCertsFromPEM(k.Authority) {
		return nil
	}
	return pool
}

// client is a client that trusts the server's certificate only, and does not go where an answer sends it.
func (k *Kubeconfig) client() *http.Client {
	transport := http.DefaultTransport.(*http.Transport).Clone()
	transport.TLSClientConfig = &tls.Config{RootCAs: k.pool(), MinVersion: tls.VersionTLS12}
	return &http.Client{
		Transport:     transport,
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
}
