package session_test

import (
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"os"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/kubestep/kubestep/sim/network/live"
)

// randomSessions is how many sessions TestRandomSessions makes; the variable RANDOM_SESSIONS has another number.
const randomSessions = 4

// TestRandomSessions has clients send requests at random: to objects that exist or not, with bodies that are right or not, with options,
// and with resourceVersions that others have passed. Three clients write at a time, and one watches. The scenario of each session has
// the trace of the session.
func TestRandomSessions(t *testing.T) {
	sessions := randomSessions
	if text := os.Getenv("RANDOM_SESSIONS"); text != "" {
		var err error
		if sessions, err = strconv.Atoi(text); err != nil {
			t.Fatal(err)
		}
	}
	for seed := range sessions {
		t.Run(fmt.Sprint("seed=", seed), func(t *testing.T) {
			pace := live.Pace{Speed: []float64{1, 20, 500}[seed%3]}
			r := startOf(t, strings.Replace(withSteps("[]"), "managedFields: true", "managedFields: true, customResources: true", 1), pace)
			watch, err := http.NewRequestWithContext(t.Context(), http.MethodGet, r.url+"/api/v1/pods?watch=true", nil)
			if err != nil {
				t.Fatal(err)
			}
			watch.Header.Set("Authorization", "Bearer "+token)
			events, err := http.DefaultClient.Do(watch)
			if err != nil {
				t.Fatal(err)
			}
			defer events.Body.Close()
			var clients sync.WaitGroup
			for n := range 3 {
				clients.Go(func() {
					someone := &someone{rand.New(rand.NewPCG(uint64(seed), uint64(n))), r}
					for range 15 {
						someone.write(t)
					}
				})
			}
			clients.Wait()
			r.replays(t)
		})
	}
}

// someone is a client that sends what it likes.
type someone struct {
	*rand.Rand
	at *running
}

func one[T any](s *someone, of ...T) T { return of[s.IntN(len(of))] }

// known are messages of kube-apiserver with the code 500.
var known = regexp.MustCompile("resourceVersion should not be set|field not declared in schema")

// write sends a request. Any answer is right but none, and one of a server that broke down.
func (s *someone) write(t *testing.T) {
	method, path, contentType, body := s.request()
	if options := s.options(method); options != "" {
		path += "?" + options
	}
	request, err := http.NewRequestWithContext(t.Context(), method, s.at.url+path, strings.NewReader(body))
	if err != nil {
		t.Error(err)
		return
	}
	request.Header.Set("Authorization", "Bearer "+token)
	request.Header.Set("Content-Type", contentType)
	request.Header.Set("Accept", one(s, "application/json", "application/vnd.kubernetes.protobuf",
		"application/json;as=Table;v=v1;g=meta.k8s.io,application/json", "*/*"))
	request.Header.Set("User-Agent", one(s, "kubectl/v1.37.2 (linux/amd64)", "helm", "curl/8", ""))
	if s.IntN(10) == 0 {
		request.Header.Set("Impersonate-User", one(s, "jane", "system:serviceaccount:default:default"))
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		t.Errorf("%s %s: %v", method, path, err)
		return
	}
	defer response.Body.Close()
	data, _ := io.ReadAll(response.Body)
	// kube-apiserver has no reason for a creation with a resourceVersion, and for an apply with an unknown field.
	if response.StatusCode >= http.StatusInternalServerError && !known.Match(data) {
		t.Errorf("%s %s %s\n%s\n%d %s", method, path, contentType, body, response.StatusCode, data)
	}
}

// options are a query, most often an empty one.
func (s *someone) options(method string) string {
	return one(s, "", "", "", "", "fieldManager=ci", "fieldValidation=Strict", "fieldValidation=Ignore", "fieldValidation=Warn", "dryRun=All",
		"pretty=true", "timeout=10s", "fieldManager=ci&force="+strconv.FormatBool(method == http.MethodPatch), "propagationPolicy=Foreground",
		"gracePeriodSeconds=0", "nonsense=1")
}

