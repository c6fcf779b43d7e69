//go:build !unix

package input

const nonblocking = 0
