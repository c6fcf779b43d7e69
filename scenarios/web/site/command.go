// Package web is kubestep web: it serves the playground, the folder that make web builds. In the playground kubestep runs
// in a browser (scenarios/web/playground), so the server only hands out files.
package web

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/spf13/cobra"

	"github.com/kubestep/kubestep/scenarios/cli"
	"github.com/kubestep/kubestep/scenarios/web/internal/serve"
)

// Command is kubestep web.
func Command(streams cli.Streams) *cobra.Command {
	listen, dir := serve.Loopback, ""
	cmd := &cobra.Command{
		Use:   "web",
		Short: "Serve the playground: kubestep in a browser",
		Long: `Serve the playground: kubestep in a browser.

In the playground one edits a scenario and runs it in the browser, with the real controllers of
kube-controller-manager compiled to WebAssembly. The server only hands out files: nothing that a
reader of the page does reaches this machine. make web builds the files.

The server listens on this machine only, unless you name another address with --listen, and ends
with Ctrl-C.`,
		Example: `  kubestep web
  kubestep web --listen 0.0.0.0:8080    # for everybody in this network`,
		Args: cli.NoArguments,
		RunE: func(cmd *cobra.Command, _ []string) error { return run(cmd.Context(), streams, listen, dir) },
	}
	cmd.Flags().StringVar(&listen, "listen", listen, "listen on this `ADDRESS`, HOST:PORT; port 0 is a free one")
	cmd.Flags().StringVar(&dir, "dir", "", "serve this `FOLDER` that make web has built (default the folder web beside the program)")
	return cmd
}

func run(ctx context.Context, streams cli.Streams, listen, dir string) error {
	if dir == "" {
		program, err := os.Executable()
		if err != nil {
			return err
		}
		dir = filepath.Join(filepath.Dir(program), "web")
	}
	site, err := open(dir)
	if err != nil {
		return err
	}
	defer site.root.Close()
	listener, names, err := serve.Listen(ctx, listen)
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

// open opens the folder of a site, which must be complete.
func open(dir string) (*site, error) {
	const build = "make web, or --dir with the folder that it has built"
	root, err := os.OpenRoot(dir)
	if os.IsNotExist(err) {
		return nil, cli.Usage("the playground is not built: there is no folder "+dir, build)
	}
	if err != nil {
		return nil, cli.Usage("--dir: "+err.Error(), build)
	}
	s := &site{root: root}
	for _, name := range []string{"index.html", "engine.json", "worker.js"} {
		if _, err := root.Stat(name); err != nil {
			root.Close()
			return nil, cli.Usage(dir+" is not a playground: it has no "+name, build)
		}
	}
	return s, nil
}
