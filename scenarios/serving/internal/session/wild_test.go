package session_test

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"net/http"
	"os"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/kubestep/kubestep/sim/network/live"
)

// wildRequests is how many requests TestRequestsAtRandom sends; the variable RANDOM_REQUESTS has another number, and other requests.
const wildRequests = 1_000

// TestRequestsAtRandom sends bytes that a request may have at random, over connections that may end in the middle: methods, paths,
// queries, headers and bodies that are right or not, in any combination. Each complete request has an answer, and never that of a server
// that broke down. What the requests have written, the scenario of the session writes.
func TestRequestsAtRandom(t *testing.T) {
	count := wildRequests
	if text := os.Getenv("RANDOM_REQUESTS"); text != "" {
		var err error
		if count, err = strconv.Atoi(text); err != nil {
			t.Fatal(err)
		}
	}
	r := startOf(t, strings.Replace(withSteps("[]"), "managedFields: true", "managedFields: true, customResources: true", 1), live.Pace{})
	eventually(t, "open", r.Door.IsOpen)
	address := strings.TrimPrefix(r.url, "http://")
	codes := sendWild(t, count, token, func() (net.Conn, error) { return net.Dial("tcp", address) })
	for _, code := range []int{http.StatusOK, http.StatusCreated, http.StatusBadRequest, http.StatusNotFound, http.StatusUnauthorized} {
		if codes[code] == 0 {
			t.Errorf("no request has the answer %d", code)
		}
	}
	r.replays(t)
}

// sendWild sends requests, four at a time, and returns how often each code was the answer; 0 counts the requests that their clients cut.
func sendWild(t *testing.T, count int, token string, dial func() (net.Conn, error)) map[int]int {
	t.Helper()
	var (
		clients sync.WaitGroup
		mutex   sync.Mutex
	)
	codes := map[int]int{}
	for n := range 4 {
		clients.Go(func() {
			w := wild{rand.New(rand.NewPCG(uint64(count), uint64(n))), token}
			for range count / 4 {
				code := w.send(t, dial)
				mutex.Lock()
				codes[code]++
				mutex.Unlock()
			}
		})
	}
	clients.Wait()
	return codes
}

// knownWild are messages of kube-apiserver with the code 500: it has no reason for a watch from a resourceVersion that is no number.
var knownWild = regexp.MustCompile(known.String() + "|resourceVersion: Invalid value")

// wild is a client that sends bytes at random.
type wild struct {
	*rand.Rand
	token string
}

func (w *wild) of(texts ...string) string { return texts[w.IntN(len(texts))] }

// send sends one request over a connection of its own and returns the code of the answer, or 0 if the client did not wait for one.
func (w *wild) send(t *testing.T, dial func() (net.Conn, error)) int {
	connection, err := dial()
	if err != nil {
		t.Error(err)
		return 0
	}
	defer connection.Close()
	_ = connection.SetDeadline(time.Now().Add(time.Minute))
	sent, method, cut := w.request()
	if _, err := connection.Write(sent); err != nil {
		return 0 // the server has refused what it has read of it
	}
	if cut {
		return 0
	}
	response, err := http.ReadResponse(bufio.NewReader(connection), &http.Request{Method: method})
	if err != nil {
		t.Errorf("no answer to %.300q: %v", sent, err)
		return 0
	}
	defer response.Body.Close()
	body, _ := io.ReadAll(io.LimitReader(response.Body, 2000))
	if response.StatusCode >= http.StatusInternalServerError && response.StatusCode != http.StatusGatewayTimeout && !knownWild.Match(body) {
		t.Errorf("%.500q\n%d %s", sent, response.StatusCode, body)
	}
	return response.StatusCode
}

