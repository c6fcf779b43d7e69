package controlplane

import (
	"errors"
	"fmt"
	"time"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/watch"
	"k8s.io/client-go/kubernetes"
	schedulingv1 "k8s.io/kubernetes/pkg/apis/scheduling/v1"
	"k8s.io/kubernetes/pkg/controlplane/controller/legacytokentracking"

	"github.com/kubestep/kubestep/sim"
	"github.com/kubestep/kubestep/sim/apiserver"
	"github.com/kubestep/kubestep/sim/apiserver/authorization"
	"github.com/kubestep/kubestep/sim/apiserver/clusterip"
	"github.com/kubestep/kubestep/sim/engine/activity"
	"github.com/kubestep/kubestep/sim/process/logging"
)

// systemNamespaces are those of upstream's controller systemnamespaces.
var systemNamespaces = []string{
	metav1.NamespaceDefault, corev1.NamespaceNodeLease, metav1.NamespacePublic, metav1.NamespaceSystem,
}

// Start makes the objects, and keeps the ServiceCIDR and the Service from now on. It is called before the simulation runs.
func Start(s *sim.Simulation) error {
	// What the registries log belongs to kube-apiserver, and not on the terminal.
	logging.To(s.Observer.Logger(0).GetSink())
	s.Activities.Enter(&activity.Activity{Actor: apiserver.Self})
	defer s.Activities.Leave()
	client := apiserver.NewClientset(immediate{s}, nil)
	for _, name := range systemNamespaces {
		namespace := &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: name}}
		if _, err := client.CoreV1().Namespaces().Create(s.Context(), namespace, metav1.CreateOptions{}); wasRefused(err) {
			return fmt.Errorf("namespace %s: %w", name, err)
		}
	}
	for _, class := range schedulingv1.SystemPriorityClasses() {
		if _, err := client.SchedulingV1().PriorityClasses().Create(s.Context(), class, metav1.CreateOptions{}); wasRefused(err) {
			return fmt.Errorf("PriorityClass %s: %w", class.Name, err)
		}
	}
	if s.Server.Authorization() == authorization.RBAC {
		if err := createPolicy(s.Context(), client); err != nil {
			return err
		}
	}
	if s.Server.HasSystemObjects() {
		if err := createFlowControl(s.Context(), client); err != nil {
			return err
		}
		if err := createAPIServices(s); err != nil {
			return err
		}
		startRegistration(s)
		startAggregation(s)
	}
	if tokens := s.Server.Tokens(); tokens != nil && tokens.NotesUse {
		if err := trackTokens(s, client); err != nil {
			return err
		}
	}
	ranges, err := clusterip.Subnets(s.Server.ServiceSubnet())
	if err != nil {
		return err
	}
	if err := keepServiceCIDR(s, client, ranges); err != nil {
		return err
	}
	return keepService(s, client, ranges[0])
}

// trackTokens creates the ConfigMap that says since when the API server notes in Secrets that their tokens are in use, as
// upstream's controller legacytokentracking does.
func trackTokens(s *sim.Simulation, client kubernetes.Interface) error {
	since := &corev1.ConfigMap{
		ObjectMeta: metav1.ObjectMeta{Name: legacytokentracking.ConfigMapName, Namespace: metav1.NamespaceSystem},
		Data:       map[string]string{legacytokentracking.ConfigMapDataKey: s.Engine.Date().UTC().Format(time.DateOnly)},
	}
	_, err := client.CoreV1().ConfigMaps(since.Namespace).Create(s.Context(), since, metav1.CreateOptions{})
	if wasRefused(err) {
		return fmt.Errorf("ConfigMap %s: %w", since.Name, err)
	}
	return nil
}

// wasRefused reports whether a creation failed. What exists already was restored.
func wasRefused(err error) bool { return err != nil && !apierrors.IsAlreadyExists(err) }

// immediate is the Transport of a client whose requests are executed at once, in the background of the simulation.
type immediate struct{ simulation *sim.Simulation }

// Do implements apiserver.Transport.
func (i immediate) Do(req apiserver.Request) (runtime.Object, error) {
	req.Actor = apiserver.Self
	return i.simulation.Execute(req, 0, true)
}

// Watch implements apiserver.Transport.
func (i immediate) Watch(apiserver.Request) (watch.Interface, error) {
	return nil, errors.New("controlplane: nothing here watches")
}
