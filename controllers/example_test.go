package controllers_test

import (
	"context"
	"fmt"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kubestep/kubestep/controllers"
)

// A controller of one's own is a function that runs until its context ends. It uses its clients as on a cluster. A Go test starts it
// with scenariotest.Controller, and a program that is kubestep with command.Options.
func ExampleCustom() {
	var mine controllers.Custom = func(ctx context.Context, clients controllers.Clients) error {
		if _, err := clients.Client.CoreV1().ConfigMaps("default").List(ctx, metav1.ListOptions{}); err != nil {
			return err
		}
		<-ctx.Done()
		return nil
	}
	fmt.Println(mine != nil)
	// Output: true
}