// request draws a request, and whether its client goes before the answer.
func (w *wild) request() (sent []byte, method string, cut bool) {
	method = w.of("GET", "GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS", "TRACE", "get", "ODD")
	kind := w.of("pods", "configmaps", "secrets", "services", "events", "namespaces", "nodes", "bindings", "componentstatuses", "odd", "")
	prefix := w.of("/api/v1", "/api/v1", "/api/v1", "/apis/apps/v1", "/apis/odd/v1", "/apis", "/api", "", "//api//v1", "/api/v1/../v1", "/openapi/v2", "/openapi/v3",
		"/apis/authorization.k8s.io/v1", "/apis/apiextensions.k8s.io/v1", "/apis/apiregistration.k8s.io/v1", "/metrics", "/logs", "/readyz", "/version")
	if strings.HasSuffix(prefix, "apps/v1") {
		kind = w.of("deployments", "statefulsets", "replicasets", "controllerrevisions")
	}
	name := w.of("a", "b", "c", "A_b", "..", "%2e%2e", "%00", "%zz", "a%2Fb", "é", strings.Repeat("n", 300), "-", "")
	path := prefix + w.of("", "/namespaces/default", "/namespaces/default", "/namespaces/none", "/namespaces//", "/proxy") + "/" + kind +
		w.of("", "", "/"+name, "/"+name, "/"+name+"/status", "/"+name+"/scale", "/"+name+"/"+w.of("eviction", "binding", "log", "exec", "token", "proxy",
			"portforward", "attach", "ephemeralcontainers", "resize", "finalize", "approval", "odd"), "/"+name+"/proxy/"+name)
	path += w.of("", "", "", "?", "/", "?"+w.query(), "?"+w.query(), "?"+w.query()+"&"+w.query())
	body, contentType := w.body(kind), "application/json"
	switch w.IntN(6) {
	case 0: // a request that is right but for its options and its header
		method, path, body = "POST", "/api/v1/namespaces/default/configmaps?"+w.query(), `{"metadata":{"generateName":"a-"}}`
	case 1:
		method, path, contentType = "PATCH", "/api/v1/namespaces/default/configmaps/"+w.of("a", "b", "c")+"?"+w.query(), w.of("application/merge-patch+json",
			"application/json-patch+json", "application/strategic-merge-patch+json", "application/apply-patch+yaml")
	case 2, 3:
		contentType = w.of("application/json", "application/yaml", "application/vnd.kubernetes.protobuf",
			"application/cbor", "application/merge-patch+json", "application/json-patch+json", "application/strategic-merge-patch+json",
			"application/apply-patch+yaml", "application/apply-patch+cbor", "text/plain", "odd", ";;;", "application/json; charset=odd")
	}
	var header bytes.Buffer
	fmt.Fprintf(&header, "%s %s HTTP/1.%s\r\n", method, w.of(path, path, path, path, "http://odd"+path), w.of("1", "1", "1", "0"))
	fmt.Fprintf(&header, "Host: %s\r\nConnection: close\r\n", w.of("odd", "127.0.0.1"))
	if w.IntN(20) > 0 {
		fmt.Fprintf(&header, "Authorization: %s\r\n", "Bearer "+w.token)
	} else {
		fmt.Fprintf(&header, "Authorization: %s\r\n", w.of("bearer "+w.token, "Basic "+w.token, "Bearer", "Bearer  ", "Bearer odd"))
	}
	fmt.Fprintf(&header, "Content-Type: %s\r\n", contentType)
	fmt.Fprintf(&header, "Accept: %s\r\n", w.of("application/json", "*/*", "application/json", "application/yaml", "application/vnd.kubernetes.protobuf", "*/*", "application/cbor",
		"application/json;as=Table;v=v1;g=meta.k8s.io", "application/json;as=Odd;v=v1;g=meta.k8s.io", "application/json;as=PartialObjectMetadata;v=v1;g=meta.k8s.io",
		"application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList", "text/html;q=0.9;;,", "odd"))
	if odd := w.of("", "", "", "", "Impersonate-User: jane", "Impersonate-Group: g", "Impersonate-Uid: 1", "Impersonate-User: system:serviceaccount:default",
		"Impersonate-Extra-%zz: x", "Accept-Encoding: gzip", "X-Forwarded-For: "+strings.Repeat("1,", 2000), "Origin: http://odd", "Content-Encoding: gzip",
		"Upgrade: websocket", "Expect: 100-odd", "Long: "+strings.Repeat("x", 2<<20), "Odd header: x", "Range: bytes=0-1", "Audit-ID: \x01"); odd != "" {
		fmt.Fprintf(&header, "%s\r\n", odd)
	}
	length := len(body)
	switch w.IntN(12) {
	case 0: // the client goes in the middle of its body
		length, cut = length+1+w.IntN(1000), true
	case 1: // the client goes in the middle of its header
		return header.Bytes()[:w.IntN(header.Len())], method, true
	case 2: // the client does not wait for the answer
		cut = true
	case 3: // a body in pieces
		fmt.Fprintf(&header, "Transfer-Encoding: chunked\r\n\r\n%s\r\n%s\r\n0\r\n\r\n", w.of(strconv.FormatInt(int64(length), 16), strconv.FormatInt(int64(length), 16), "odd"), body)
		return header.Bytes(), method, length == 0
	}
	fmt.Fprintf(&header, "Content-Length: %d\r\n\r\n%s", length, body)
	return header.Bytes(), method, cut
}

