package program

import (
	"context"
	"crypto/tls"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/pflag"
	corev1 "k8s.io/api/core/v1"

	"github.com/kubestep/kubestep/sim/cluster/oci"
)

// agnhostCommands are agnhost's commands. It is filled when the package is initialized, since some need the whole table.
var agnhostCommands map[string]oci.Main

func init() {
	agnhostCommands = map[string]oci.Main{
		"pause": pause, "mounttest": mounttest, "entrypoint-tester": entrypointTester, "logs-generator": logsGenerator,
		"etc-hosts": etcHosts, "dns-server-list": dnsServers, "dns-suffix": dnsSuffix,
		"netexec": netexec, "test-webserver": testWebserver, "serve-hostname": serveHostname, "liveness": liveness,
		"webhook": listens, "crd-conversion-webhook": listens, "connect": connectTo, "porter": porter, "nettest": nettest,
		"grpc-health-checking": grpcHealth, "nonewprivs": noNewPrivileges,
	}
}

// The exit code of a program in Go that SIGTERM ends: as the first process of a container, it cannot end itself by the signal.
const exitBySignal = 2

// serve serves requests at ports until the process ends. A server with a certificate uses TLS.
func serve(p *oci.Process, handler http.Handler, certificate *tls.Certificate, ports ...int32) int {
	for _, port := range ports {
		listener, err := p.Container.Network.Listen(port)
		if err != nil {
			return complain(p, "%v", err)
		}
		if certificate != nil {
			listener = tls.NewListener(listener, &tls.Config{Certificates: []tls.Certificate{*certificate}})
		}
		server := &http.Server{Handler: handler, ErrorLog: log.New(io.Discard, "", 0)}
		server.SetKeepAlivesEnabled(false)
		defer server.Close()
		go func() { _ = server.Serve(listener) }()
	}
	if p.Wait() {
		return exitBySignal
	}
	return 0
}

// listens is a server that answers for its container in worlds without processes, too.
func listens(p *oci.Process) int {
	return answers(p, agnhost)
}

// answers serves what a program listens with.
func answers(p *oci.Process, listen func(Container) *Server) int {
	c := Container{Pod: p.Container.Pod, Spec: specOf(p.Container), files: p.ReadFile, kept: map[string]any{}}
	server := listen(c)
	if server == nil {
		return complain(p, "the arguments name no server")
	}
	var certificate *tls.Certificate
	if len(server.Certificate) > 0 {
		key, err := p.ReadFile(c.Flag("tls-private-key-file"))
		if err != nil {
			return complain(p, "%v", err)
		}
		pair, err := tls.X509KeyPair(server.Certificate, key)
		if err != nil {
			return complain(p, "%v", err)
		}
		certificate = &pair
	}
	return serve(p, server.Handler, certificate, server.Port)
}

// specOf is what the Pod says about a container.
func specOf(c *oci.Container) *corev1.Container {
	for i := range c.Pod.Spec.Containers {
		if c.Pod.Spec.Containers[i].Name == c.Name {
			return &c.Pod.Spec.Containers[i]
		}
	}
	return &corev1.Container{}
}

// dialer connects in the network of a Pod.
func dialer(p *oci.Process) func(ctx context.Context, network, address string) (net.Conn, error) {
	return func(ctx context.Context, _, address string) (net.Conn, error) {
		return p.Container.Network.Dial(ctx, address)
	}
}

// netexec answers with what the request asks for, and about itself.
func netexec(p *oci.Process) int {
	port, delay := "8080", 0
	if !agnhostFlags(p, func(set *pflag.FlagSet) {
		set.StringVar(&port, "http-port", port, "")
		set.IntVar(&delay, "delay-shutdown", 0, "")
		set.Int("udp-port", 8081, "")
		set.Int("sctp-port", -1, "")
		set.String("tls-cert-file", "", "")
		set.String("tls-private-key-file", "", "")
	}) {
		return 1
	}
	var ports []int32
	for _, text := range strings.Split(port, ",") {
		n, err := strconv.ParseInt(text, 10, 32)
		if err != nil {
			return complain(p, "%v", err)
		}
		ports = append(ports, int32(n))
	}
	exits := make(chan int, 1)
	mux := netexecHandlers(p, exits)
	ended := make(chan int, 1)
	go func() { ended <- serve(p, mux, nil, ports...) }()
	select {
	case code := <-ended:
		if code == exitBySignal && delay > 0 {
			p.Sleep(time.Duration(delay) * time.Second)
		}
		return code
	case code := <-exits:
		return code
	}
}

