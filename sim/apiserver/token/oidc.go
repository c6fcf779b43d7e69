package token

import (
	"fmt"

	genericapiserver "k8s.io/apiserver/pkg/server"
	"k8s.io/kubernetes/pkg/routes"
	"k8s.io/kubernetes/pkg/serviceaccount"
)

// ServeKeys installs the documents with which others verify the tokens of a server: /.well-known/openid-configuration and
// /openid/v1/jwks, as k8s.io/kubernetes/pkg/controlplane does.
func (o *Options) ServeKeys(server *genericapiserver.GenericAPIServer) error {
	if o == nil || o.Generator == nil || len(o.Issuers) == 0 {
		return nil
	}
	keys, err := serviceaccount.StaticPublicKeysGetter(o.Keys)
	if err != nil {
		return fmt.Errorf("keys of tokens: %w", err)
	}
	metadata, err := serviceaccount.NewOpenIDMetadataProvider(o.Issuers[0], o.KeysURI, server.ExternalAddress, keys)
	if err != nil {
		return fmt.Errorf("OpenID metadata: %w", err)
	}
	routes.NewOpenIDMetadataServer(metadata).Install(server.Handler.GoRestfulContainer)
	return nil
}
