package session

import (
	"context"
	"errors"
	"net/http"
	"slices"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/kubernetes/pkg/api/legacyscheme"
	"k8s.io/kubernetes/pkg/apis/core"
	"k8s.io/kubernetes/pkg/apis/core/validation"
	"k8s.io/kubernetes/pkg/kubelet/client"
	registry "k8s.io/kubernetes/pkg/registry/core/pod"
	"k8s.io/utils/ptr"

	"github.com/kubestep/kubestep/scenarios/serving/internal/podaccess"
)

// connected are the subresources of Pods behind which kube-apiserver connects to a kubelet or to a Pod, with the methods that they have.
var connected = map[string][]string{
	"log": {http.MethodGet}, "exec": {http.MethodGet, http.MethodPost}, "attach": {http.MethodGet, http.MethodPost},
	"portforward": {http.MethodGet, http.MethodPost},
	"proxy":       {http.MethodGet, http.MethodPost, http.MethodPut, http.MethodPatch, http.MethodDelete, http.MethodHead, http.MethodOptions},
}

// errKubelet is what a request says that would now go to a kubelet.
var errKubelet = errors.New("a kubelet answers")

// connect is what kube-apiserver answers to a request before it connects to a kubelet, errKubelet if it would connect. nil means that
// there is nothing to connect to, so the answer is empty: the log of a Pod without a node.
func (s *Session) connect(r *http.Request, namespace, name, subresource string) error {
	if !slices.Contains(connected[subresource], r.Method) {
		return apierrors.NewGenericServerResponse(http.StatusMethodNotAllowed, "", schema.GroupResource{}, "", "", 0, false)
	}
	pods, query := podGetter{s, namespace}, r.URL.Query()
	var err error
	switch subresource {
	case "log":
		var options core.PodLogOptions
		if err = podaccess.Options(query, &options); err != nil {
			return err
		}
		// As LogREST in pkg/registry/core/pod/rest.
		options.Stream = ptr.To(ptr.Deref(options.Stream, core.LogStreamAll))
		if errs := validation.ValidatePodLogOptions(&options, true); len(errs) > 0 {
			return apierrors.NewInvalid(core.Kind("PodLogOptions"), name, errs)
		}
		_, _, err = registry.LogLocation(r.Context(), pods, noKubelet{}, name, &options)
	case "exec":
		var options core.PodExecOptions
		if err = podaccess.Options(query, &options); err == nil {
			_, _, err = registry.ExecLocation(r.Context(), pods, noKubelet{}, name, &options)
		}
	case "attach":
		var options core.PodAttachOptions
		if err = podaccess.Options(query, &options); err == nil {
			_, _, err = registry.AttachLocation(r.Context(), pods, noKubelet{}, name, &options)
		}
	case "portforward":
		_, _, err = registry.PortForwardLocation(r.Context(), pods, noKubelet{}, name, &core.PodPortForwardOptions{})
	case "proxy":
		if _, _, err = registry.ResourceLocation(r.Context(), pods, nil, name); err == nil {
			err = errKubelet
		}
	}
	return err
}

// podGetter gets the Pods of a namespace, in the form in which the registries have them.
type podGetter struct {
	session   *Session
	namespace string
}

// Get implements registry.ResourceGetter.
func (g podGetter) Get(_ context.Context, name string, _ *metav1.GetOptions) (runtime.Object, error) {
	pod, _, err := g.session.pod(g.namespace, name)
	switch {
	case err != nil:
		return nil, ended(err)
	case pod == nil:
		return nil, apierrors.NewNotFound(corev1.Resource("pods"), name)
	}
	return legacyscheme.Scheme.ConvertToVersion(pod.DeepCopy(), core.SchemeGroupVersion)
}

// noKubelet knows no addresses of kubelets.
type noKubelet struct{}

// GetConnectionInfo implements client.ConnectionInfoGetter.
func (noKubelet) GetConnectionInfo(context.Context, types.NodeName) (*client.ConnectionInfo, error) {
	return nil, errKubelet
}
