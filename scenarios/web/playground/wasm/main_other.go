//go:build !(js && wasm)

package main

import (
	"fmt"
	"os"
)

// main lets go build ./... pass: this program has nothing to do outside of a browser.
func main() {
	fmt.Fprintln(os.Stderr, "Error: this program runs in a browser only\nTry: make web")
	os.Exit(2)
}
