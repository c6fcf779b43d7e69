package merging

import (
	"bytes"
	"io"
	"reflect"
	"regexp"
	"slices"
	"strings"

	"gopkg.in/yaml.v3"

	"github.com/kubestep/kubestep/scenarios/language/source"
	"github.com/kubestep/kubestep/scenarios/serving/control"
)

// lists are the lists of a kubeconfig file, and current is the key of the context that clients use.
var lists = []string{"clusters", "users", contexts}

const (
	contexts = "contexts"
	current  = "current-context"
)

// elsewhere is what helps if a file cannot be changed.
const elsewhere = "without --merge-kubeconfig, and the export command that kubestep serve prints"

// document is a kubeconfig file as lines, with the tree that says where things are.
type document struct {
	lines []string
	root  *yaml.Node
}

// parse reads a file. An empty one is an empty mapping.
func parse(text []byte) (*document, error) {
	if err := source.TextOnly(text); err != nil {
		return nil, problem(elsewhere, "is not a text: %s", err.Message)
	}
	var tree yaml.Node
	decoder := yaml.NewDecoder(bytes.NewReader(text))
	switch err := source.DecodeNode(decoder, &tree); {
	case err == io.EOF:
		tree.Content = []*yaml.Node{{Kind: yaml.MappingNode, Column: 1}}
	case err != nil:
		return nil, problem("to correct it: kubectl config view", "is not YAML: %v", err)
	case source.DecodeNode(decoder, &yaml.Node{}) != io.EOF:
		return nil, problem(elsewhere, "has more than one document")
	}
	root := tree.Content[0]
	isBlock := root.Kind == yaml.MappingNode && root.Style&yaml.FlowStyle == 0 && root.Column == 1
	if !isBlock || len(root.Content) == 0 && len(bytes.TrimSpace(text)) > 0 {
		return nil, problem(elsewhere, "is not written as block mappings, so no lines can be added to it")
	}
	whole := string(text)
	if whole != "" && !strings.HasSuffix(whole, "\n") {
		whole += "\n"
	}
	return &document{strings.SplitAfter(whole, "\n"), root}, nil
}

// find is the line of a key, counted from 1, and its value; 0 if there is none.
func (d *document) find(key string) (line int, value *yaml.Node) {
	for i := 0; i+1 < len(d.root.Content); i += 2 {
		if d.root.Content[i].Value == key {
			return d.root.Content[i].Line, d.root.Content[i+1]
		}
	}
	return 0, nil
}

// text is the file.
func (d *document) text() []byte { return []byte(strings.Join(d.lines, "")) }

// splice replaces lines from a line on, counted from 1.
func (d *document) splice(line, count int, text string) {
	d.lines = slices.Replace(d.lines, line-1, line-1+count, text)
}

// emptyValue is the line of a list without items.
var emptyValue = regexp.MustCompile(`^([a-z-]+):[ \t]*(\[\]|null|~|"")?[ \t]*\r?\n$`)

// with is a file with a session as its current context.
func with(text []byte, k control.Kubeconfig) ([]byte, error) {
	d, err := parse(text)
	if err != nil {
		return nil, err
	}
	if len(d.root.Content) == 0 {
		d.lines = append(d.lines, "apiVersion: v1\nkind: Config\n")
	}
	// From the end of the file to its beginning, lines keep their numbers; what is missing is added at the end.
	entries := k.Entries()
	for i := range entries {
		if entries[i].Key == contexts {
			entries[i].Text += extension(d.earlier())
		}
	}
	slices.SortFunc(entries, func(a, b control.Entry) int {
		lineA, _ := d.find(a.Key)
		lineB, _ := d.find(b.Key)
		return lineB - lineA
	})
	var missing string
	for _, entry := range entries {
		line, value := d.find(entry.Key)
		switch {
		case line == 0:
			missing += entry.Key + ":\n" + entry.Text
		case value.Kind == yaml.SequenceNode && value.Style&yaml.FlowStyle == 0 && len(value.Content) > 0:
			d.splice(value.Line, 0, indented(entry.Text, value.Column-1))
		case emptyValue.MatchString(d.lines[line-1]):
			d.splice(line, 1, entry.Key+":\n"+entry.Text)
		default:
			return nil, problem(elsewhere, "has a list %s that is not written as lines, so no lines can be added to it", entry.Key)
		}
	}
	d.lines = append(d.lines, missing)
	out, err := withCurrent(d.text(), k.Name)
	if err != nil {
		return nil, err
	}
	if _, err := parse(out); err != nil {
		return nil, err
	}
	return out, same(text, out, k.Name)
}

