package session_test

import (
	"encoding/base64"
	"encoding/json"
	"net/http"
	"strings"
	"testing"

	"golang.org/x/net/websocket"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kubestep/kubestep/sim/network/live"
)

// TestWatchByWebSocket: programs in browsers watch by WebSockets. Each event is a message. Their token is among the protocols, since
// browsers cannot set headers.
func TestWatchByWebSocket(t *testing.T) {
	r := start(t, live.Pace{})
	open := func(protocols []string, header http.Header) (*websocket.Conn, error) {
		config, err := websocket.NewConfig("ws"+strings.TrimPrefix(r.url, "http")+"/api/v1/namespaces/default/configmaps?watch=1", r.url)
		if err != nil {
			t.Fatal(err)
		}
		config.Protocol, config.Header = protocols, header
		return websocket.DialConfig(config)
	}
	bearer := func(token string) []string {
		return []string{"base64url.bearer.authorization.k8s.io." + base64.RawURLEncoding.EncodeToString([]byte(token)), "base64.binary.k8s.io"}
	}
	inHeader := func(accept string) http.Header {
		return http.Header{"Authorization": {"Bearer " + token}, "Accept": {accept}}
	}
	for name, wrong := range map[string][]string{"no token": nil, "a wrong token": bearer("wrong"), "no other protocol": bearer(token)[:1]} {
		if ws, err := open(wrong, http.Header{}); err == nil {
			ws.Close()
			t.Errorf("a WebSocket opens with %s", name)
		}
	}
	inBrowser, err := open(bearer(token), http.Header{})
	if err != nil {
		t.Fatal(err)
	}
	if protocols := inBrowser.Config().Protocol; len(protocols) != 1 || protocols[0] != "base64.binary.k8s.io" {
		t.Errorf("the protocols are %v", protocols)
	}
	asText, err := open(nil, inHeader("application/json"))
	if err != nil {
		t.Fatal(err)
	}
	inBinary, err := open(nil, inHeader("application/vnd.kubernetes.protobuf"))
	if err != nil {
		t.Fatal(err)
	}
	object := &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Name: "web"}}
	if _, err := r.client(token).CoreV1().ConfigMaps("default").Create(t.Context(), object, metav1.CreateOptions{}); err != nil {
		t.Fatal(err)
	}
	for _, ws := range []*websocket.Conn{inBrowser, asText} {
		data, kind := messageWith(t, ws, `"name":"web"`)
		var event metav1.WatchEvent
		if err := json.Unmarshal(data, &event); err != nil || kind != websocket.TextFrame || event.Type != "ADDED" {
			t.Errorf("a message of kind %d, %v: %s", kind, err, data)
		}
	}
	// In protobuf, no length is before the event.
	if data, kind := messageWith(t, inBinary, "web"); kind != websocket.BinaryFrame || !strings.HasPrefix(string(data), "\n\x05ADDED") {
		t.Errorf("a message of kind %d: %q", kind, data)
	}
	r.end(t)
	// The watches end with the session.
	var rest []byte
	for websocket.Message.Receive(inBinary, &rest) == nil {
	}
}

// messageWith waits for a message with a text.
func messageWith(t *testing.T, ws *websocket.Conn, text string) (data []byte, kind byte) {
	t.Helper()
	whole := websocket.Codec{Unmarshal: func(received []byte, payloadType byte, _ any) error {
		data, kind = received, payloadType
		return nil
	}}
	for {
		if err := whole.Receive(ws, nil); err != nil {
			t.Fatal(err)
		}
		if strings.Contains(string(data), text) {
			return data, kind
		}
	}
}
