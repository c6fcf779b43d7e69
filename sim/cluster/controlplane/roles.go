package controlplane

import (
	"context"
	"fmt"
	"maps"
	"slices"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
	"k8s.io/kubernetes/plugin/pkg/auth/authorizer/rbac/bootstrappolicy"
)

// createPolicy creates the roles and bindings that every cluster with RBAC has, in the order of upstream's
// PolicyData.EnsureRBACPolicy.
func createPolicy(ctx context.Context, client kubernetes.Interface) error {
	roles := client.RbacV1()
	for _, role := range slices.Concat(bootstrappolicy.ClusterRoles(), bootstrappolicy.ControllerRoles()) {
		if _, err := roles.ClusterRoles().Create(ctx, &role, metav1.CreateOptions{}); wasRefused(err) {
			return fmt.Errorf("ClusterRole %s: %w", role.Name, err)
		}
	}
	for _, binding := range slices.Concat(bootstrappolicy.ClusterRoleBindings(), bootstrappolicy.ControllerRoleBindings()) {
		if _, err := roles.ClusterRoleBindings().Create(ctx, &binding, metav1.CreateOptions{}); wasRefused(err) {
			return fmt.Errorf("ClusterRoleBinding %s: %w", binding.Name, err)
		}
	}
	namespaced := bootstrappolicy.NamespaceRoles()
	for _, namespace := range slices.Sorted(maps.Keys(namespaced)) {
		for _, role := range namespaced[namespace] {
			if _, err := roles.Roles(namespace).Create(ctx, &role, metav1.CreateOptions{}); wasRefused(err) {
				return fmt.Errorf("Role %s/%s: %w", namespace, role.Name, err)
			}
		}
	}
	bindings := bootstrappolicy.NamespaceRoleBindings()
	for _, namespace := range slices.Sorted(maps.Keys(bindings)) {
		for _, binding := range bindings[namespace] {
			if _, err := roles.RoleBindings(namespace).Create(ctx, &binding, metav1.CreateOptions{}); wasRefused(err) {
				return fmt.Errorf("RoleBinding %s/%s: %w", namespace, binding.Name, err)
			}
		}
	}
	return nil
}