// netexecHandlers answer the requests of netexec that tests send.
func netexecHandlers(p *oci.Process, exits chan<- int) http.Handler {
	started := p.Now()
	mux := http.NewServeMux()
	write := func(path string, answer func(*http.Request) (string, error)) {
		mux.HandleFunc(path, func(w http.ResponseWriter, r *http.Request) {
			fmt.Fprintf(p.Stderr, "GET %s\n", r.URL)
			text, err := answer(r)
			if err != nil {
				http.Error(w, err.Error(), http.StatusBadRequest)
				return
			}
			fmt.Fprint(w, text)
		})
	}
	write("/", func(*http.Request) (string, error) { return "NOW: " + p.Now().String(), nil })
	write("/hostname", func(*http.Request) (string, error) { return p.Container.Hostname, nil })
	write("/hostName", func(*http.Request) (string, error) { return p.Container.Hostname, nil })
	write("/healthz", func(*http.Request) (string, error) { return "", nil })
	write("/clientip", func(r *http.Request) (string, error) { return r.RemoteAddr, nil })
	write("/echo", func(r *http.Request) (string, error) { return r.FormValue("msg"), nil })
	write("/header", func(r *http.Request) (string, error) { return r.Header.Get(r.FormValue("key")), nil })
	write("/started", func(*http.Request) (string, error) { return p.Now().Sub(started).String(), nil })
	mux.HandleFunc("/exit", func(w http.ResponseWriter, r *http.Request) {
		code, _ := strconv.Atoi(r.FormValue("code"))
		wait, _ := time.ParseDuration(r.FormValue("wait"))
		go func() {
			if p.Sleep(wait) {
				exits <- code
			}
		}()
	})
	mux.HandleFunc("/redirect", func(w http.ResponseWriter, r *http.Request) {
		code, err := strconv.Atoi(r.FormValue("code"))
		if err != nil {
			code = http.StatusFound
		}
		http.Redirect(w, r, r.FormValue("location"), code)
	})
	mux.HandleFunc("/dial", func(w http.ResponseWriter, r *http.Request) { dialAll(p, w, r) })
	return mux
}

// dialAll sends requests to another server, and answers with what came back.
func dialAll(p *oci.Process, w http.ResponseWriter, r *http.Request) {
	tries, err := strconv.Atoi(r.FormValue("tries"))
	if err != nil {
		tries = 1
	}
	var answers, problems []string
	for range tries {
		text, err := fetch(p, "http://"+net.JoinHostPort(r.FormValue("host"), r.FormValue("port"))+"/"+r.FormValue("request"))
		if err != nil {
			problems = append(problems, err.Error())
			continue
		}
		answers = append(answers, text)
	}
	out := map[string][]string{}
	if len(answers) > 0 {
		out["responses"] = answers
	}
	if len(problems) > 0 {
		out["errors"] = problems
	}
	_ = json.NewEncoder(w).Encode(out)
}

// fetch gets a URL.
func fetch(p *oci.Process, address string) (string, error) {
	client := http.Client{Timeout: 5 * time.Second, Transport: &http.Transport{DialContext: dialer(p), DisableKeepAlives: true}}
	response, err := client.Get(address)
	if err != nil {
		return "", err
	}
	defer response.Body.Close()
	data, err := io.ReadAll(response.Body)
	return string(data), err
}

