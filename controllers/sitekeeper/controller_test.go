package sitekeeper

import (
	"context"
	"maps"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/kubernetes"
	"sigs.k8s.io/yaml"

	"github.com/kubestep/kubestep/sim/simtest"
)

// test is a user with clients, on a control plane on which the controller runs.
type test struct {
	*testing.T
	client kubernetes.Interface
	sites  SiteClient
}

// cluster runs the controller on a real API server in virtual time, and calls user. A fake clientset would do for the
// ConfigMaps, but it would not check the schema, keep the status apart from the spec, or wait for finalizers.
func cluster(t *testing.T, user func(t test)) {
	synctest.Test(t, func(t *testing.T) {
		cluster := simtest.Start(t, simtest.Options{Server: simtest.Server{CustomResources: true}})
		definition := &unstructured.Unstructured{}
		if err := yaml.Unmarshal([]byte(Definition), &definition.Object); err != nil {
			t.Fatal(err)
		}
		definitions := schema.GroupVersionResource{Group: "apiextensions.k8s.io", Version: "v1", Resource: "customresourcedefinitions"}
		_, err := dynamic.NewForConfigOrDie(cluster.Config).Resource(definitions).Create(t.Context(), definition, metav1.CreateOptions{})
		if err != nil {
			t.Fatal(err)
		}
		time.Sleep(5 * time.Second)

		ctx, cancel := context.WithCancel(t.Context())
		done := make(chan error)
		go func() { done <- Run(ctx, cluster.ConfigOf(Name), Options{}) }()
		clientset, err := NewForConfig(cluster.Config)
		if err != nil {
			t.Fatal(err)
		}
		user(test{t, kubernetes.NewForConfigOrDie(cluster.Config), clientset.Sites("default")})
		cancel()
		if err := <-done; err != nil {
			t.Error(err)
		}
	})
}

func (t test) create(name, host string) error {
	site := &Site{ObjectMeta: metav1.ObjectMeta{Name: name}, Spec: SiteSpec{Host: host, Page: "<h1>" + name + "</h1>"}}
	_, err := t.sites.Create(t.Context(), site, metav1.CreateOptions{})
	return err
}

// get returns a Site after the controller has had the time to work on it.
func (t test) get(name string) *Site {
	t.Helper()
	time.Sleep(time.Second)
	site, err := t.sites.Get(t.Context(), name, metav1.GetOptions{})
	if err != nil {
		t.Fatal(err)
	}
	return site
}

func (t test) wantReady(name, reason string, generation int64) {
	t.Helper()
	site := t.get(name)
	ready := meta.FindStatusCondition(site.Status.Conditions, Ready)
	if ready == nil || ready.Reason != reason || ready.ObservedGeneration != generation || site.Status.ObservedGeneration != generation {
		t.Errorf("site %s: status %+v; want %s of generation %d", name, site.Status, reason, generation)
	}
}

func (t test) wantHosts(want map[string]string) {
	t.Helper()
	time.Sleep(time.Second)
	hosts, err := t.client.CoreV1().ConfigMaps(HostsNamespace).Get(t.Context(), HostsName, metav1.GetOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if !maps.Equal(hosts.Data, want) {
		t.Errorf("hosts: %v, want %v", hosts.Data, want)
	}
}

func TestASiteIsServed(t *testing.T) {
	cluster(t, func(t test) {
		if err := t.create("shop", "shop.example.com"); err != nil {
			t.Fatal(err)
		}
		t.wantReady("shop", Served, 1)
		t.wantHosts(map[string]string{"shop.example.com": "default/shop"})

		site := t.get("shop")
		site.Spec.Page = "closed"
		if _, err := t.sites.Update(t.Context(), site, metav1.UpdateOptions{}); err != nil {
			t.Fatal(err)
		}
		t.wantReady("shop", Served, 2)
		page, err := t.client.CoreV1().ConfigMaps("default").Get(t.Context(), "shop-page", metav1.GetOptions{})
		if err != nil || page.Data[pageKey] != "closed" || !metav1.IsControlledBy(page, site) {
			t.Errorf("the page: %v, %v", page, err)
		}
	})
}

// TestTheSecondSiteGetsTheHostLater also shows that a Site with a host ends only after the host is released.
func TestTheSecondSiteGetsTheHostLater(t *testing.T) {
	cluster(t, func(t test) {
		for _, name := range []string{"shop", "sale"} {
			if err := t.create(name, "shop.example.com"); err != nil {
				t.Fatal(err)
			}
			time.Sleep(time.Second)
		}
		t.wantReady("sale", HostTaken, 1)
		if err := t.sites.Delete(t.Context(), "shop", metav1.DeleteOptions{}); err != nil {
			t.Fatal(err)
		}
		t.wantReady("sale", Served, 1)
		t.wantHosts(map[string]string{"shop.example.com": "default/sale"})
		if _, err := t.sites.Get(t.Context(), "shop", metav1.GetOptions{}); !apierrors.IsNotFound(err) {
			t.Errorf("the first site: %v", err)
		}
	})
}

// TestASiteAtRestIsNotWritten looks at the resourceVersion, which each write changes.
func TestASiteAtRestIsNotWritten(t *testing.T) {
	cluster(t, func(t test) {
		if err := t.create("shop", "shop.example.com"); err != nil {
			t.Fatal(err)
		}
		before := t.get("shop").ResourceVersion
		time.Sleep(13 * time.Hour) // the informers resync once
		if after := t.get("shop").ResourceVersion; after != before {
			t.Errorf("resourceVersion %s -> %s", before, after)
		}
	})
}

func TestTheDefinitionRefuses(t *testing.T) {
	cluster(t, func(t test) {
		if err := t.create("shop", "Shop!"); !apierrors.IsInvalid(err) {
			t.Errorf("a host that is not one: %v", err)
		}
		if err := t.create("shop", "shop.example.com"); err != nil {
			t.Fatal(err)
		}
		site := t.get("shop")
		site.Spec.Host = "www.example.com"
		_, err := t.sites.Update(t.Context(), site, metav1.UpdateOptions{})
		if !apierrors.IsInvalid(err) || !strings.Contains(err.Error(), "the host of a Site does not change") {
			t.Errorf("another host: %v", err)
		}
	})
}

// TestCopiesShareNothing changes a copy in each field that is not a plain value.
func TestCopiesShareNothing(t *testing.T) {
	list := &SiteList{Items: []Site{{
		ObjectMeta: metav1.ObjectMeta{Labels: map[string]string{"a": "b"}},
		Status:     SiteStatus{Conditions: []metav1.Condition{{Type: Ready}}},
	}}}
	changed := list.DeepCopyObject().(*SiteList)
	changed.Items[0].Labels["a"], changed.Items[0].Status.Conditions[0].Type = "c", "Changed"
	if site := list.Items[0]; site.Labels["a"] != "b" || site.Status.Conditions[0].Type != Ready {
		t.Errorf("a change of the copy changed the original: %+v", site)
	}
}
