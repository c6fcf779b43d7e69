package serving

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/clientcmd"

	"github.com/kubestep/kubestep/scenarios/command"
	"github.com/kubestep/kubestep/scenarios/interrupt"
	"github.com/kubestep/kubestep/scenarios/output"
)

func newStep(streams command.Streams) *cobra.Command {
	kubeconfig := ""
	cmd := &cobra.Command{
		Use:   "step DURATION|COMMAND",
		Short: "Move the virtual time of a simulation that kubestep serve runs",
		Long: `Move the virtual time of a simulation that kubestep serve runs in another terminal.

  step 5s               let 5 virtual seconds pass, as fast as possible
  step until CONDITION  let time pass until a CEL condition holds, as in the steps of a scenario
  step pause            let time stand still
  step speed 60         let 60 virtual seconds pass in a second
  step until-quiet      let time pass after each write until nothing is due
  step save PATH        write the session so far as a scenario

The command finds the server through the kubeconfig file, as kubectl does.`,
		Example: `  kubestep step 5s
  kubestep step until "deployment('web').status.availableReplicas == 3"`,
		Args: func(_ *cobra.Command, args []string) error {
			_, _, err := parse(args)
			return err
		},
		RunE: func(_ *cobra.Command, args []string) error {
			name, value, err := parse(args)
			if err != nil {
				return err
			}
			s, err := connect(kubeconfig)
			if err != nil {
				return err
			}
			if name == "save" {
				return s.save(streams, value)
			}
			return s.move(streams, name, value)
		},
	}
	cmd.Flags().StringVar(&kubeconfig, "kubeconfig", "", "use the kubeconfig file `PATH` instead of that in KUBECONFIG")
	return cmd
}

// parse reads the arguments: what to do, and with what.
func parse(args []string) (name, value string, err error) {
	wrong := &command.UsageError{Message: "step needs a duration or a command", Try: "kubestep step 5s"}
	if len(args) == 0 {
		return "", "", wrong
	}
	name = args[0]
	switch values := len(args) - 1; {
	case (name == "pause" || name == "until-quiet") && values == 0:
		return name, "", nil
	case (name == "until" || name == "speed" || name == "save") && values == 1:
		return name, args[1], nil
	case name == "until" || name == "speed" || name == "save":
		wrong.Message = "step " + name + " needs one value"
		wrong.Try = map[string]string{
			"until": `kubestep step until "size(pods()) == 3"`, "speed": "kubestep step speed 60", "save": "kubestep step save session.yaml",
		}[name]
		return "", "", wrong
	}
	if span, err := time.ParseDuration(name); err == nil && span > 0 && len(args) == 1 {
		return "step", name, nil
	}
	wrong.Message = fmt.Sprintf("%q is neither a duration nor a command", strings.Join(args, " "))
	return "", "", wrong
}

// remote is the server of a session.
type remote struct {
	client *http.Client
	url    string
}

// connect finds the server.
func connect(kubeconfig string) (*remote, error) {
	rules := clientcmd.NewDefaultClientConfigLoadingRules()
	rules.ExplicitPath = kubeconfig
	config, err := clientcmd.NewNonInteractiveDeferredLoadingClientConfig(rules, nil).ClientConfig()
	if err == nil {
		var client *http.Client
		if client, err = rest.HTTPClientFor(config); err == nil {
			return &remote{client, config.Host}, nil
		}
	}
	return nil, &command.UsageError{Message: err.Error(), Try: "the export command that kubestep serve printed"}
}

// ask sends a request.
func (s *remote) ask(method, name, value string) (body []byte, code int, err error) {
	ctx, stop := interrupt.Context()
	defer stop()
	address := strings.TrimSuffix(s.url, "/") + controlPath + name
	if value != "" {
		address += "?" + url.Values{"value": {value}}.Encode()
	}
	r, err := http.NewRequestWithContext(ctx, method, address, nil)
	if err != nil {
		return nil, 0, err
	}
	response, err := s.client.Do(r)
	if err != nil {
		if context.Cause(ctx) != nil {
			return nil, 0, interrupt.Cause(ctx)
		}
		return nil, 0, &command.UsageError{Message: err.Error(), Try: "kubestep serve FILE"}
	}
	defer response.Body.Close()
	body, err = io.ReadAll(response.Body)
	return body, response.StatusCode, err
}

// move moves time, and prints where it is.
func (s *remote) move(streams command.Streams, name, value string) error {
	body, code, err := s.ask(http.MethodPost, name, value)
	if err != nil {
		return err
	}
	var now state
	if err := json.Unmarshal(body, &now); err != nil || code == http.StatusNotFound || code == http.StatusUnauthorized {
		return &command.UsageError{
			Message: s.url + " is not a server of kubestep serve, or this kubeconfig does not have its token",
			Try:     "the export command that kubestep serve printed",
		}
	}
	if now.Error != "" {
		return &command.UsageError{Message: now.Error, Try: "kubestep step --help"}
	}
	how := fmt.Sprintf("speed %v", now.Speed)
	switch {
	case now.UntilQuiet:
		how = "until quiet"
	case now.Speed == 0:
		how = "paused"
	}
	fmt.Fprintf(streams.Out, "virtual time %.3fs (%s)\n", now.Seconds, how)
	return nil
}

// save writes the session so far.
func (s *remote) save(streams command.Streams, path string) error {
	body, code, err := s.ask(http.MethodGet, "scenario", "")
	if err != nil {
		return err
	}
	if code != http.StatusOK {
		return &command.UsageError{Message: "the server does not have the session: " + http.StatusText(code), Try: "kubestep serve FILE"}
	}
	if err := output.WriteFile(path, body); err != nil {
		return err
	}
	fmt.Fprintf(streams.Out, "wrote %s; next: kubestep run %s\n", path, path)
	return nil
}
