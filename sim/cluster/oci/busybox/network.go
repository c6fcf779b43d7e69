package busybox

import (
	"cmp"
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"os"
	"path"
	"strings"
	"syscall"
	"time"

	"github.com/kubestep/kubestep/sim/cluster/oci"
)

// client returns a client of HTTP in the network of the Pod.
func client(p *oci.Process, insecure bool, wait time.Duration) *http.Client {
	return &http.Client{
		Timeout: wait,
		Transport: &http.Transport{
			DialContext: func(ctx context.Context, _, address string) (net.Conn, error) {
				return p.Container.Network.Dial(ctx, address)
			},
			DisableKeepAlives: true, TLSClientConfig: &tls.Config{InsecureSkipVerify: insecure},
		},
	}
}

// address is a URL, with http if it says nothing else.
func address(text string) string {
	if strings.Contains(text, "://") {
		return text
	}
	return "http://" + text
}

// The exit codes of curl, by what goes wrong.
const (
	curlUsage   = 2
	curlResolve = 6
	curlConnect = 7
	curlHTTP    = 22
	curlWrite   = 23
	curlTimeout = 28
)

func curl(p *oci.Process) int {
	set := flags(p)
	option := func(name, short string) *bool { return set.BoolP(name, short, false, "") }
	silent, showError, fail := option("silent", "s"), option("show-error", "S"), option("fail", "f")
	insecure, location, headers, onlyHead := option("insecure", "k"), option("location", "L"), option("include", "i"), option("head", "I")
	for name, short := range map[string]string{"globoff": "g", "no-buffer": "N", "verbose": "v", "no-config": "q"} {
		option(name, short)
	}
	wait, connect := set.Float64P("max-time", "m", 0, ""), set.Float64("connect-timeout", 0, "")
	output, method := set.StringP("output", "o", "", ""), set.StringP("request", "X", "", "")
	data, format := set.StringP("data", "d", "", ""), set.StringP("write-out", "w", "", "")
	header := set.StringArrayP("header", "H", nil, "")
	set.String("interface", "", "")
	set.String("cacert", "", "")
	words, ok := parse(p, set)
	if !ok || len(words) == 0 {
		return curlUsage
	}
	c := client(p, *insecure, time.Duration(cmp.Or(*wait, *connect)*float64(time.Second)))
	if !*location {
		c.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	}
	verb := http.MethodGet
	switch {
	case *data != "":
		verb = http.MethodPost
	case *onlyHead:
		verb = http.MethodHead
	}
	request, err := http.NewRequestWithContext(p.Context, cmp.Or(*method, verb), address(words[0]), strings.NewReader(*data))
	if err != nil {
		fmt.Fprintf(p.Stderr, "curl: (3) %v\n", err)
		return 3
	}
	for _, h := range *header {
		name, value, _ := strings.Cut(h, ":")
		request.Header.Add(name, strings.TrimSpace(value))
	}
	complains := func(code int, err any) int {
		if !*silent || *showError {
			fmt.Fprintf(p.Stderr, "curl: (%d) %v\n", code, err)
		}
		return code
	}
	response, err := c.Do(request)
	if err != nil {
		return complains(curlCode(err), reason(err))
	}
	defer response.Body.Close()
	to, closes, err := outputOf(p, *output)
	if err != nil {
		return complains(curlWrite, oci.Problem(err))
	}
	defer closes()
	if *fail && response.StatusCode >= http.StatusBadRequest {
		return complains(curlHTTP, fmt.Sprintf("The requested URL returned error: %d", response.StatusCode))
	}
	if *headers || *onlyHead {
		fmt.Fprintf(to, "%s %s\r\n", response.Proto, response.Status)
		_ = response.Header.Write(to)
		fmt.Fprint(to, "\r\n")
	}
	if _, err := io.Copy(to, response.Body); err != nil {
		return complains(curlCode(err), reason(err))
	}
	fmt.Fprint(p.Stdout, strings.NewReplacer("%{http_code}", fmt.Sprint(response.StatusCode), `\n`, "\n").Replace(*format))
	return 0
}

// outputOf opens the file for what a client gets; without a name, it is the standard output.
func outputOf(p *oci.Process, name string) (to io.Writer, closes func(), err error) {
	if name == "" {
		return p.Stdout, func() {}, nil
	}
	file, err := p.Open(name, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o666)
	if err != nil {
		return nil, nil, err
	}
	return file, func() { _ = file.Close() }, nil
}

