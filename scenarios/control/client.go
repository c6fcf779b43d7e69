package control

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"

	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/clientcmd"
)

// Client is a client of this API.
type Client struct {
	http *http.Client
	url  string
}

// ErrForeign means that a server does not have this API, or that the kubeconfig does not have its token.
var ErrForeign = errors.New("this is not a server of kubestep serve, or this kubeconfig does not have its token")

// Connect returns a client for the server in a kubeconfig file; empty is that of the variable KUBECONFIG.
func Connect(kubeconfig string) (*Client, error) {
	rules := clientcmd.NewDefaultClientConfigLoadingRules()
	rules.ExplicitPath = kubeconfig
	config, err := clientcmd.NewNonInteractiveDeferredLoadingClientConfig(rules, nil).ClientConfig()
	if err != nil {
		return nil, err
	}
	client, err := rest.HTTPClientFor(config)
	return &Client{client, strings.TrimSuffix(config.Host, "/")}, err
}

// URL is that of the server.
func (c *Client) URL() string { return c.url }

// ask sends a request.
func (c *Client) ask(ctx context.Context, method, name, value string) (*http.Response, error) {
	address := c.url + path + name
	if value != "" {
		address += "?" + url.Values{"value": {value}}.Encode()
	}
	r, err := http.NewRequestWithContext(ctx, method, address, nil)
	if err != nil {
		return nil, err
	}
	response, err := c.http.Do(r)
	if err != nil {
		return nil, err
	}
	if code := response.StatusCode; code == http.StatusUnauthorized || code == http.StatusNotFound {
		response.Body.Close()
		return nil, ErrForeign
	}
	return response, nil
}

// Move moves time, or takes a step: the names are those of the package comment. An error of the server is that of the State.
func (c *Client) Move(ctx context.Context, name, value string) (State, error) {
	response, err := c.ask(ctx, http.MethodPost, name, value)
	if err != nil {
		return State{}, err
	}
	defer response.Body.Close()
	var state State
	if err := json.NewDecoder(response.Body).Decode(&state); err != nil {
		return State{}, ErrForeign
	}
	return state, nil
}

// Scenario is the session so far.
func (c *Client) Scenario(ctx context.Context) ([]byte, error) {
	response, err := c.ask(ctx, http.MethodGet, "scenario", "")
	if err != nil {
		return nil, err
	}
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	if err == nil && response.StatusCode != http.StatusOK {
		err = errors.New(strings.TrimSpace(string(body)))
	}
	return body, err
}

// Reader gets the lines of the stream of a trace.
type Reader interface {
	Session(Session)
	State(State)
	// Record gets the line of a record.
	Record(line []byte) error
}

// Follow reads the trace until the session ends, which the last State says.
func (c *Client) Follow(ctx context.Context, to Reader) error {
	response, err := c.ask(ctx, http.MethodGet, "trace", "")
	if err != nil {
		return err
	}
	defer response.Body.Close()
	ended := false
	for lines := bufio.NewReaderSize(response.Body, 1<<16); ; {
		line, err := lines.ReadBytes('\n')
		switch {
		case errors.Is(err, io.EOF) && ended:
			return nil
		case err != nil:
			return fmt.Errorf("the session has broken off: %w", err)
		case !bytes.HasPrefix(line, []byte(`{"session":`)) && !bytes.HasPrefix(line, []byte(`{"state":`)):
			if err := to.Record(line); err != nil {
				return err
			}
			continue
		}
		var m message
		if err := json.Unmarshal(line, &m); err != nil {
			return fmt.Errorf("the session sent %.80q: %w", line, err)
		}
		if m.Session != nil {
			to.Session(*m.Session)
		}
		if m.State != nil {
			ended = m.State.Ended
			to.State(*m.State)
		}
	}
}
