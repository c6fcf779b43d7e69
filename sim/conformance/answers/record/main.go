// The program record sends the rows of package answers to a kube-apiserver and writes what it answers:
//
//	go run ./sim/conformance/answers/record -kubeconfig FILE [-o FILE] [-run REGEXP]
//
// It makes two namespaces, with objects in them, some objects that are in no namespace, and the definition of a custom resource, and
// deletes them at the end. The user of the kubeconfig file must be an administrator. docs/howto/record-answers.md says how to get a
// kube-apiserver for it, and what else must be so.
package main

import (
	"cmp"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"net/url"
	"os"
	"regexp"
	"strings"
	"time"

	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/clientcmd"

	"github.com/kubestep/kubestep/sim/conformance/answers"
)

func main() {
	kubeconfig := flag.String("kubeconfig", "", "`FILE` that says where the API server is")
	out := flag.String("o", "sim/conformance/answers/testdata/recording.txt", "`FILE` to write")
	only := flag.String("run", "", "send the rows whose names match `REGEXP` only, and print them")
	flag.Parse()
	if *kubeconfig == "" || flag.NArg() > 0 {
		fmt.Fprintln(os.Stderr, "Error: there is no -kubeconfig, or there are more arguments\nTry: make answers KUBECONFIG_OF=FILE")
		os.Exit(2)
	}
	if err := run(*kubeconfig, *out, *only); err != nil {
		fmt.Fprintln(os.Stderr, "Error:", err)
		os.Exit(1)
	}
}

func run(kubeconfig, file, only string) error {
	pattern, err := regexp.Compile(only)
	if err != nil {
		return err
	}
	config, err := clientcmd.BuildConfigFromFlags("", kubeconfig)
	if err != nil {
		return err
	}
	send, err := sender(config)
	if err != nil {
		return err
	}
	recording := &answers.Recording{Answers: map[string]answers.Answer{}}
	if recording.Version, err = version(send); err != nil {
		return err
	}
	plane := answers.NewPlane(send, end())
	err = record(plane, recording, pattern)
	if err = cmp.Or(err, plane.Remove()); err != nil {
		return err
	}
	text := recording.Text(answers.Rows())
	if only != "" {
		fmt.Print(text)
		return nil
	}
	return os.WriteFile(file, []byte(text), 0o644)
}

// record sends the rows.
func record(plane *answers.Plane, recording *answers.Recording, pattern *regexp.Regexp) error {
	if err := plane.Prepare(); err != nil {
		return err
	}
	for _, row := range answers.Rows() {
		if !pattern.MatchString(row.Name()) {
			continue
		}
		answer, err := plane.Ask(row)
		if err = cmp.Or(err, plane.Clear(row)); err != nil {
			return err
		}
		recording.Answers[row.Name()] = answer
	}
	return nil
}

// timeout is how long an answer may take. No row is a watch.
const timeout = 20 * time.Second

// sender sends requests to the API server of a kubeconfig file, as they are: a client of client-go would add headers.
func sender(config *rest.Config) (func(*http.Request) (*http.Response, error), error) {
	client, err := rest.HTTPClientFor(config)
	if err != nil {
		return nil, err
	}
	client.Timeout = timeout
	server, err := url.Parse(config.Host)
	if err != nil {
		return nil, err
	}
	return func(r *http.Request) (*http.Response, error) {
		r.URL.Scheme, r.URL.Host, r.Host = server.Scheme, server.Host, ""
		r.URL.Path = strings.TrimSuffix(server.Path, "/") + r.URL.Path
		return client.Do(r)
	}, nil
}

// version is the version that the server says it has.
func version(send func(*http.Request) (*http.Response, error)) (string, error) {
	request, err := http.NewRequest(http.MethodGet, "http://kube-apiserver/version", nil)
	if err != nil {
		return "", err
	}
	answer, err := send(request)
	if err != nil {
		return "", err
	}
	defer answer.Body.Close()
	data, err := io.ReadAll(answer.Body)
	if err != nil {
		return "", err
	}
	var info struct{ GitVersion string }
	if err := json.Unmarshal(data, &info); err != nil || info.GitVersion == "" {
		return "", fmt.Errorf("the server does not say its version: %s %s", answer.Status, data)
	}
	return info.GitVersion, nil
}

// end is the end of the names of the namespaces. Those of a recording that was interrupted may still be there.
func end() string {
	const letters = "bcdfghjklmnpqrstvwxz2456789"
	var out strings.Builder
	for range 5 {
		out.WriteByte(letters[rand.IntN(len(letters))])
	}
	return out.String()
}
