package teach

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"time"

	"github.com/spf13/cobra"

	"github.com/kubestep/kubestep/scenarios/command"
	"github.com/kubestep/kubestep/tui/export"
)

// Command is kubestep teach.
func Command(streams command.Streams) *cobra.Command {
	listen := "127.0.0.1:0"
	cmd := &cobra.Command{
		Use:   "teach FILE",
		Short: "Let a class follow a lesson in their browsers, and vote on its questions",
		Long: `Let a class follow a lesson in their browsers, and vote on its questions.

FILE is a scenario file, the name of a scenario that comes with kubestep, or a trace. kubestep prints
two addresses: one for the class, which follows, and one for you. While a question is open, you see how
many have answered, and after it what they answered.

The server listens on this machine only, unless you name another address with --listen. Students need
the code that is part of their address. Nothing is stored, and the server ends with Ctrl-C.`,
		Example: `  kubestep teach create
  kubestep teach create --listen 0.0.0.0:8080    # for everybody in this network`,
		Args: command.OneScenario,
		RunE: func(cmd *cobra.Command, args []string) error {
			return run(cmd.Context(), streams, args[0], listen)
		},
	}
	cmd.Flags().StringVar(&listen, "listen", listen, "listen on this `ADDRESS`, HOST:PORT; port 0 is a free one")
	return cmd
}

func run(ctx context.Context, streams command.Streams, file, listen string) error {
	host, _, err := net.SplitHostPort(listen)
	if err != nil {
		return &command.UsageError{Message: "--listen: " + err.Error(), Try: "--listen 0.0.0.0:8080"}
	}
	lesson, err := export.Lesson(ctx, streams, file)
	if err != nil {
		return err
	}
	s, err := newServer(lesson)
	if err != nil {
		return err
	}
	listener, err := new(net.ListenConfig).Listen(ctx, "tcp", listen)
	if err != nil {
		return &command.UsageError{Message: "--listen: " + err.Error(), Try: "--listen " + net.JoinHostPort(host, "0")}
	}
	port := fmt.Sprint(listener.Addr().(*net.TCPAddr).Port)
	for _, address := range addresses(host) {
		fmt.Fprintf(streams.Out, "The class opens  http://%s/?code=%s\n", net.JoinHostPort(address, port), s.code)
	}
	fmt.Fprintf(streams.Out, "You open         http://%s/present?key=%s\n", net.JoinHostPort(addresses(host)[0], port), s.key)
	fmt.Fprintln(streams.Out, "Ctrl-C ends the class.")
	server := &http.Server{
		Handler: s.handler(), ReadHeaderTimeout: 5 * time.Second, ReadTimeout: 10 * time.Second, WriteTimeout: wait + 10*time.Second,
		IdleTimeout: time.Minute, MaxHeaderBytes: 16 << 10,
	}
	go func() {
		<-ctx.Done()
		server.Close()
	}()
	if err := server.Serve(listener); !errors.Is(err, http.ErrServerClosed) {
		return fmt.Errorf("the server failed: %w", err)
	}
	return nil
}

// addresses are those under which others reach this machine: the host itself or, if it means all, those of its networks.
func addresses(host string) []string {
	if ip := net.ParseIP(host); host != "" && (ip == nil || !ip.IsUnspecified()) {
		return []string{host}
	}
	var list []string
	all, _ := net.InterfaceAddrs()
	for _, a := range all {
		if ip, ok := a.(*net.IPNet); ok && ip.IP.IsGlobalUnicast() {
			list = append(list, ip.IP.String())
		}
	}
	return append(list, "127.0.0.1")
}
