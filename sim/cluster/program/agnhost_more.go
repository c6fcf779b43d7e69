package program

import (
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"sync"

	"github.com/spf13/pflag"
	"google.golang.org/grpc"
	"google.golang.org/grpc/health"
	"google.golang.org/grpc/health/grpc_health_v1"

	"github.com/kubestep/kubestep/sim/cluster/oci"
)

// nettest notes who has written to it. It looks for no peers.
func nettest(p *oci.Process) int {
	port := 8080
	if !agnhostFlags(p, func(set *pflag.FlagSet) { set.IntVar(&port, "port", port, "") }) {
		return 1
	}
	var mu sync.Mutex
	received := map[string]int{}
	mux := http.NewServeMux()
	mux.HandleFunc("/write", func(w http.ResponseWriter, r *http.Request) {
		var from struct{ Source string }
		if err := json.NewDecoder(r.Body).Decode(&from); err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		mu.Lock()
		defer mu.Unlock()
		received[from.Source]++
		_ = json.NewEncoder(w).Encode(map[string]string{"Hostname": p.Container.Hostname})
	})
	mux.HandleFunc("/read", func(w http.ResponseWriter, _ *http.Request) {
		mu.Lock()
		defer mu.Unlock()
		_ = json.NewEncoder(w).Encode(map[string]any{"Hostname": p.Container.Hostname, "Received": maps.Clone(received)})
	})
	return serve(p, mux, nil, int32(port))
}

// grpcHealth serves the health service of gRPC, which is SERVING; its other port makes it NOT_SERVING.
func grpcHealth(p *oci.Process) int {
	var port, other int
	var service string
	if !agnhostFlags(p, func(set *pflag.FlagSet) {
		set.IntVar(&port, "port", 5000, "")
		set.IntVar(&other, "http-port", 8080, "")
		set.StringVar(&service, "service", "", "")
		set.Int("delay-unhealthy-sec", -1, "")
	}) {
		return 1
	}
	listener, err := p.Container.Network.Listen(int32(port))
	if err != nil {
		return complain(p, "%v", err)
	}
	states := health.NewServer()
	set := func(state grpc_health_v1.HealthCheckResponse_ServingStatus) http.HandlerFunc {
		return func(http.ResponseWriter, *http.Request) { states.SetServingStatus(service, state) }
	}
	set(grpc_health_v1.HealthCheckResponse_SERVING)(nil, nil)
	server := grpc.NewServer()
	grpc_health_v1.RegisterHealthServer(server, states)
	defer server.Stop()
	go func() { _ = server.Serve(listener) }()
	mux := http.NewServeMux()
	mux.HandleFunc("/make-serving", set(grpc_health_v1.HealthCheckResponse_SERVING))
	mux.HandleFunc("/make-not-serving", set(grpc_health_v1.HealthCheckResponse_NOT_SERVING))
	return serve(p, mux, nil, int32(other))
}

// noNewPrivileges prints who runs it: its file belongs to root and has the setuid bit.
func noNewPrivileges(p *oci.Process) int {
	user := int64(0)
	if s := specOf(p.Container).SecurityContext; s != nil && s.AllowPrivilegeEscalation != nil && !*s.AllowPrivilegeEscalation {
		user = p.Container.User
	}
	fmt.Fprintf(p.Stdout, "Effective uid: %d\n", user)
	return 0
}
