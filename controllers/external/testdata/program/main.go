// Program is a controller that does what its first argument says.
package main

import (
	"bufio"
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/kubestep/kubestep/controllers/external/ctrlmain"
)

// never is made before the bubble, like wait.NeverStop.
var never = make(chan struct{})

var acts = map[string]func(context.Context, *http.Client) error{
	"watches": watches, "orders": orders, "waits": waits, "cancels": cancels, "names": names,
	"gets": gets, "returns": func(context.Context, *http.Client) error { return nil },
	"fails":  func(context.Context, *http.Client) error { return errors.New("no more ideas") },
	"exits":  func(context.Context, *http.Client) error { time.Sleep(3 * time.Second); os.Exit(7); return nil },
	"panics": func(context.Context, *http.Client) error { time.Sleep(3 * time.Second); panic("at the disco") },
	"spins":  func(context.Context, *http.Client) error { return spin() },
	"exits-with-a-watch": func(ctx context.Context, client *http.Client) error {
		return withWatch(ctx, client, func() error { os.Exit(7); return nil })
	},
	"returns-with-a-watch": func(ctx context.Context, client *http.Client) error {
		return withWatch(ctx, client, func() error { return errors.New("no more ideas") })
	},
	"panics-with-a-watch": func(ctx context.Context, client *http.Client) error {
		return withWatch(ctx, client, func() error { panic("at the disco") })
	},
	"spins-with-a-watch": func(ctx context.Context, client *http.Client) error { return withWatch(ctx, client, spin) },
	"listens": func(context.Context, *http.Client) error {
		listener, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			return err
		}
		_, err = listener.Accept()
		return err
	},
}

func main() {
	ctrlmain.Main(func(ctx context.Context, transport http.RoundTripper) error {
		return acts[os.Args[1]](ctx, &http.Client{Transport: transport})
	})
}

// withWatch does what ends the program 3 seconds after it opened a watch, which stays open.
func withWatch(ctx context.Context, client *http.Client, end func() error) error {
	go func() { _ = watches(ctx, client) }()
	time.Sleep(3 * time.Second)
	return end()
}

func spin() error {
	for n := 0; ; n++ {
		_ = n
	}
}

// watches prints when it sees which change of a ConfigMap.
func watches(ctx context.Context, client *http.Client) error {
	r, _ := http.NewRequestWithContext(ctx, http.MethodGet, ctrlmain.Host+"/api/v1/namespaces/default/configmaps?watch=1", nil)
	response, err := client.Do(r)
	if err != nil {
		return err
	}
	lines := bufio.NewScanner(response.Body)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		kind, _, _ := strings.Cut(lines.Text(), `,"object"`)
		fmt.Println(kind, strings.Contains(lines.Text(), `"name":"late"`))
	}
	return lines.Err()
}

// orders prints what Go leaves to chance.
func orders(context.Context, *http.Client) error {
	numbers := map[int]bool{}
	for n := range 20 {
		numbers[n] = true
	}
	var order []string
	for n := range numbers {
		order = append(order, fmt.Sprint(n))
	}
	var mu sync.Mutex
	var all sync.WaitGroup
	for n := range 20 {
		all.Go(func() {
			time.Sleep(time.Second)
			mu.Lock()
			order = append(order, fmt.Sprint(n))
			mu.Unlock()
		})
	}
	all.Wait()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return err
	}
	bytes, err := key.Bytes()
	fmt.Println(strings.Join(order, " "), rand.Text(), bytes)
	<-never
	return err
}

// waits prints the date whenever one of its timers is due.
func waits(context.Context, *http.Client) error {
	for _, d := range []time.Duration{3 * time.Hour, time.Nanosecond, time.Hour} {
		time.AfterFunc(d, func() { fmt.Println(d, "is over") })
	}
	stopped := time.AfterFunc(time.Minute, func() { panic("a timer that was stopped") })
	stopped.Stop()
	<-never
	return nil
}

// gets sends as many requests as its second argument says, one after the other.
func gets(ctx context.Context, client *http.Client) error {
	count, err := strconv.Atoi(os.Args[2])
	if err != nil {
		return err
	}
	for range count {
		r, err := http.NewRequestWithContext(ctx, http.MethodGet, ctrlmain.Host+"/api/v1/namespaces/default/configmaps/early", nil)
		if err != nil {
			return err
		}
		response, err := client.Do(r)
		if err != nil {
			return err
		}
		_, err = io.Copy(io.Discard, response.Body)
		if err := errors.Join(err, response.Body.Close()); err != nil {
			return err
		}
	}
	return nil
}

// names prints by what a program may call itself.
func names(context.Context, *http.Client) error {
	host, err := os.Hostname()
	fmt.Println(host, rand.Text())
	<-never
	return err
}

// cancels lets requests end before their answers come.
func cancels(ctx context.Context, client *http.Client) error {
	for _, patience := range []time.Duration{time.Nanosecond, time.Second} {
		ctx, cancel := context.WithTimeout(ctx, patience)
		r, _ := http.NewRequestWithContext(ctx, http.MethodGet, ctrlmain.Host+"/api/v1/namespaces/default/configmaps", nil)
		defer cancel()
		response, err := client.Do(r)
		if err != nil {
			fmt.Println(patience, errors.Is(err, context.DeadlineExceeded))
			continue
		}
		body, err := io.ReadAll(response.Body)
		fmt.Println(patience, response.StatusCode, len(body) > 0, err, slices.Sorted(slices.Values(response.Header["Content-Type"])))
	}
	<-never
	return nil
}