// curlCode is the exit code for an error.
func curlCode(err error) int {
	var name *net.DNSError
	var slow interface{ Timeout() bool }
	switch {
	case errors.As(err, &name):
		return curlResolve
	case errors.As(err, &slow) && slow.Timeout():
		return curlTimeout
	case errors.Is(err, syscall.ECONNREFUSED), errors.Is(err, syscall.EHOSTUNREACH):
		return curlConnect
	}
	return 56
}

// reason is an error without what it is wrapped in.
func reason(err error) string {
	var of *url.Error
	if errors.As(err, &of) {
		err = of.Err
	}
	return oci.Problem(err)
}

func wget(p *oci.Process) int {
	set := flags(p)
	set.BoolP("quiet", "q", false, "")
	set.BoolP("server-response", "S", false, "")
	output, wait := set.StringP("output", "O", "", ""), set.Float64P("timeout", "T", patience.Seconds(), "")
	insecure, spider := set.Bool("no-check-certificate", false, ""), set.Bool("spider", false, "")
	set.IntP("tries", "t", 1, "")
	post := set.String("post-data", "", "")
	words, ok := parse(p, set)
	if !ok || len(words) == 0 {
		return failed
	}
	method, body := http.MethodGet, io.Reader(nil)
	if set.Changed("post-data") {
		method, body = http.MethodPost, strings.NewReader(*post)
	}
	request, err := http.NewRequestWithContext(p.Context, method, address(words[0]), body)
	if err != nil {
		return complain(p, "%v", err)
	}
	response, err := client(p, *insecure, time.Duration(*wait*float64(time.Second))).Do(request)
	if err != nil {
		return complain(p, "%s", reason(err))
	}
	defer response.Body.Close()
	if response.StatusCode >= http.StatusBadRequest {
		return complain(p, "server returned error: %s %s", response.Proto, response.Status)
	}
	if *spider {
		return 0
	}
	to, name := p.Stdout, *output
	if name == "" {
		if name = path.Base(request.URL.Path); name == "/" || name == "." {
			name = "index.html"
		}
	}
	if name != "-" {
		file, err := p.Open(name, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o666)
		if err != nil {
			return complain(p, "can't open '%s': %s", name, oci.Problem(err))
		}
		defer file.Close()
		to = file
	}
	if _, err := io.Copy(to, response.Body); err != nil {
		return complain(p, "%s", reason(err))
	}
	return 0
}

// nc connects to a port, and passes on what both sides send, until the other one ends; with -z it only connects.
func nc(p *oci.Process) int {
	set := flags(p)
	only, wait := set.BoolP("zero", "z", false, ""), set.IntP("wait", "w", 0, "")
	set.BoolP("verbose", "v", false, "")
	set.BoolP("tcp", "t", false, "")
	udp := set.BoolP("udp", "u", false, "")
	words, ok := parse(p, set)
	if !ok || len(words) != 2 || *udp {
		return failed
	}
	ctx := p.Context
	if *wait > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, time.Duration(*wait)*time.Second)
		defer cancel()
	}
	conn, err := p.Container.Network.Dial(ctx, net.JoinHostPort(words[0], words[1]))
	if err != nil {
		return complain(p, "%s (%s:%s): %s", "can't connect to remote host", words[0], words[1], oci.Problem(err))
	}
	defer conn.Close()
	if *only {
		return 0
	}
	go func() { _, _ = io.Copy(conn, p.Stdin) }()
	go func() {
		<-ctx.Done()
		_ = conn.Close()
	}()
	_, _ = io.Copy(p.Stdout, conn)
	return 0
}

// ip changes nothing: a container without privileges may not.
func ip(p *oci.Process) int {
	fmt.Fprintln(p.Stderr, "ip: RTNETLINK answers: Operation not permitted")
	return 2
}

func nslookup(p *oci.Process) int {
	words, ok := parse(p, flags(p))
	if !ok || len(words) == 0 {
		return failed
	}
	addresses, err := p.Container.Network.Lookup(words[0])
	if err != nil {
		return complain(p, "%v", err)
	}
	for _, a := range addresses {
		fmt.Fprintf(p.Stdout, "Name:\t%s\nAddress: %s\n", words[0], a)
	}
	return 0
}