const podSpec = `{"containers":[{"name":"c","image":"i"}]}`

// request is a write to one of a few objects, so that they meet.
func (s *someone) request() (method, path, contentType, body string) {
	name, number := one(s, "a", "b", "c"), s.IntN(5)
	kind := one(s, "configmaps", "services", "deployments", "pods", "jobs")
	group, version := "/api/v1", "v1"
	typeName := map[string]string{"configmaps": "ConfigMap", "services": "Service", "deployments": "Deployment", "pods": "Pod", "jobs": "Job"}[kind]
	switch kind {
	case "deployments":
		group, version = "/apis/apps/v1", "apps/v1"
	case "jobs":
		group, version = "/apis/batch/v1", "batch/v1"
	}
	all := group + "/namespaces/default/" + kind
	object := func(fields string) string {
		revision := one(s, "", "", "", `,"resourceVersion":"`+strconv.Itoa(20+s.IntN(200))+`"`)
		return `{"kind":"` + typeName + `","apiVersion":"` + version + `","metadata":{"name":"` + name + `"` + revision + `}` + fields + `}`
	}
	fields := map[string]string{
		"configmaps":  fmt.Sprintf(`,"data":{"n":"%d"}`, number),
		"services":    fmt.Sprintf(`,"spec":{"selector":{"app":"x"},"ports":[{"port":%d}]}`, 80+number),
		"deployments": fmt.Sprintf(`,"spec":{"replicas":%d,"selector":{"matchLabels":{"app":"x"}},"template":{"metadata":{"labels":{"app":"x"}},"spec":%s}}`, number, podSpec),
		"pods":        `,"spec":` + podSpec,
		"jobs":        fmt.Sprintf(`,"spec":{"completions":%d,"template":{"spec":{"restartPolicy":"Never","containers":[{"name":"c","image":"i"}]}}}`, 1+number),
	}[kind]
	if s.IntN(8) == 0 {
		fields += `,"unknown":1`
	}
	const asJSON = "application/json"
	switch s.IntN(10) {
	case 0, 1, 2:
		return http.MethodPost, all, asJSON, object(fields)
	case 3:
		return http.MethodPut, all + "/" + name, asJSON, object(fields)
	case 4:
		return http.MethodPatch, all + "/" + name, one(s, "application/merge-patch+json", "application/strategic-merge-patch+json"),
			one(s, `{"metadata":{"labels":{"l":"`+strconv.Itoa(number)+`"}}}`, `{"metadata":{"finalizers":["example.com/wait"]}}`,
				`{"metadata":{"finalizers":null}}`, `{"spec":{"replicas":2}}`, `{"unknown":1}`, `{`)
	case 5:
		return http.MethodPatch, all + "/" + name, "application/json-patch+json",
			one(s, `[{"op":"add","path":"/metadata/annotations","value":{"x":"y"}}]`, `[{"op":"test","path":"/metadata/name","value":"a"}]`, `[]`)
	case 6:
		return http.MethodPatch, all + "/" + name, "application/apply-patch+yaml", one(s, "", "\n") + object(fields)
	case 7:
		return http.MethodPatch, "/apis/apps/v1/namespaces/default/deployments/" + name + "/scale", "application/merge-patch+json",
			fmt.Sprintf(`{"spec":{"replicas":%d}}`, number)
	case 8:
		return http.MethodPost, "/api/v1/namespaces/default/pods/" + name + "/eviction", asJSON,
			`{"kind":"Eviction","apiVersion":"policy/v1","metadata":{"name":"` + name + `"}}`
	}
	return http.MethodDelete, all + one(s, "/"+name, "/"+name, "/"+name, ""), asJSON,
		one(s, "", `{"propagationPolicy":"Background"}`, `{"kind":"DeleteOptions","apiVersion":"v1","gracePeriodSeconds":1}`)
}
