// Package web is kubestep web: it serves the playground, the folder that make web builds. In the playground kubestep runs
// in a browser (scenarios/web/playground), so the server only hands out files.
package web

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/kubestep/kubestep/scenarios/cli"
	"github.com/kubestep/kubestep/scenarios/web/internal/serve"
)

// Listen is the address by default: a free port of this machine.
const Loopback = serve.Loopback

// Options are how the playground is served.
type Options struct {
	// Listen is the address, HOST:PORT; port 0 is a free one.
	Listen string
	// Dir is the folder that make web has built; "" is the folder web beside the program.
	Dir string
}

// Serve serves the playground until the context or a signal ends it. A folder that is not a playground, and an address that cannot
// be used, are a *cli.UsageError.
func Serve(ctx context.Context, streams cli.Streams, options Options) error {
	site, err := Open(options.Dir, "--dir")
	if err != nil {
		return err
	}
	defer site.Close()
	listener, names, err := serve.Listen(ctx, options.Listen)
	if err != nil {
		return err
	}
	for _, name := range names {
		fmt.Fprintf(streams.Out, "The playground is at http://%s/\n", name)
	}
	fmt.Fprintln(streams.Out, "Ctrl-C ends the server.")
	// The engine takes a while over a slow network.
	return serve.Until(ctx, listener, site, 10*time.Minute)
}

// Open opens the folder of a playground, which must be complete; "" is the folder web beside the program. The flag is the one that
// names the folder. A folder that is not a playground is a *cli.UsageError.
func Open(dir, flag string) (*Site, error) {
	if dir == "" {
		program, err := os.Executable()
		if err != nil {
			return nil, err
		}
		dir = filepath.Join(filepath.Dir(program), "web")
	}
	build := "make web, or " + flag + " with the folder that it has built"
	root, err := os.OpenRoot(dir)
	if os.IsNotExist(err) {
		return nil, cli.Usage("the playground is not built: there is no folder "+dir, build)
	}
	if err != nil {
		return nil, cli.Usage(flag+": "+err.Error(), build)
	}
	for _, name := range []string{"index.html", "engine.json", "worker.js"} {
		if _, err := root.Stat(name); err != nil {
			root.Close()
			return nil, cli.Usage(dir+" is not a playground: it has no "+name, build)
		}
	}
	return &Site{root}, nil
}
