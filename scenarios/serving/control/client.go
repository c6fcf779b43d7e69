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
	"time"

	"github.com/kubestep/kubestep/sim/trace/file/input"
)

// Client is a client of this API.
type Client struct {
	http *http.Client
	to   *Kubeconfig
}

// ErrForeign means that a server does not have this API, or that the kubeconfig does not have its token.
var ErrForeign = errors.New("this is not a server of kubestep serve, or this kubeconfig does not have its token")

// Connect returns a client for the server in a kubeconfig file.
func Connect(kubeconfig string) (*Client, error) {
	to, err := ReadKubeconfig(kubeconfig)
	if err != nil {
		return nil, err
	}
	return &Client{to.client(), to}, nil
}

// URL is that of the server.
func (c *Client) URL() string { return strings.TrimSuffix(c.to.Server, "/") }

// UnreachableError means that nobody answers at the address of a session, or not to the end.
type UnreachableError struct {
	URL string
	Err error
}

// Error implements error.
func (e *UnreachableError) Error() string {
	reason := e.Err
	var request *url.Error
	if errors.As(e.Err, &request) {
		reason = request.Err // without the method and the path
	}
	return fmt.Sprintf("the session at %s does not answer: %v", e.URL, reason)
}

// Unwrap returns the error of the connection.
func (e *UnreachableError) Unwrap() error { return e.Err }

// ask sends a request.
func (c *Client) ask(ctx context.Context, method, name string, parameters url.Values) (*http.Response, error) {
	address := c.URL() + path + name
	if len(parameters) > 0 {
		address += "?" + parameters.Encode()
	}
	r, err := http.NewRequestWithContext(ctx, method, address, nil)
	if err != nil {
		return nil, err
	}
	r.Header.Set("Authorization", "Bearer "+c.to.Token)
	response, err := c.http.Do(r)
	if err != nil {
		return nil, &UnreachableError{c.URL(), err}
	}
	if code := response.StatusCode; code == http.StatusUnauthorized || code == http.StatusNotFound {
		response.Body.Close()
		return nil, ErrForeign
	}
	return response, nil
}

// Move moves time, or takes a step: the names are those of the package comment. An error of the server is that of the State.
func (c *Client) Move(ctx context.Context, name, value string) (State, error) {
	return c.move(ctx, name, url.Values{"value": {value}})
}

// Until lets time pass until a condition is true, for timeout of virtual time at most.
func (c *Client) Until(ctx context.Context, condition string, timeout time.Duration) (State, error) {
	return c.move(ctx, "until", url.Values{"value": {condition}, "timeout": {timeout.String()}})
}

func (c *Client) move(ctx context.Context, name string, parameters url.Values) (State, error) {
	response, err := c.ask(ctx, http.MethodPost, name, parameters)
	if err != nil {
		return State{}, err
	}
	defer response.Body.Close()
	var state State
	if err := json.NewDecoder(io.LimitReader(response.Body, lineMax)).Decode(&state); err != nil {
		return State{}, ErrForeign
	}
	return state, nil
}

// About says what the session is of, and where it is.
func (c *Client) About(ctx context.Context) (Session, State, error) {
	response, err := c.ask(ctx, http.MethodGet, "session", nil)
	if err != nil {
		return Session{}, State{}, err
	}
	defer response.Body.Close()
	var m message
	if err := json.NewDecoder(io.LimitReader(response.Body, lineMax)).Decode(&m); err != nil || m.Session == nil || m.State == nil {
		return Session{}, State{}, ErrForeign
	}
	return *m.Session, *m.State, nil
}

// Scenario is the session so far, which counts as saved then.
func (c *Client) Scenario(ctx context.Context) ([]byte, error) { return c.scenario(ctx, nil) }

// Past is the session so far, for a branch of it.
func (c *Client) Past(ctx context.Context) ([]byte, error) {
	return c.scenario(ctx, url.Values{purpose: {forBranch}})
}

// The scenario of a session is asked for to keep it, or for a branch.
const (
	purpose   = "for"
	forBranch = "branch"
)

func (c *Client) scenario(ctx context.Context, parameters url.Values) ([]byte, error) {
	response, err := c.ask(ctx, http.MethodGet, "scenario", parameters)
	if err != nil {
		return nil, err
	}
	defer response.Body.Close()
	body, err := io.ReadAll(io.LimitReader(response.Body, input.Scenario.Budget()+1))
	switch {
	case err != nil:
		return nil, &UnreachableError{c.URL(), err}
	case int64(len(body)) > input.Scenario.Budget():
		return nil, fmt.Errorf("the session is larger than %d MiB, which no scenario may be", input.Scenario.Budget()>>20)
	case response.StatusCode != http.StatusOK:
		return nil, errors.New(strings.TrimSpace(string(body)))
	}
	return body, nil
}

// lineMax bounds what the server says at a time: a record has at most 64 MiB (package trace).
const lineMax = 65 << 20

// Reader gets the lines of the stream of a trace.
type Reader interface {
	Session(Session)
	State(State)
	// Record gets the line of a record.
	Record(line []byte) error
}

// Follow reads the trace until the session ends, which the last State says.
func (c *Client) Follow(ctx context.Context, to Reader) error {
	response, err := c.ask(ctx, http.MethodGet, "trace", nil)
	if err != nil {
		return err
	}
	defer response.Body.Close()
	ended := false
	for lines := bufio.NewReaderSize(response.Body, 1<<16); ; {
		line, err := readLine(lines)
		switch {
		case errors.Is(err, io.EOF) && ended:
			return nil
		case err != nil:
			return &UnreachableError{c.URL(), err}
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

// readLine reads a line of at most lineMax bytes, with its end.
func readLine(lines *bufio.Reader) (line []byte, err error) {
	for {
		part, err := lines.ReadSlice('\n')
		line = append(line, part...)
		switch {
		case len(line) > lineMax:
			return nil, errors.New("it sends a line without an end")
		case !errors.Is(err, bufio.ErrBufferFull):
			return line, err
		}
	}
}
