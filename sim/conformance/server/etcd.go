package server

import (
	"context"
	"errors"
	"fmt"
	"sync"

	mvccpb "go.etcd.io/etcd/api/v3/mvccpb"
	clientv3 "go.etcd.io/etcd/client/v3"

	"github.com/kubestep/kubestep/sim/apiserver"
	"github.com/kubestep/kubestep/sim/simtest"
)

// kv is a client of etcd for tests that read or write a single key behind the back of the API server. Its other methods
// are nil.
type kv struct {
	clientv3.KV
	cluster *simtest.Cluster
	// prefix is the test's for all keys; the simulation has its own.
	prefix string
}

// registry is where the simulation keeps everything in its store.
const registry = "/registry"

// newEtcdClient returns a client of the store of a cluster.
func newEtcdClient(cluster *simtest.Cluster, prefix string) *clientv3.Client {
	client := clientv3.NewCtxClient(context.Background())
	client.KV = &kv{cluster: cluster, prefix: "/" + prefix}
	return client
}

// key is the key of the simulation that stands for one of the test.
func (k *kv) key(key string) (string, error) {
	if len(key) < len(k.prefix) || key[:len(k.prefix)] != k.prefix {
		return "", fmt.Errorf("key %s: not below %s", key, k.prefix)
	}
	return registry + key[len(k.prefix):], nil
}

// Put implements clientv3.KV. It can only create.
func (k *kv) Put(_ context.Context, _, value string, options ...clientv3.OpOption) (*clientv3.PutResponse, error) {
	if len(options) > 0 {
		return nil, errors.New("the store in memory knows no options of etcd")
	}
	world := k.cluster.Simulation
	var request apiserver.Request
	var err error
	world.Engine.Call("etcd|put", func() {
		if request, err = restoring(world.Server, []byte(value)); err == nil {
			err = world.Restore(request)
		}
	})
	return &clientv3.PutResponse{}, err
}

// Get implements clientv3.KV, for a single key.
func (k *kv) Get(_ context.Context, key string, options ...clientv3.OpOption) (*clientv3.GetResponse, error) {
	if len(options) > 0 {
		return nil, errors.New("the store in memory knows no options of etcd")
	}
	own, err := k.key(key)
	if err != nil {
		return nil, err
	}
	response := &clientv3.GetResponse{}
	world := k.cluster.Simulation
	world.Engine.Call("etcd|get", func() {
		encoded, revision, found := world.Server.Data(own)
		if !found {
			return
		}
		var data []byte
		if data, err = asJSON(encoded); err == nil {
			response.Count = 1
			response.Kvs = []*mvccpb.KeyValue{{Key: []byte(key), Value: data, ModRevision: int64(revision)}}
		}
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
func leave(prefix string, cluster *simtest.Cluster) {
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
