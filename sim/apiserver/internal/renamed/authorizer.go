//go:build !kubernetes_before_1_37

package renamed

import "k8s.io/apiserver/pkg/authorization/authorizer"

// Authorizer is what admission policies ask whether a user may do something. Its decisions have no conditions.
type Authorizer = authorizer.UnconditionalAuthorizer
