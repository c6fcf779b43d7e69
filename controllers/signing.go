package controllers

import (
	"context"
	"fmt"
	"reflect"
	"sync"
	"time"

	"k8s.io/apiserver/pkg/server/dynamiccertificates"
	certificatesinformers "k8s.io/client-go/informers/certificates/v1"
	"k8s.io/client-go/kubernetes"
	"k8s.io/kubernetes/cmd/kube-controller-manager/app"
	"k8s.io/kubernetes/cmd/kube-controller-manager/names"
	"k8s.io/kubernetes/pkg/controller/certificates"
	"k8s.io/kubernetes/pkg/controller/certificates/signer"
	signerconfig "k8s.io/kubernetes/pkg/controller/certificates/signer/config"
)

// newSigner is the signature that the constructors of upstream's four signers share.
type newSigner func(ctx context.Context, client kubernetes.Interface, requests certificatesinformers.CertificateSigningRequestInformer,
	certFile, keyFile string, lifetime time.Duration) (*signer.CSRSigningController, error)

// newSigners are upstream's signers, in its order (newCertificateSigningRequestSigningController in
// cmd/kube-controller-manager/app/certificates.go).
var newSigners = []struct {
	name string
	make newSigner
}{
	{"kubernetes.io/kubelet-serving", signer.NewKubeletServingCSRSigningController},
	{"kubernetes.io/kube-apiserver-client-kubelet", signer.NewKubeletClientCSRSigningController},
	{"kubernetes.io/kube-apiserver-client", signer.NewKubeAPIServerClientCSRSigningController},
	{"kubernetes.io/legacy-unknown", signer.NewLegacyUnknownCSRSigningController},
}

// signerWorkers is how many workers each signer has upstream.
const signerWorkers = 5

// newSigningController builds certificatesigningrequest-signing-controller: upstream's four signers with one
// certificate authority. Upstream's descriptor is not used since its signers watch their key files for changes, through
// fsnotify, whose goroutine waits for the kernel: that is not a waiting that virtual time covers. Here a signer reads them
// once, when it is made (asFiles), so there is nothing to watch.
func (m *manager) newSigningController(ctx context.Context, c app.ControllerContext) (hosted, error) {
	config := c.ComponentConfig.CSRSigningController
	lifetime := config.ClusterSigningDuration.Duration
	config.ClusterSigningDuration.Duration = 0
	if config != (signerconfig.CSRSigningControllerConfiguration{}) {
		return nil, errKeyFiles
	}
	client, err := c.ClientBuilder.Client("certificate-controller")
	if err != nil {
		return nil, err
	}
	requests := c.InformerFactory.Certificates().V1().CertificateSigningRequests()
	var signers []*certificates.CertificateController
	for _, s := range newSigners {
		var made *signer.CSRSigningController
		err := asFiles(m.ca, func(certFile, keyFile string) (err error) {
			made, err = s.make(ctx, client, requests, certFile, keyFile, lifetime)
			return err
		})
		if err != nil {
			return nil, fmt.Errorf("failed to init %s certificate controller: %w", s.name, err)
		}
		part, err := withoutReload(made)
		if err != nil {
			return nil, err
		}
		signers = append(signers, part)
	}
	return loop{names.CertificateSigningRequestSigningController, func(ctx context.Context) {
		var running sync.WaitGroup
		for _, s := range signers {
			running.Go(func() { s.Run(ctx, signerWorkers) })
		}
		running.Wait()
	}}, nil
}

// withoutReload takes a signer apart. Its one part signs; the other reads the key files again when they change, and has
// nothing to do here but to end. Upstream exports neither.
func withoutReload(c *signer.CSRSigningController) (*certificates.CertificateController, error) {
	fields := reflect.ValueOf(c).Elem()
	signs, reloads := fields.FieldByName("certificateController"), fields.FieldByName("dynamicCertReloader")
	if !signs.IsValid() || signs.Type() != reflect.TypeFor[*certificates.CertificateController]() ||
		!reloads.IsValid() || reloads.Elem().Type() != reflect.TypeFor[*dynamiccertificates.DynamicCertKeyPairContent]() {
		return nil, fmt.Errorf("%s has other parts than in Kubernetes %s", fields.Type(), KubernetesVersion)
	}
	reloader := (*dynamiccertificates.DynamicCertKeyPairContent)(reloads.Elem().UnsafePointer())
	if err := nameForLog(reloader); err != nil {
		return nil, err
	}
	ended, end := context.WithCancel(context.Background())
	end()
	reloader.Run(ended, 1)
	return (*certificates.CertificateController)(signs.UnsafePointer()), nil
}

// nameForLog gives a reloader the names of the files that kubeadm makes. It names itself after its files when it logs
// that it ends, and the real names are other ones in every process.
func nameForLog(reloader *dynamiccertificates.DynamicCertKeyPairContent) error {
	name := reflect.ValueOf(reloader).Elem().FieldByName("name")
	if !name.IsValid() || name.Kind() != reflect.String {
		return fmt.Errorf("%T has other parts than in Kubernetes %s", reloader, KubernetesVersion)
	}
	*(*string)(name.Addr().UnsafePointer()) = "csr-controller::ca.crt::ca.key"
	return nil
}
