//go:build !unix

package output

const (
	notThroughLinks = 0
	nonblocking     = 0
)
