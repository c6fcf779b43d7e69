package command

import (
	"github.com/spf13/cobra"

	"github.com/kubestep/kubestep/scenarios/cli"
	web "github.com/kubestep/kubestep/scenarios/web/site"
)

func newWeb(streams cli.Streams) *cobra.Command {
	var options web.Options
	cmd := &cobra.Command{
		Use:   "web",
		Short: "Serve the playground: kubestep in a browser",
		Long: `Serve the playground: kubestep in a browser.

In the playground, you edit a scenario and run it in the browser, with the real controllers of
kube-controller-manager compiled to WebAssembly. The server only serves files; scenarios never leave the
browser. make web builds the files.

The server listens on this machine only, unless you name another address with --listen, and ends
with Ctrl-C.`,
		Example: `  kubestep web
  kubestep web --listen 0.0.0.0:8080    # for everybody in this network`,
		Args: cli.NoArguments,
		RunE: func(cmd *cobra.Command, _ []string) error { return web.Serve(cmd.Context(), streams, options) },
	}
	cmd.Flags().StringVar(&options.Listen, "listen", web.Loopback, "listen on this `ADDRESS`, HOST:PORT; port 0 is a free one")
	cmd.Flags().StringVar(&options.Dir, "dir", "", "serve this `FOLDER` that make web has built (default the folder web beside the program)")
	return cmd
}
