package network_test

import (
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/sha256"
	"testing"

	authenticationv1 "k8s.io/api/authentication/v1"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
	"k8s.io/kubernetes/pkg/serviceaccount"

	"github.com/kubestep/kubestep/sim"
	"github.com/kubestep/kubestep/sim/apiserver"
	"github.com/kubestep/kubestep/sim/apiserver/authorization"
	"github.com/kubestep/kubestep/sim/apiserver/token"
)

// TestTokens sends requests with the token of a service account, one that is no token, and that of a Secret that is
// deleted. No role allows it anything, so the refusals say who it is.
func TestTokens(t *testing.T) {
	seed := sha256.Sum256([]byte("token"))
	private, err := ecdsa.ParseRawPrivateKey(elliptic.P256(), seed[:])
	if err != nil {
		t.Fatal(err)
	}
	server := apiserver.Options{
		Authorization: authorization.RBAC, Tokens: &token.Options{Keys: []any{private.Public()}, Audiences: []string{"kubestep"}},
	}
	play(t, sim.Options{Server: server}, func(w *world) {
		within(t, w, func(ctx context.Context) {
			admin := kubernetes.NewForConfigOrDie(config(w, "admin"))
			bearer := tokenOf(t, ctx, admin, private)
			const forbidden = `is forbidden: User "system:serviceaccount:default:robot" cannot `
			for _, test := range []struct{ name, token, list, watch string }{
				{"no token", "", "", ""},
				{"no valid token", "abc", "Unauthorized", "Unauthorized"},
				{
					"the token of the Secret", bearer,
					`pods ` + forbidden + `list resource "pods" in API group "" in the namespace "default"`,
					`pods ` + forbidden + `watch resource "pods" in API group "" in the namespace "default"`,
				},
			} {
				list, watch := withToken(ctx, w, test.token)
				if list != test.list || watch != test.watch {
					t.Errorf("%s: list: %s; watch: %s", test.name, list, watch)
				}
			}
			review := &authenticationv1.TokenReview{Spec: authenticationv1.TokenReviewSpec{Token: bearer}}
			reviewed, err := admin.AuthenticationV1().TokenReviews().Create(ctx, review, metav1.CreateOptions{})
			if err != nil || !reviewed.Status.Authenticated || reviewed.Status.User.Username != "system:serviceaccount:default:robot" {
				t.Errorf("the review says %+v, %v", reviewed.Status, err)
			}
			secret, err := admin.CoreV1().Secrets("default").Get(ctx, "token", metav1.GetOptions{})
			if err != nil || secret.Labels[serviceaccount.LastUsedLabelKey] != w.Engine.Date().UTC().Format("2006-01-02") {
				t.Errorf("the Secret has the labels %v, %v", secret.Labels, err)
			}
			if err := admin.CoreV1().Secrets("default").Delete(ctx, "token", metav1.DeleteOptions{}); err != nil {
				t.Error(err)
			}
			if list, watch := withToken(ctx, w, bearer); list != "Unauthorized" || watch != "Unauthorized" {
				t.Errorf("without the Secret: list: %s; watch: %s", list, watch)
			}
		})
	})
}

// tokenOf creates a service account and a Secret with a token, as serviceaccount-token-controller does.
func tokenOf(t *testing.T, ctx context.Context, admin kubernetes.Interface, private *ecdsa.PrivateKey) string {
	t.Helper()
	account, err := admin.CoreV1().ServiceAccounts("default").Create(ctx,
		&corev1.ServiceAccount{ObjectMeta: metav1.ObjectMeta{Name: "robot"}}, metav1.CreateOptions{})
	if err != nil {
		t.Error(err)
		return ""
	}
	generator, err := serviceaccount.JWTTokenGenerator(serviceaccount.LegacyIssuer, private)
	if err != nil {
		t.Error(err)
		return ""
	}
	secret := &corev1.Secret{Type: corev1.SecretTypeServiceAccountToken, ObjectMeta: metav1.ObjectMeta{
		Name: "token", Namespace: "default", Annotations: map[string]string{
			corev1.ServiceAccountNameKey: account.Name, corev1.ServiceAccountUIDKey: string(account.UID),
		},
	}}
	claims, more := serviceaccount.LegacyClaims(*account, *secret)
	token, err := generator.GenerateToken(ctx, claims, more)
	if err != nil {
		t.Error(err)
		return ""
	}
	secret.Data = map[string][]byte{corev1.ServiceAccountTokenKey: []byte(token)}
	if _, err := admin.CoreV1().Secrets("default").Create(ctx, secret, metav1.CreateOptions{}); err != nil {
		t.Error(err)
	}
	return token
}

// withToken lists and watches Pods, and returns the messages of what is refused.
func withToken(ctx context.Context, w *world, token string) (list, watch string) {
	own := config(w, "robot")
	own.BearerToken = token
	pods := kubernetes.NewForConfigOrDie(own).CoreV1().Pods("default")
	message := func(err error) string {
		if status, ok := err.(apierrors.APIStatus); ok {
			return status.Status().Message
		} else if err != nil {
			return err.Error()
		}
		return ""
	}
	_, err := pods.List(ctx, metav1.ListOptions{})
	list = message(err)
	events, err := pods.Watch(ctx, metav1.ListOptions{})
	if err == nil {
		events.Stop()
	}
	return list, message(err)
}
