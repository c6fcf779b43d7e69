package relation

import (
	"slices"

	rbacv1 "k8s.io/api/rbac/v1"
	"k8s.io/apimachinery/pkg/api/equality"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/kubernetes/cmd/kube-controller-manager/names"
)

var clusterRoles = rbacv1.Resource("clusterroles")

var ofAccess = []Relation{{
	Name: "clusterrole-aggregates-rules", Of: of(clusterRoles, names.ClusterRoleAggregationController),
	Sentence:  "A ClusterRole with an aggregationRule has the rules of all ClusterRoles that its selectors match, and no others.",
	Reference: "https://kubernetes.io/docs/reference/access-authn-authz/rbac/#aggregated-clusterroles",
	broken: func(v *View, object runtime.Object) *Breach {
		role := object.(*rbacv1.ClusterRole)
		if role.AggregationRule == nil || role.DeletionTimestamp != nil {
			return nil
		}
		var wanted []rbacv1.PolicyRule
		for _, of := range role.AggregationRule.ClusterRoleSelectors {
			selector, err := metav1.LabelSelectorAsSelector(&of)
			if err != nil {
				return nil
			}
			for _, object := range v.in(clusterRoles, "") {
				other := object.(*rbacv1.ClusterRole)
				if other.Name == role.Name || !selector.Matches(labels.Set(other.Labels)) {
					continue
				}
				for _, rule := range other.Rules {
					if !hasRule(role.Rules, rule) {
						return broken("it lacks a rule of ClusterRole %s, which its aggregationRule selects", other.Name)
					}
					wanted = append(wanted, rule)
				}
			}
		}
		for i, rule := range role.Rules {
			if !hasRule(wanted, rule) {
				return broken("rules[%d] is of no ClusterRole that its aggregationRule selects", i)
			}
		}
		return nil
	},
}}

func hasRule(rules []rbacv1.PolicyRule, rule rbacv1.PolicyRule) bool {
	return slices.ContainsFunc(rules, func(other rbacv1.PolicyRule) bool { return equality.Semantic.DeepEqual(other, rule) })
}
