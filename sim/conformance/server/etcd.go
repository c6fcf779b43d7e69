package server

import (
	"context"
	"errors"
	"fmt"
	"path"
	"strings"
	"sync"

	mvccpb "go.etcd.io/etcd/api/v3/mvccpb"
	clientv3 "go.etcd.io/etcd/client/v3"

	"github.com/kubestep/kubestep/sim/apiserver"
	"github.com/kubestep/kubestep/sim/cluster/bubble"
)

// kv is a client of etcd for tests that read or write a single key behind the back of the API server. Its other methods
// are nil.
type kv struct{ clientv3.KV }

// registry is where the simulation keeps everything in its store.
const registry = "/registry"

// newEtcdClient returns a client of the stores of all control planes that run.
func newEtcdClient() *clientv3.Client {
	client := clientv3.NewCtxClient(context.Background())
	client.KV = kv{}
	return client
}

// served are the control planes that run, by the prefix that a test has for all keys of one.
var served = struct {
	sync.Mutex
	stores map[string]store
}{stores: map[string]store{}}

// store is that of a control plane.
type store struct {
	cluster *bubble.Cluster
	// json means that the test has asked the server to store JSON. It stores protobuf all the same.
	json bool
}

func serve(prefix string, s store) {
	served.Lock()
	defer served.Unlock()
	served.stores["/"+strings.Trim(prefix, "/")+"/"] = s
}

// find returns the store of a key, and what comes behind the prefix.
func find(key string) (found store, name string, err error) {
	served.Lock()
	defer served.Unlock()
	for prefix, s := range served.stores {
		if name, ok := strings.CutPrefix(key, prefix); ok {
			return s, name, nil
		}
	}
	return store{}, "", fmt.Errorf("key %s: it has the prefix of no control plane", key)
}

// Put implements clientv3.KV. It can only create.
func (kv) Put(_ context.Context, key, value string, options ...clientv3.OpOption) (*clientv3.PutResponse, error) {
	if len(options) > 0 {
		return nil, errors.New("the store in memory knows no options of etcd")
	}
	store, name, err := find(key)
	if err != nil {
		return nil, err
	}
	world := store.cluster.Simulation
	world.Engine.Call("etcd|put", func() {
		var request apiserver.Request
		if request, err = restoring(world.Server, name, []byte(value)); err == nil {
			err = world.Restore(request)
		}
	})
	return &clientv3.PutResponse{}, err
}

// Get implements clientv3.KV, for a single key.
func (kv) Get(_ context.Context, key string, options ...clientv3.OpOption) (*clientv3.GetResponse, error) {
	if len(options) > 0 {
		return nil, errors.New("the store in memory knows no options of etcd")
	}
	store, name, err := find(key)
	if err != nil {
		return nil, err
	}
	response := &clientv3.GetResponse{}
	world := store.cluster.Simulation
	world.Engine.Call("etcd|get", func() {
		encoded, revision, found := world.Server.Data(path.Join(registry, name))
		if !found {
			return
		}
		if store.json {
			if encoded, err = asJSON(encoded); err != nil {
				return
			}
		}
		response.Count = 1
		response.Kvs = []*mvccpb.KeyValue{{Key: []byte(key), Value: encoded, ModRevision: int64(revision)}}
	})
	return response, err
}

// stores are the objects that control planes have left in a store, by its prefix, for the next one on the same store.
var stores = struct {
	sync.Mutex
	objects map[string][]apiserver.Request
}{objects: map[string][]apiserver.Request{}}

// left returns what the last control plane on a store has left in it.
func left(prefix string) []apiserver.Request {
	stores.Lock()
	defer stores.Unlock()
	return stores.objects[prefix]
}

// leave keeps what a control plane that has ended holds.
func leave(prefix string, cluster *bubble.Cluster) {
	world := cluster.Simulation
	var objects []apiserver.Request
	for _, r := range stored(world.Server) {
		for _, object := range world.State.List(r.GroupResource(), "") {
			request, err := requestOf(r, object)
			if err != nil {
				note("an object is not kept: %v", err)
				continue
			}
			objects = append(objects, request)
		}
	}
	stores.Lock()
	defer stores.Unlock()
	stores.objects[prefix] = objects
}
