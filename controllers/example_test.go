package controllers_test

import (
	"context"
	"fmt"
	"testing"
	"testing/synctest"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"

	"github.com/kubestep/kubestep/controllers"
	"github.com/kubestep/kubestep/scenarios/scenariotest"
	"github.com/kubestep/kubestep/sim/simtest"
)

// A controller of one's own is a function that runs until its context ends. It uses its clients as on a cluster. A Go test starts it
// with scenariotest.Controller, and a program that is kubestep with command.Options.
func ExampleCustom() {
	greeter := func(ctx context.Context, clients controllers.Clients) error {
		greeting := &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Name: "greeting"}, Data: map[string]string{"from": clients.Name()}}
		if _, err := clients.Client.CoreV1().ConfigMaps("default").Create(ctx, greeting, metav1.CreateOptions{}); err != nil {
			return err
		}
		<-ctx.Done()
		return nil
	}
	t := new(testing.T) // in a test, its parameter
	result := scenariotest.Run(t, `
apiVersion: kubestep.dev/v1alpha1
kind: Scenario
metadata: {name: greeting}
spec:
  title: A controller greets
  horizon: 1m
  kubernetes: {controllers: []}
  steps: []
  checks:
  - {name: greeted, at-end: "configmap('greeting').data.from == 'greeter'"}
`, scenariotest.Controller("greeter", greeter))
	for _, check := range result.Outcome.Checks {
		if !check.Invariant {
			fmt.Println(check.Name, check.Passed)
		}
	}
	// Output: greeted true
}

// A Go test gets kube-controller-manager's controllers beside its API server.
func ExampleComponent() {
	t := new(testing.T) // in a test, its parameter
	synctest.Test(t, func(t *testing.T) {
		cluster := simtest.Start(t, simtest.Options{Components: []simtest.Component{controllers.Component("serviceaccount-controller")}})
		client := kubernetes.NewForConfigOrDie(cluster.Config)
		shop := &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: "shop"}}
		if _, err := client.CoreV1().Namespaces().Create(t.Context(), shop, metav1.CreateOptions{}); err != nil {
			fmt.Println(err)
		}
		time.Sleep(time.Minute)
		accounts, err := client.CoreV1().ServiceAccounts("shop").List(t.Context(), metav1.ListOptions{})
		fmt.Println(accounts.Items[0].Name, err)
	})
	// Output: default <nil>
}