// query draws a parameter.
func (w *wild) query() string {
	number := w.of("0", "1", "-1", "2", "1e9", "99999999999999999999", "odd", "")
	return w.of("watch=true&timeoutSeconds=1", "watch=odd&timeoutSeconds=1", "limit="+number, "continue="+w.of("odd", "eyJ2IjoibWV0YS5rOHMuaW8vdjEiLCJydiI6MX0", "%00"),
		"resourceVersion="+w.of("0", "1", "-1", "odd", ""), "resourceVersionMatch="+w.of("Exact", "NotOlderThan", "Odd")+"&resourceVersion=1",
		"labelSelector="+w.of("a", "a=b", "a+in+(b,c", "!!", "a%00", strings.Repeat("x", 5000)), "fieldSelector="+w.of("metadata.name=a", "status.phase=Odd", "odd=a", "=,="),
		"dryRun="+w.of("All", "odd", ""), "fieldManager="+w.of("ci", strings.Repeat("m", 200), "%00"), "force="+number, "pretty="+number,
		"fieldValidation="+w.of("Strict", "Ignore", "Warn", "odd"), "gracePeriodSeconds="+number, "propagationPolicy="+w.of("Orphan", "Odd"), "orphanDependents="+number,
		"timeout="+w.of("1s", "-1s", "odd", "9999h"), "tailLines="+number, "follow=true&container=odd", "sinceSeconds="+number, "command=a&stdout=true", "%zz=%zz", "a;b",
		"sendInitialEvents=true&watch=true&timeoutSeconds=1&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true", "sendInitialEvents=odd", "hash=odd", "exclude=odd", "verbose")
}

// body draws a body.
func (w *wild) body(kind string) string {
	name := w.of("a", "b", "c", "A_b", "", "\\u0000")
	version, typeName := w.of("v1", "v1", "apps/v1", "odd/v1", "", "a/b/c"), w.of("ConfigMap", "Pod", "Service", "Deployment", "Secret", "Eviction", "Binding", "Status", "List", "Odd", "")
	if kind == "configmaps" && w.IntN(2) == 0 {
		version, typeName, name = "v1", "ConfigMap", w.of("a", "b", "c")
	}
	metadata := w.of(`{"name":"`+name+`"}`, `{"name":"`+name+`"}`, `{"generateName":"`+name+`-"}`, `{"name":"`+name+`","namespace":"odd"}`, `{"name":"`+name+`","resourceVersion":"odd"}`,
		`{"name":"`+name+`","finalizers":["odd","example.com/f"]}`, `{"name":"`+name+`","ownerReferences":[{}]}`, `{"name":"`+name+`","deletionTimestamp":"odd"}`,
		`{"name":"`+name+`","managedFields":[{"manager":"m","operation":"Odd","fieldsV1":{"f:a":1}}]}`, `{"name":"`+name+`","labels":{"-":"é"},"annotations":null}`, `null`, `[]`, `1`)
	object := `{"apiVersion":"` + version + `","kind":"` + typeName + `","metadata":` + metadata + w.of("", `,"data":{"x":"y"}`, `,"spec":{}`, `,"spec":null`, `,"spec":[]`, `,"odd":1`,
		`,"spec":{"containers":[{"name":"c","image":"i"}]}`, `,"spec":{"ports":[{"port":-1}]}`, `,"items":[{},null,1]`, `,"data":{"x":1e999}`, `,"data":{"x":"`+strings.Repeat("z", 4000)+`"}`) + `}`
	return w.of(object, object, object, object, object[:w.IntN(len(object))], "", "null", "{}", "[]", "[[]]", "1", `"`, "{", "\x00\x01\x02", "k8s\x00\x0a\xff", "\xd9\xd9\xf7\xa1", "\xff\xfe",
		strings.Repeat("[", 20_000), strings.Repeat(`{"a":`, 20_000), "a: &a [*a, *a]", "---\n", "a: b\n--- \nc: d", `[{"op":"odd"}]`, `[{"op":"remove","path":"/metadata"}]`,
		`[{"op":"copy","from":"","path":"/data/x"}]`, `[{"op":"replace","path":"","value":null}]`, `[{"op":"add","path":"/kind","value":"Odd"}]`, `{"$patch":"replace"}`, `{"$patch":"odd"}`,
		`{"metadata":{"$deleteFromPrimitiveList/finalizers":[1]}}`, `{"metadata":{"finalizers":null,"name":"odd"}}`, `{"spec":{"$setElementOrder/containers":[{"name":1}],"containers":[1]}}`,
		`{"metadata":{"labels":{"l":"`+strconv.Itoa(w.IntN(9))+`"}}}`)
}
