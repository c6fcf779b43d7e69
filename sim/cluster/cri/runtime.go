package cri

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"net"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"time"

	corev1 "k8s.io/api/core/v1"
	runtimeapi "k8s.io/cri-api/pkg/apis/runtime/v1"

	"github.com/kubestep/kubestep/sim/cluster/oci"
	"github.com/kubestep/kubestep/sim/trace"
)

// What the runtime calls itself: kubectl get nodes -o wide prints it.
const (
	Name    = "kubestep"
	Version = "1.0.0"
)

// Options are what a runtime needs.
type Options struct {
	// Node is the name of the node.
	Node string
	// Seed returns the seed that decides what is drawn now; nil means that it is 0.
	Seed func() uint64
	// Programs are what containers run, each the first that is for it.
	Programs []Program
	// File returns where a file of the node is on the machine; nil if they have one name.
	File func(name string) string
	// Address returns the address of another Pod.
	Address func() string
	// Ends reports whether a container of a Pod ends at once, with 0, if no program is for its image; nil means that none does.
	Ends func(namespace, pod, container string) bool
	// Image returns what a container with an image runs, if that is a program in Go; nil means that none is.
	Image func(name string) (image oci.Image, found bool)
	// Go starts a goroutine of a program in Go. Those programs are killed when Context ends.
	Go      func(func())
	Context context.Context
	// Pod returns a Pod; nil if it is gone.
	Pod func(namespace, name string) *corev1.Pod
	// Dial connects a program in Go to an address of the cluster, and Lookup finds the addresses of a name.
	Dial   func(ctx context.Context, from Source, address string) (net.Conn, error)
	Lookup func(from Source, name string) ([]string, error)
	// Zero is the virtual date of time zero.
	Zero time.Time
	// Notice gets what the runtime does with containers, on the goroutine that asked for it; nil for nobody.
	Notice func(trace.Container)
}

// Runtime is the container runtime of a node. It implements RuntimeService and ImageManagerService of
// k8s.io/cri-api/pkg/apis; Images returns the second, since both have a method Close.
type Runtime struct {
	options Options

	mu         sync.Mutex
	sandboxes  ordered[*sandbox]
	containers ordered[*container]
	images     ordered[*image]
	faults     []placed
	// lifted is closed when a fault is lifted; nil while nobody waits for that.
	lifted chan struct{}
	// pulls counts the pulls that failed, by image.
	pulls map[string]int
	// used are the programs, by their indexes, that ran in a container, or whose images were pulled.
	used map[int]bool
	made int
	// changed is called at each change; nil for nobody.
	changed func()
	// memory are the folders of the node that stand for a tmpfs.
	memory map[string]bool
	// left is what containers that are gone have written to volumes, by folder of the node.
	left map[string]uint64
	// bound are folders of the machine that stand for folders of the node, such as the content of a volume that a driver mounts.
	bound map[string]string
}

// New returns the runtime of a node without a container.
func New(options Options) *Runtime {
	if options.Seed == nil {
		options.Seed = func() uint64 { return 0 }
	}
	return &Runtime{
		options: options, pulls: map[string]int{}, used: map[int]bool{}, memory: map[string]bool{}, left: map[string]uint64{},
		bound: map[string]string{},
	}
}

// id is a new identifier, of 64 hexadecimal digits as containerd's.
func (r *Runtime) id(kind string) string {
	r.made++
	sum := sha256.Sum256([]byte(kind + "|" + r.options.Node + "|" + strconv.FormatUint(r.options.Seed(), 16) + "|" + strconv.Itoa(r.made)))
	return hex.EncodeToString(sum[:])
}

// IsEmpty reports whether there is neither a sandbox nor a container, whatever their states.
func (r *Runtime) IsEmpty() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return len(r.sandboxes.ids) == 0 && len(r.containers.ids) == 0
}

// WasUsed reports whether there ever was one.
func (r *Runtime) WasUsed() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.made > 0
}

// onMachine is where a file of the node is.
func (r *Runtime) onMachine(name string) string {
	if r.options.File == nil {
		return name
	}
	return r.options.File(name)
}

// Bind makes containers that start from now on find a folder of the machine in place of one of the node.
func (r *Runtime) Bind(name, onMachine string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.bound[name] = onMachine
}

// Unbind ends what Bind began.
func (r *Runtime) Unbind(name string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	delete(r.bound, name)
}

// mountedFrom is where a file of the node, which may be in a folder that is bound, is on the machine. The caller holds the lock.
func (r *Runtime) mountedFrom(name string) string {
	for folder := name; len(folder) > 1; folder = filepath.Dir(folder) {
		if onMachine, found := r.bound[folder]; found {
			return filepath.Join(onMachine, strings.TrimPrefix(name, folder))
		}
	}
	return r.onMachine(name)
}

// KeepInMemory notes that a folder of the node, which is on its disk, stands for a tmpfs.
func (r *Runtime) KeepInMemory(name string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.memory[name] = true
}

// Version implements RuntimeService.
func (r *Runtime) Version(context.Context, string) (*runtimeapi.VersionResponse, error) {
	return &runtimeapi.VersionResponse{Version: "0.1.0", RuntimeName: Name, RuntimeVersion: Version, RuntimeApiVersion: "v1"}, nil
}

// Status implements RuntimeService: the runtime and its network are ready.
func (r *Runtime) Status(context.Context, bool) (*runtimeapi.StatusResponse, error) {
	return &runtimeapi.StatusResponse{Status: &runtimeapi.RuntimeStatus{Conditions: []*runtimeapi.RuntimeCondition{
		{Type: runtimeapi.RuntimeReady, Status: true}, {Type: runtimeapi.NetworkReady, Status: true},
	}}}, nil
}

// RuntimeConfig implements RuntimeService.
func (r *Runtime) RuntimeConfig(context.Context) (*runtimeapi.RuntimeConfigResponse, error) {
	linux := &runtimeapi.LinuxRuntimeConfiguration{CgroupDriver: runtimeapi.CgroupDriver_CGROUPFS}
	return &runtimeapi.RuntimeConfigResponse{Linux: linux}, nil
}

// UpdateRuntimeConfig implements RuntimeService: the runtime draws no address from the Pod CIDR of its node.
func (r *Runtime) UpdateRuntimeConfig(context.Context, *runtimeapi.RuntimeConfig) error { return nil }

// ordered holds things by their identifiers, in the order in which they were made.
type ordered[T any] struct {
	ids  []string
	byID map[string]T
}

func (o *ordered[T]) add(id string, one T) {
	if o.byID == nil {
		o.byID = map[string]T{}
	}
	o.ids = append(o.ids, id)
	o.byID[id] = one
}

func (o *ordered[T]) remove(id string) {
	if _, found := o.byID[id]; !found {
		return
	}
	delete(o.byID, id)
	for i, other := range o.ids {
		if other == id {
			o.ids = append(o.ids[:i:i], o.ids[i+1:]...)
			return
		}
	}
}

// all calls do with each, the newest first: that is the order of containerd's and CRI-O's lists.
func (o *ordered[T]) all(do func(T)) {
	for i := len(o.ids) - 1; i >= 0; i-- {
		do(o.byID[o.ids[i]])
	}
}

// sleep waits in virtual time; an error means that the caller gave up.
func sleep(ctx context.Context, d time.Duration) error {
	if d <= 0 {
		return ctx.Err()
	}
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// matches reports whether labels have all that a filter selects.
func matches(labels, selector map[string]string) bool {
	for key, value := range selector {
		if labels[key] != value {
			return false
		}
	}
	return true
}
