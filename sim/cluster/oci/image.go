package oci

// Image is what a container with an image runs.
type Image struct {
	// Main runs the first process of a container, and every command in it: Args has the name.
	Main Main
	// Entrypoint and Command are those of the image, for containers without a command of their own.
	Entrypoint, Command []string
	// Files are the names of files that a container has from its image. They are empty.
	Files []string
}

// Line is the command line of a container with the image.
func (i Image) Line(command, arguments []string) []string {
	switch {
	case len(command) > 0:
		return append(append([]string{}, command...), arguments...)
	case len(arguments) > 0:
		return append(append([]string{}, i.Entrypoint...), arguments...)
	}
	return append(append([]string{}, i.Entrypoint...), i.Command...)
}
