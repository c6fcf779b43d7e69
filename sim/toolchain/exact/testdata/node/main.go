// Node prints what a program of a node sees of the machine when exact.SetMachine says that its caller is one: all experiments, or the one
// that the second argument names. The first one is a seed, of which nothing here is a function.
//
// The files of the node are those below /node, which are in a temporary folder.
package main

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"runtime"
	"strings"

	"github.com/kubestep/kubestep/sim/toolchain/exact"
)

var errOurs = errors.New("the machine of the node answers")

// experiments print what they see, by their names in the list of edits. The folder of the node has the file one, the folder sub, and the
// link to, which leads to one.
var experiments = []struct {
	name string
	run  func() any
}{
	{"dials", func() any {
		_, err := (&net.Dialer{}).DialContext(context.Background(), "tcp", "127.0.0.1:1")
		return errors.Is(err, errOurs)
	}},
	{"addresses", func() any {
		addresses, err := net.InterfaceAddrs()
		return fmt.Sprint(addresses, err)
	}},
	{"opened files", func() any {
		file, err := os.Open("/node/one")
		if err != nil {
			return err
		}
		defer file.Close()
		return file.Name()
	}},
	{"folders", func() any {
		entries, err := os.ReadDir("/node/sub")
		return fmt.Sprint(len(entries), err)
	}},
	{"files", func() any {
		info, err := os.Stat("/node/one")
		return fmt.Sprint(info != nil && info.Size() == 3, err)
	}},
	{"links", func() any {
		info, err := os.Lstat("/node/to")
		return fmt.Sprint(info != nil && info.Mode()&os.ModeSymlink != 0, err)
	}},
	{"made folders", func() any { return os.Mkdir("/node/made", 0o700) }},
	{"removed files", func() any { return os.Remove("/node/one") }},
	{"removed folders", func() any { return os.Remove("/node/sub") }},
	{"renamed files", func() any { return os.Rename("/node/one", "/node/two") }},
	{"made links", func() any { return os.Symlink("one", "/node/link") }},
	{"read links", func() any {
		to, err := os.Readlink("/node/to")
		return to + " " + fmt.Sprint(err)
	}},
	{"modes", func() any { return os.Chmod("/node/one", 0o644) }},
	{"owners", func() any { return os.Lchown("/node/one", os.Getuid(), os.Getgid()) }},
	{"exits", func() any {
		done := make(chan struct{})
		go func() {
			defer close(done)
			os.Exit(7)
		}()
		<-done
		return nil
	}},
}

func main() {
	folder, err := os.MkdirTemp("", "node")
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(folder)
	_, done := exact.SetMachine(exact.Machine{
		Dial:      func(context.Context, string, string) (net.Conn, bool, error) { return nil, true, errOurs },
		Addresses: func() ([]net.Addr, bool) { return []net.Addr{&net.IPAddr{IP: net.IPv4(192, 168, 0, 1)}}, true },
		File: func(name string) string {
			if rest, found := strings.CutPrefix(name, "/node/"); found {
				return filepath.Join(folder, rest)
			}
			return name
		},
		Exit: func(code int) {
			if code == 7 {
				fmt.Println("exits with", code)
				runtime.Goexit()
			}
		},
	})
	fmt.Println("exact", done)
	for _, e := range experiments {
		if len(os.Args) < 3 || os.Args[2] == e.name {
			prepare(folder)
			fmt.Println(e.name+":", e.run())
		}
	}
}

// prepare makes what the experiments find.
func prepare(folder string) {
	for _, err := range []error{
		os.RemoveAll(folder), os.MkdirAll(filepath.Join(folder, "sub"), 0o700),
		os.WriteFile(filepath.Join(folder, "one"), []byte("one"), 0o600), os.Symlink("one", filepath.Join(folder, "to")),
	} {
		if err != nil {
			panic(err)
		}
	}
}