// extensionName is that of the extension of a context with the contexts that were the current one before, the last one first. client-go
// keeps extensions as they are.
const extensionName = "previous-contexts.kubestep.dev"

// extension is that of a context, as lines of its item.
func extension(earlier []string) string {
	if len(earlier) == 0 {
		return ""
	}
	text := "    extensions:\n    - name: " + extensionName + "\n      extension:\n        names:\n"
	for _, name := range earlier {
		text += "        - " + quoted(name) + "\n"
	}
	return text
}

// earlier are the contexts that are to become the current one again, the first one that is there then: the current one, and those of its
// extension.
func (d *document) earlier() []string {
	_, value := d.find(current)
	if value == nil || value.Kind != yaml.ScalarNode || value.Value == "" {
		return nil
	}
	return append([]string{value.Value}, d.noted(value.Value)...)
}

// noted are the names in the extension of a context.
func (d *document) noted(context string) []string {
	var item struct {
		Context struct {
			Extensions []struct {
				Name      string
				Extension struct{ Names []string }
			}
		}
	}
	if node := d.item(contexts, context); node == nil || node.Decode(&item) != nil {
		return nil
	}
	for _, e := range item.Context.Extensions {
		if e.Name == extensionName {
			return e.Extension.Names
		}
	}
	return nil
}

// item is that of a name in a list; nil if there is none.
func (d *document) item(list, name string) *yaml.Node {
	_, value := d.find(list)
	if value == nil || value.Kind != yaml.SequenceNode {
		return nil
	}
	for _, item := range value.Content {
		if field := source.Field(item, "name"); field != nil && field.Value == name {
			return item
		}
	}
	return nil
}

func indented(text string, columns int) string {
	indent := strings.Repeat(" ", columns)
	return indent + strings.ReplaceAll(strings.TrimSuffix(text, "\n"), "\n", "\n"+indent) + "\n"
}

// currentLine is the line of the current context: its key, its value and a comment.
var currentLine = regexp.MustCompile(`^(current-context:[ \t]*)(.*?)([ \t]+#.*|[ \t]*)(\r?\n)$`)

// withCurrent is a file with another current context.
func withCurrent(text []byte, name string) ([]byte, error) {
	d, err := parse(text)
	if err != nil {
		return nil, err
	}
	line, value := d.find(current)
	if line == 0 {
		d.lines = append(d.lines, current+": "+quoted(name)+"\n")
		return d.text(), nil
	}
	parts := currentLine.FindStringSubmatch(d.lines[line-1])
	if parts == nil || value.Kind != yaml.ScalarNode {
		return nil, problem(elsewhere, "has a %s that is not written in one line", current)
	}
	if parts[1] == current+":" {
		parts[1] += " "
	}
	d.splice(line, 1, parts[1]+quoted(name)+parts[3]+parts[4])
	return d.text(), nil
}

// quoted is a name as YAML.
func quoted(name string) string {
	out, err := yaml.Marshal(name)
	if err != nil {
		return `""`
	}
	return strings.TrimSuffix(string(out), "\n")
}

