// Package program answers for containers. No container runs in a simulation; a program is Go functions that stand for what an image does,
// when somebody connects to it (Listen), and on the nodes of upstream's kubelet (Runs).
//
// Programs are registered by the image that they stand for. When the API server calls a webhook of a Service, or forwards a request to
// the API server behind one, as an APIService says, the call is routed as in a cluster: from the Service to the endpoints that are ready,
// to the Pod, to the container that listens at the port, and from its image to the program. A container whose image has no program
// listens to nothing. The server of the program has the certificate that is mounted into the container, and the API server verifies it
// with the caBundle of the webhook or of the APIService.
//
// Where several endpoints are ready, the first one by name answers; kube-proxy would draw one.
package program

import (
	"net/http"
	"path"
	"strings"
	"sync"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/util/cert"

	"github.com/kubestep/kubestep/sim"
	"github.com/kubestep/kubestep/sim/cluster/oci"
)

// Program stands for an image.
type Program struct {
	// Name is the actor of what the program does in the trace.
	Name string
	// Image matches the names of images or their last parts, with the patterns of path.Match, such as team/webhook:* or webhook:*, which
	// match registry.example.com/team/webhook:v1. The tag or digest is a part of the name.
	Image string
	// Listen returns what a container with the image listens with; nil means that it does not listen.
	Listen func(Container) *Server
	// Runs is what containers with the image run on the nodes of upstream's kubelet. Without a Main, they run what a container without a
	// program runs there.
	Runs oci.Image
}

// Server is what listens in a container.
type Server struct {
	Port    int32
	Handler http.Handler
	// Certificate is the chain of the server's certificate, in PEM. Without one, the API server verifies none.
	Certificate []byte
}

// Container is one container of a Pod.
type Container struct {
	Pod  *corev1.Pod
	Spec *corev1.Container

	state *sim.State
	// files reads a file of the container; nil if there are none, so that File reads objects.
	files func(name string) ([]byte, error)
	kept  map[string]any
}

// Keep returns what the container keeps in memory: what made returned when it was called for the first time in the life of the Pod.
func (c Container) Keep(made func() any) any {
	key := string(c.Pod.UID) + "/" + c.Spec.Name
	if _, found := c.kept[key]; !found {
		c.kept[key] = made()
	}
	return c.kept[key]
}

// Flag is the value of a flag among the arguments, --name=value; "" if there is none.
func (c Container) Flag(name string) string {
	for _, argument := range append(c.Spec.Command, c.Spec.Args...) {
		if value, ok := strings.CutPrefix(argument, "--"+name+"="); ok {
			return value
		}
	}
	return ""
}

// File reads a file of a Secret or ConfigMap that is mounted into the container. It is nil if there is none.
func (c Container) File(name string) []byte {
	if c.files != nil {
		data, _ := c.files(name)
		return data
	}
	for _, mount := range c.Spec.VolumeMounts {
		key, ok := strings.CutPrefix(path.Clean(name), path.Clean(mount.MountPath)+"/")
		if !ok {
			continue
		}
		for _, volume := range c.Pod.Spec.Volumes {
			if volume.Name == mount.Name {
				return c.read(volume, key)
			}
		}
	}
	return nil
}

// read reads a key of the object that a volume is made of.
func (c Container) read(volume corev1.Volume, key string) []byte {
	switch {
	case volume.Secret != nil:
		object, _ := c.state.Get(schema.GroupResource{Resource: "secrets"}, c.Pod.Namespace, volume.Secret.SecretName)
		if secret, ok := object.(*corev1.Secret); ok {
			return secret.Data[key]
		}
	case volume.ConfigMap != nil:
		object, _ := c.state.Get(schema.GroupResource{Resource: "configmaps"}, c.Pod.Namespace, volume.ConfigMap.Name)
		if config, ok := object.(*corev1.ConfigMap); ok {
			return []byte(config.Data[key])
		}
	}
	return nil
}

// registered are the programs of the process.
var registered = struct {
	sync.Mutex
	all []Program
}{all: []Program{Agnhost, SampleAPIServer, Busybox, NoNewPrivileges}}

// Register adds a program for the simulations of this process that start later. Of several programs for an image, the last one that was
// registered answers.
func Register(p Program) {
	registered.Lock()
	defer registered.Unlock()
	registered.all = append([]Program{p}, registered.all...)
}

// Image returns what containers with an image run, if a registered program says so.
func Image(name string) (image oci.Image, found bool) {
	registered.Lock()
	defer registered.Unlock()
	for _, p := range registered.all {
		if p.Runs.Main != nil && (p.matches(name) || p.matches(name+":latest")) {
			return p.Runs, true
		}
	}
	return image, false
}

// Start makes the registered programs answer in a simulation.
func Start(s *sim.Simulation) {
	registered.Lock()
	defer registered.Unlock()
	s.RouteWebhooks((&router{sim: s, programs: registered.all, kept: map[string]any{}}).route)
}

// matches reports whether the program stands for an image.
func (p Program) matches(image string) bool {
	parts := strings.Split(image, "/")
	if n := len(parts) - 1 - strings.Count(p.Image, "/"); n > 0 {
		parts = parts[n:]
	}
	matched, err := path.Match(p.Image, strings.Join(parts, "/"))
	return err == nil && matched
}

// chain reads the certificates of a server; it is nil if there are none.
func (s *Server) chain() ([]certificate, error) {
	if len(s.Certificate) == 0 {
		return nil, nil
	}
	return cert.ParseCertsPEM(s.Certificate)
}
