package session_test

import (
	"strings"
	"testing"

	authenticationv1 "k8s.io/api/authentication/v1"
	corev1 "k8s.io/api/core/v1"
	rbacv1 "k8s.io/api/rbac/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"

	"github.com/kubestep/kubestep/scenarios/language/verb"
	"github.com/kubestep/kubestep/sim/network/live"
)

// TestTokens: the API server issues tokens for service accounts, and serviceaccount-token-controller fills Secrets with one. A client with
// either is the account, in the saved session, too.
func TestTokens(t *testing.T) {
	text := strings.NewReplacer("managedFields: true", "managedFields: true, authorization: {mode: RBAC}",
		"{scheduler: simple}", "{scheduler: simple, controllers: ['*']}").Replace(world)
	r := startOf(t, text, live.Pace{Speed: 60})
	admin, ctx := r.client(token), t.Context()
	whoami := func(client *kubernetes.Clientset) string {
		review, err := client.AuthenticationV1().SelfSubjectReviews().Create(ctx, &authenticationv1.SelfSubjectReview{}, metav1.CreateOptions{})
		if err != nil {
			return err.Error()
		}
		return review.Status.UserInfo.Username
	}
	core := admin.CoreV1()
	account := &corev1.ServiceAccount{ObjectMeta: metav1.ObjectMeta{Name: "robot"}}
	if _, err := core.ServiceAccounts("default").Create(ctx, account, metav1.CreateOptions{}); err != nil {
		t.Fatal(err)
	}
	issued, err := core.ServiceAccounts("default").CreateToken(ctx, "robot", &authenticationv1.TokenRequest{}, metav1.CreateOptions{})
	if err != nil {
		t.Fatal(err)
	}
	robot := r.client(issued.Status.Token)
	for client, want := range map[*kubernetes.Clientset]string{
		admin: verb.User, robot: "system:serviceaccount:default:robot", r.client("not.a.token"): "Unauthorized: invalid bearer token",
	} {
		if got := whoami(client); got != want {
			t.Errorf("whoami: %s, want %s", got, want)
		}
	}
	create := func() error {
		object := &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Name: "mine"}}
		_, err := robot.CoreV1().ConfigMaps("default").Create(ctx, object, metav1.CreateOptions{})
		return err
	}
	if err := create(); !apierrors.IsForbidden(err) {
		t.Errorf("without a role: %v", err)
	}
	binding := &rbacv1.RoleBinding{
		ObjectMeta: metav1.ObjectMeta{Name: "robot"}, RoleRef: rbacv1.RoleRef{APIGroup: rbacv1.GroupName, Kind: "ClusterRole", Name: "edit"},
		Subjects: []rbacv1.Subject{{Kind: rbacv1.ServiceAccountKind, Name: "robot", Namespace: "default"}},
	}
	if _, err := admin.RbacV1().RoleBindings("default").Create(ctx, binding, metav1.CreateOptions{}); err != nil {
		t.Fatal(err)
	}
	if err := create(); err != nil {
		t.Error(err)
	}
	review := &authenticationv1.TokenReview{Spec: authenticationv1.TokenReviewSpec{Token: issued.Status.Token}}
	if review, err = admin.AuthenticationV1().TokenReviews().Create(ctx, review, metav1.CreateOptions{}); err != nil || !review.Status.Authenticated {
		t.Errorf("%v, %v", review, err)
	}
	secret := &corev1.Secret{Type: corev1.SecretTypeServiceAccountToken, ObjectMeta: metav1.ObjectMeta{
		Name: "robot", Annotations: map[string]string{corev1.ServiceAccountNameKey: "robot"},
	}}
	if _, err := core.Secrets("default").Create(ctx, secret, metav1.CreateOptions{}); err != nil {
		t.Fatal(err)
	}
	eventually(t, "filled", func() bool {
		secret, err = core.Secrets("default").Get(ctx, "robot", metav1.GetOptions{})
		return err == nil && len(secret.Data[corev1.ServiceAccountTokenKey]) > 0
	})
	if got := whoami(r.client(string(secret.Data[corev1.ServiceAccountTokenKey]))); got != "system:serviceaccount:default:robot" {
		t.Errorf("whoami with the token of the Secret: %s", got)
	}
	if text := r.replays(t); !strings.Contains(text, "as: system:serviceaccount:default:robot") {
		t.Errorf("the saved session does not name the account:\n%s", text)
	}
}
