package program

import (
	"crypto/tls"
	"crypto/x509"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"

	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/kubestep/kubestep/sim"
	"github.com/kubestep/kubestep/sim/apiserver/webhook"
)

// certificate is one of a chain.
type certificate = *x509.Certificate

// router finds the program for a call.
type router struct {
	sim      *sim.Simulation
	programs []Program
	// kept is the memory of containers.
	kept map[string]any
}

// route finds the server of a call to a Service, on the goroutine of the engine. It is nil if no program stands for what is behind the
// Service, and an error if the API server does not trust the program's certificate.
func (r *router) route(request *http.Request) (*webhook.Server, error) {
	namespace, name, port, ok := serviceOf(request.URL.Host)
	if !ok {
		return nil, nil
	}
	for _, end := range r.endpoints(namespace, name, port) {
		object, _ := r.sim.State.Get(schema.GroupResource{Resource: "pods"}, namespace, end.pod)
		pod, ok := object.(*corev1.Pod)
		if !ok {
			continue
		}
		program, server := r.listening(pod, end.port)
		if server == nil {
			continue
		}
		if err := r.verify(server, webhook.TLSOf(request.Context())); err != nil {
			return nil, err
		}
		return &webhook.Server{Actor: program.Name, Context: r.sim.Context(), Handler: server.Handler}, nil
	}
	return nil, nil
}

// serviceOf reads the address of a Service, NAME.NAMESPACE.svc:PORT.
func serviceOf(host string) (namespace, name string, port int32, ok bool) {
	host, number, found := strings.Cut(host, ":")
	if !found {
		number = "443"
	}
	n, err := strconv.ParseInt(number, 10, 32)
	parts := strings.Split(host, ".")
	if err != nil || len(parts) != 3 || parts[2] != "svc" {
		return "", "", 0, false
	}
	return parts[1], parts[0], int32(n), true
}

// endpoint is a Pod behind a Service, and the port to which a port of the Service leads there.
type endpoint struct {
	pod  string
	port int32
}

// endpoints are those behind a port of a Service that are ready, by the names of their Pods.
func (r *router) endpoints(namespace, name string, port int32) (out []endpoint) {
	object, _ := r.sim.State.Get(schema.GroupResource{Resource: "services"}, namespace, name)
	service, ok := object.(*corev1.Service)
	if !ok {
		return nil
	}
	at := slices.IndexFunc(service.Spec.Ports, func(p corev1.ServicePort) bool { return p.Port == port })
	if at < 0 {
		return nil
	}
	for _, object := range r.sim.State.List(schema.GroupResource{Group: discoveryv1.GroupName, Resource: "endpointslices"}, namespace) {
		slice, ok := object.(*discoveryv1.EndpointSlice)
		if !ok || slice.Labels[discoveryv1.LabelServiceName] != name {
			continue
		}
		for _, p := range slice.Ports {
			if p.Port == nil || p.Name != nil && *p.Name != service.Spec.Ports[at].Name {
				continue
			}
			for _, e := range slice.Endpoints {
				if e.TargetRef != nil && (e.Conditions.Ready == nil || *e.Conditions.Ready) {
					out = append(out, endpoint{e.TargetRef.Name, *p.Port})
				}
			}
		}
	}
	slices.SortStableFunc(out, func(a, b endpoint) int { return strings.Compare(a.pod, b.pod) })
	return out
}

// listening finds the container of a Pod that listens at a port.
func (r *router) listening(pod *corev1.Pod, port int32) (Program, *Server) {
	for i := range pod.Spec.Containers {
		container := Container{Pod: pod, Spec: &pod.Spec.Containers[i], state: r.sim.State, kept: r.kept}
		at := slices.IndexFunc(r.programs, func(p Program) bool { return p.matches(container.Spec.Image) })
		if at < 0 {
			continue
		}
		if server := r.programs[at].Listen(container); server != nil && server.Port == port {
			return r.programs[at], server
		}
	}
	return Program{}, nil
}

// verify is what a client with a configuration does when it connects to a server. The certificates of the machine are not trusted.
func (r *router) verify(server *Server, config *tls.Config) error {
	chain, err := server.chain()
	if err != nil || len(chain) == 0 || config == nil || config.InsecureSkipVerify {
		return err
	}
	roots := config.RootCAs
	if roots == nil {
		roots = x509.NewCertPool()
	}
	others := x509.NewCertPool()
	for _, c := range chain[1:] {
		others.AddCert(c)
	}
	_, err = chain[0].Verify(x509.VerifyOptions{
		Roots: roots, Intermediates: others, DNSName: config.ServerName, CurrentTime: r.sim.Engine.Date(),
	})
	if err != nil {
		return fmt.Errorf("tls: failed to verify certificate: %w", err)
	}
	return nil
}