// testWebserver serves the files of its container.
func testWebserver(p *oci.Process) int {
	port := 80
	if !agnhostFlags(p, func(set *pflag.FlagSet) { set.IntVar(&port, "port", port, "") }) {
		return 1
	}
	return serve(p, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if strings.HasSuffix(r.URL.Path, "/index.html") { // as http.FileServer
			w.Header().Set("Location", "./")
			w.WriteHeader(http.StatusMovedPermanently)
			return
		}
		if info, err := p.Container.Files.Stat(p.Path(r.URL.Path)); err == nil && info.IsDir() {
			entries, _ := p.Container.Files.ReadDir(p.Path(r.URL.Path))
			for _, entry := range entries {
				fmt.Fprintln(w, entry.Name())
			}
			return
		}
		data, err := p.ReadFile(r.URL.Path)
		if err != nil {
			http.NotFound(w, r)
			return
		}
		_, _ = w.Write(data)
	}), nil, int32(port))
}

// serveHostname answers with the name of the Pod.
func serveHostname(p *oci.Process) int {
	port := 9376
	if !agnhostFlags(p, func(set *pflag.FlagSet) {
		set.IntVar(&port, "port", port, "")
		for _, name := range []string{"http", "udp", "tcp", "sctp", "close"} {
			set.Bool(name, false, "")
		}
	}) {
		return 1
	}
	return serve(p, http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		fmt.Fprint(w, p.Container.Hostname)
	}), nil, int32(port))
}

// livenessSpan is how long liveness is healthy.
const livenessSpan = 10 * time.Second

// liveness is healthy for ten seconds.
func liveness(p *oci.Process) int {
	started := p.Now()
	mux := http.NewServeMux()
	mux.HandleFunc("/healthz", func(w http.ResponseWriter, _ *http.Request) {
		if age := p.Now().Sub(started); age > livenessSpan {
			http.Error(w, fmt.Sprintf("error: %v", age.Seconds()), http.StatusInternalServerError)
			return
		}
		fmt.Fprint(w, "ok")
	})
	mux.HandleFunc("/started", func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, p.Now().Sub(started)) })
	mux.HandleFunc("/redirect", func(w http.ResponseWriter, r *http.Request) {
		location, err := url.QueryUnescape(r.URL.Query().Get("loc"))
		if err != nil {
			http.Error(w, "invalid redirect", http.StatusBadRequest)
			return
		}
		http.Redirect(w, r, location, http.StatusFound)
	})
	return serve(p, mux, nil, 8080)
}

// connectTo connects to an address, which is the last argument.
func connectTo(p *oci.Process) int {
	var wait time.Duration
	if !agnhostFlags(p, func(set *pflag.FlagSet) {
		set.DurationVar(&wait, "timeout", 0, "")
		set.String("protocol", "tcp", "")
	}) {
		return 1
	}
	conn, err := dialer(p)(p.Context, "tcp", p.Args[len(p.Args)-1])
	if err != nil {
		name := "OTHER"
		var dns *net.DNSError
		switch {
		case errors.As(err, &dns):
			name = "DNS"
		case strings.Contains(err.Error(), "refused"):
			name = "REFUSED"
		}
		fmt.Fprintf(p.Stderr, "%s: %v\n", name, err)
		return 1
	}
	_ = conn.Close()
	return 0
}

// porter serves at the ports that its environment names, SERVE_PORT_80 for example.
func porter(p *oci.Process) int {
	var ports []int32
	answers := map[string]string{}
	for _, variable := range p.Env {
		name, value, _ := strings.Cut(variable, "=")
		number, isPort := strings.CutPrefix(name, "SERVE_PORT_")
		n, err := strconv.ParseInt(number, 10, 32)
		if isPort && err == nil {
			ports = append(ports, int32(n))
			answers[number] = value
		}
	}
	return serve(p, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		local, _ := r.Context().Value(http.LocalAddrContextKey).(net.Addr)
		_, port, _ := net.SplitHostPort(local.String())
		fmt.Fprint(w, answers[port])
	}), nil, ports...)
}
