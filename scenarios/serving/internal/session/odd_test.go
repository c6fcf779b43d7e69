package session_test

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/kubestep/kubestep/sim/network/live"
)

// TestOddRequestsLeaveNothingBehind sends thousands of requests that are wrong in many ways, or whose clients do not wait for the answer,
// none like another. They leave no step and no record, and take no memory.
func TestOddRequestsLeaveNothingBehind(t *testing.T) {
	r := startOf(t, strings.Replace(withSteps("[]"), "managedFields: true", "managedFields: true, customResources: true", 1), live.Pace{})
	eventually(t, "open", r.Door.IsOpen)
	client := &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 1}}
	defer client.CloseIdleConnections()
	const warm, count = 500, 10_000
	send := func(from, to int) {
		for i := from; i < to; i++ {
			odd(t, client, r.url, i)
		}
	}
	send(0, warm)
	before := heap()
	send(warm, count)
	const most = 400 // bytes for each request
	if grown := heap() - before; grown > most*(count-warm) {
		t.Errorf("%d requests have taken %d bytes", count-warm, grown)
	}
	if steps, _ := r.Steps(); steps != 0 {
		t.Errorf("%d steps", steps)
	}
	r.replays(t)
}

// odd sends a request that is like no other with another number.
func odd(t *testing.T, client *http.Client, url string, i int) {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	method, path, body := "GET", fmt.Sprintf("/odd/%d", i), ""
	accept, credentials := "application/json", "Bearer "+token
	long := fmt.Sprintf("%d%s", i, strings.Repeat("x", 2000))
	switch i % 16 {
	case 0: // a path that nothing has
	case 1:
		path = "/apis/" + long
	case 2:
		path = "/apis/apps/v1/" + long
	case 3:
		path = "/api/v1/namespaces/default/" + long
	case 4:
		path = fmt.Sprintf("/api?odd=%d", i)
	case 5:
		path = fmt.Sprintf("/openapi/v3/%d?hash=%s", i, long)
	case 6:
		path, accept = "/api/v1/pods", "application/"+long
	case 7:
		path = "/api/v1/pods?labelSelector=!!" + long
	case 8:
		path = "/api/v1/pods?watch=true&resourceVersion=" + long
	case 9:
		credentials = "Bearer " + long
	case 10:
		method = "ODD" + fmt.Sprint(i)
	case 11:
		method, path = "POST", "/apis/"+long
	case 12:
		path = "/apis/apps/v1/namespaces/default/deployments/" + long
	case 13:
		method, path, body = "POST", "/api/v1/namespaces/default/configmaps?dryRun=All", "{"+long
	case 14: // a watch whose client goes
		path = fmt.Sprintf("/api/v1/pods?watch=true&odd=%d", i)
		time.AfterFunc(time.Millisecond, cancel)
	case 15: // a list whose client goes
		path = fmt.Sprintf("/api/v1/nodes?odd=%d", i)
		time.AfterFunc(time.Duration(i%3)*100*time.Microsecond, cancel)
	}
	request, err := http.NewRequestWithContext(ctx, method, url+path, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	request.Header.Set("Accept", accept)
	request.Header.Set("Authorization", credentials)
	response, err := client.Do(request)
	if err != nil {
		if ctx.Err() == nil {
			t.Fatal(err)
		}
		return
	}
	defer response.Body.Close()
	_, _ = io.Copy(io.Discard, response.Body)
}

// heap is how many bytes live in this process. What has just ended may take a while to go.
func heap() int {
	least := 0
	for i := range 5 {
		time.Sleep(20 * time.Millisecond)
		runtime.GC()
		var stats runtime.MemStats
		runtime.ReadMemStats(&stats)
		if now := int(stats.HeapAlloc); i == 0 || now < least {
			least = now
		}
	}
	return least
}
