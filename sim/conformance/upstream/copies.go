package upstream

// Copies say what is copied, and what changes in it.
type Copies struct {
	// Module is the path of the module of the copies.
	Module string
	// Copied are the import paths of packages that are copied if something that is copied imports them; with a slash at the end, those
	// below it.
	Copied []string
	// Kept are exceptions from these.
	Kept []string
	// Rewrites are the imports that are replaced, in every file that is copied.
	Rewrites map[string]string

	// changes are those of each package.
	changes map[string]change
	// bubble replaces channels that exist before the bubble.
	bubble bool
}

// newCopier returns one that has copied nothing yet.
func newCopier(sources Sources, into string, copies Copies) *copier {
	return &copier{Copies: copies, sources: sources, into: into, done: map[string]bool{}, written: map[string]bool{}}
}

// Function is a function of a copied package that is replaced.
type Function struct {
	// Package is the import path, and Name the function's name, behind its receiver if it has one: (b KubectlBuilder) Exec.
	Package, Name string
	// Text is a Go file that declares the function in place of that.
	Text []byte
}

// WriteProgram writes a program that imports upstream's packages to the folder into, as a module: its package main is the Go file main,
// and the packages that it imports are copies, with other functions in place of some. root is the folder of kubestep, and file its module
// file.
func WriteProgram(sources Sources, root, file, into string, main []byte, copies Copies, functions ...Function) error {
	copies.changes = map[string]change{}
	for _, f := range functions {
		copies.changes[f.Package] = change{functions: []string{f.Name}, insert: f.Text}
	}
	c := newCopier(sources, into, copies)
	if err := c.writeModule(root, file); err != nil {
		return err
	}
	text, _, err := c.rewrite("main.go", main)
	if err != nil {
		return err
	}
	if err := c.write("main.go", text); err != nil {
		return err
	}
	if err := c.copyWanted(); err != nil {
		return err
	}
	return c.removeOthers()
}
