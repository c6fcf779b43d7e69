package input

import (
	"bytes"
	"regexp"
	"strings"

	"github.com/kubestep/kubestep/sim/kinds"
)

// Kind is what a file contains.
type Kind int

// The kinds. Unknown is everything else.
const (
	Unknown Kind = iota
	Scenario
	Trace
	Archive
	Dump
	// Definitions are CustomResourceDefinitions in a file that a scenario names. By its content, such a file is a Dump.
	Definitions
	AuditLog
	Results
	// Session is the kubeconfig file that kubestep serve wrote, and Kubeconfig any other one.
	Session
	Kubeconfig
	Page
	Film
	ManPage
	Compressed
)

// SessionMark begins the kubeconfig file of a session.
const SessionMark = "# Written by kubestep serve, which removes it at the end of the session.\n"

// ArchiveMark begins an archive, of whatever version; package archive has the rest of its signature.
const ArchiveMark = "\x89KST"

// FilmMark begins a film (package picture), and PageMark a page (package page) in English.
const (
	FilmMark = `<svg xmlns="http://www.w3.org/2000/svg" data-generator="kubestep"`
	PageMark = "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta name=\"generator\" content=\"kubestep\">"
)

// FilmEnd, PageEnd and ManPageEnd end a film, a page and a man page: a file that continues is not what kubestep wrote.
const (
	FilmEnd    = "</svg>\n"
	PageEnd    = "</html>\n"
	ManPageEnd = ".\\\" The end of the page.\n"
)

// headSize is how much of a file tells its kind.
const headSize = 64 << 10

// Row is what the border knows of a kind.
type Row struct {
	Kind Kind
	// Name is the kind in a sentence, with its article.
	Name string
	// Budget is the size in bytes above which such a file is not read.
	Budget int64
	// Command reads such a file; FILE stands for its name.
	Command string
	// is tells it by the first bytes; nil for a kind that its use tells.
	is func(head []byte) bool
	// end is what such a file ends with; empty if any bytes may be the last ones.
	end string
}

// Rows are the kinds. The first one that fits is that of a file.
//
// A budget is what the largest useful file needs, and what the memory of a laptop holds after it is decoded. That of traces is for
// reading them at once (package recording has the same); audit logs and results are read line by line.
var Rows = []Row{
	{Archive, "a trace", 4 << 30, "kubestep open FILE", func(head []byte) bool { return bytes.HasPrefix(head, []byte(ArchiveMark)) }, ""},
	{Trace, "a trace", 4 << 30, "kubestep open FILE", func(head []byte) bool { return bytes.HasPrefix(head, []byte(`{"seq":`)) }, ""},
	{Results, "the results of a sweep", 4 << 30, "kubestep explore merge with its folder", isResults, ""},
	{AuditLog, "an audit log", 16 << 30, "kubestep init --audit FILE", isAuditLog, ""},
	{Session, "the kubeconfig of a session", 64 << 10, "kubestep open FILE", func(head []byte) bool { return bytes.HasPrefix(head, []byte(SessionMark)) }, ""},
	{Page, "a page of kubestep", 0, "a browser", pageMark.Match, PageEnd},
	{Film, "a film of kubestep", 0, "a browser", func(head []byte) bool { return bytes.HasPrefix(head, []byte(FilmMark)) }, FilmEnd},
	{ManPage, "a man page of kubestep", 0, "man ./FILE", func(head []byte) bool { return bytes.HasPrefix(head, []byte(`.TH KUBESTEP`)) }, ManPageEnd},
	{Compressed, "a file that gzip has compressed", 16 << 30, "gunzip FILE", func(head []byte) bool { return bytes.HasPrefix(head, []byte("\x1f\x8b")) }, ""},
	{Scenario, "a scenario", 32 << 20, "kubestep run FILE", func(head []byte) bool { return hasKind(head, "Scenario") }, ""},
	// Not kubectl, which starts the programs and sends the files that a kubeconfig names.
	{Kubeconfig, "a kubeconfig", 1 << 20, "kubestep step --kubeconfig FILE 5s", isKubeconfig, ""},
	// A definition of etcd's has at most 1.5 MiB, and descriptions count here.
	{Definitions, "CustomResourceDefinitions", 4 << 20, "kubectl apply -f FILE", nil, ""},
	{Dump, "a dump of a cluster", 64 << 20, "kubestep init --from FILE", isDump, ""},
}

// Of is the kind of a file that begins so.
func Of(head []byte) Kind {
	head = head[:min(len(head), headSize)]
	for _, row := range Rows {
		if row.is != nil && row.is(head) {
			return row.Kind
		}
	}
	return Unknown
}

// row is that of the kind; Unknown has none.
func (k Kind) row() Row {
	for _, row := range Rows {
		if row.Kind == k {
			return row
		}
	}
	return Row{Name: "an unknown file"}
}

// String is the kind in a sentence: "a scenario".
func (k Kind) String() string { return k.row().Name }

// Budget is how large a file of the kind may be, in bytes.
func (k Kind) Budget() int64 { return k.row().Budget }

// try is what reads such a file.
func (r Row) try(path string) string { return strings.ReplaceAll(r.Command, "FILE", path) }

// pageMark is PageMark in any language.
var pageMark = regexp.MustCompile("^" + strings.Replace(regexp.QuoteMeta(PageMark), `"en"`, `"[a-z-]+"`, 1))

// topKind finds the kinds of the objects of a file: at the start of a line of YAML, or anywhere in JSON.
var (
	topKind  = regexp.MustCompile(`(?m)^"?kind"?:[ \t]*["']?(\w+)`)
	jsonKind = regexp.MustCompile(`["{,\s]kind"?:\s*"?(\w+)`)
)

// kindsOf are the kinds of the objects that a text begins with.
func kindsOf(head []byte) (found []string) {
	pattern := topKind
	if bytes.HasPrefix(bytes.TrimSpace(head), []byte("{")) {
		pattern = jsonKind
	}
	for _, match := range pattern.FindAllSubmatch(head, -1) {
		found = append(found, string(match[1]))
	}
	return found
}

// hasKind reports whether there is an object of a kind.
func hasKind(head []byte, kind string) bool {
	for _, found := range kindsOf(head) {
		if found == kind {
			return true
		}
	}
	return false
}

// isDump reports whether there are objects of Kubernetes, or of definitions.
func isDump(head []byte) bool {
	if !bytes.Contains(head, []byte("apiVersion")) {
		return false
	}
	for _, found := range kindsOf(head) {
		if strings.HasSuffix(found, "List") || found == "CustomResourceDefinition" || kinds.BuiltIn().Named(strings.ToLower(found)) != nil {
			return true
		}
	}
	return false
}

// ofKubeconfig are the fields that only kubeconfigs have.
var ofKubeconfig = regexp.MustCompile(`(?m)(^|["{,\s])"?(current-context|clusters|contexts)"?:`)

func isKubeconfig(head []byte) bool { return hasKind(head, "Config") && ofKubeconfig.Match(head) }

func isResults(head []byte) bool {
	return bytes.HasPrefix(head, []byte(`{"scenario":`)) && bytes.Contains(firstLine(head), []byte(`"scenarioHash":`))
}

func isAuditLog(head []byte) bool {
	line := firstLine(bytes.TrimSpace(head))
	return bytes.HasPrefix(line, []byte("{")) && bytes.Contains(line, []byte(`"audit.k8s.io/`)) ||
		hasKind(head, "EventList") && bytes.Contains(head, []byte("audit.k8s.io/"))
}

func firstLine(text []byte) []byte {
	line, _, _ := bytes.Cut(text, []byte("\n"))
	return line
}