// without is a file without the items of a name, and with the current context of before, if it is that of the name. If they must be ours,
// those that kubestep serve did not write are an error.
func without(text []byte, name string, ours bool) ([]byte, error) {
	d, err := parse(text)
	if err != nil {
		return nil, err
	}
	var found []*yaml.Node
	emptied := map[string]bool{}
	for _, key := range lists {
		_, value := d.find(key)
		if value == nil || value.Kind != yaml.SequenceNode {
			continue
		}
		before := len(found)
		for _, item := range value.Content {
			if field := source.Field(item, "name"); field != nil && field.Value == name {
				if ours && !isOurs(key, item) || value.Style&yaml.FlowStyle != 0 || item.Kind != yaml.MappingNode {
					return nil, problem("--name with another name", "has %s in the list %s, which kubestep serve did not write", name, key)
				}
				found = append(found, item)
			}
		}
		emptied[key] = len(value.Content) > 0 && len(value.Content) == len(found)-before
	}
	if len(found) == 0 {
		return text, nil
	}
	slices.SortFunc(found, func(a, b *yaml.Node) int { return b.Line - a.Line })
	for _, item := range found {
		d.splice(item.Line, lastLine(item)-item.Line+1, "")
		for range lastLine(item) - item.Line {
			d.lines = slices.Insert(d.lines, item.Line, "") // lines keep their numbers
		}
	}
	for _, key := range lists {
		if line, _ := d.find(key); emptied[key] {
			d.splice(line, 1, key+": []\n")
		}
	}
	out, err := d.restored(d.text(), name)
	if err != nil {
		return nil, err
	}
	return out, same(text, out, name)
}

// restored is the text of the file without a context, whose current context is the first of those of before that is still there, if it
// was the one that is gone.
func (d *document) restored(text []byte, gone string) ([]byte, error) {
	if _, value := d.find(current); value == nil || value.Value != gone {
		return text, nil
	}
	for _, name := range d.noted(gone) {
		if name != gone && d.item(contexts, name) != nil {
			return withCurrent(text, name)
		}
	}
	return withCurrent(text, "")
}

// ourFields are those that an item of a list has if kubestep serve wrote it; kubectl adds the namespace.
var ourFields = map[string][]string{
	"clusters": {"certificate-authority-data", "server"}, "users": {"token"}, contexts: {"cluster", "user", "namespace", "extensions"},
}

// isOurs reports whether an item of a list has only what kubestep serve writes.
func isOurs(list string, item *yaml.Node) bool {
	of := source.Field(item, strings.TrimSuffix(list, "s"))
	if of == nil || len(item.Content) != 4 || of.Kind != yaml.MappingNode {
		return false
	}
	for i := 0; i < len(of.Content); i += 2 {
		if !slices.Contains(ourFields[list], of.Content[i].Value) {
			return false
		}
	}
	return true
}

// lastLine is the last line that a value has.
func lastLine(node *yaml.Node) int {
	last := node.Line
	for _, below := range node.Content {
		last = max(last, lastLine(below))
	}
	return last
}

// same fails if two files differ in more than the items of a name and the current context.
func same(before, after []byte, name string) error {
	a, err := rest(before, name)
	if err != nil {
		return err
	}
	b, err := rest(after, name)
	if err == nil && !reflect.DeepEqual(a, b) {
		err = problem(elsewhere, "cannot be changed without changing what others have in it")
	}
	return err
}

// rest is what a file has beside the items of a name and the current context.
func rest(text []byte, name string) (map[string]any, error) {
	all := map[string]any{}
	if err := yaml.Unmarshal(text, &all); err != nil {
		return nil, problem(elsewhere, "is not YAML: %v", err)
	}
	delete(all, current)
	if all["apiVersion"] == "v1" {
		delete(all, "apiVersion")
	}
	if all["kind"] == "Config" {
		delete(all, "kind")
	}
	for _, key := range lists {
		items, _ := all[key].([]any)
		items = slices.DeleteFunc(items, func(item any) bool {
			fields, _ := item.(map[string]any)
			return fields["name"] == name
		})
		if len(items) == 0 {
			delete(all, key)
		} else {
			all[key] = items
		}
	}
	return all, nil
}
