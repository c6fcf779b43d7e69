package teach

import (
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"net/http"
	"strings"
)

// identities issues the names of students. A name is a cookie that the server signs, so that a browser is one student in all of its
// tabs, and nobody can invent a name.
type identities struct {
	cookie string
	key    []byte
}

// newIdentities are those of one class. Cookies do not know ports, so the cookie is named after the class.
func newIdentities(code string) *identities {
	key := make([]byte, 32)
	rand.Read(key)
	return &identities{cookie: "class-" + code, key: key}
}

// of is the student who sends a request; empty if the server has not issued the name.
func (i *identities) of(r *http.Request) string {
	cookie, err := r.Cookie(i.cookie)
	if err != nil {
		return ""
	}
	id, signature, _ := strings.Cut(cookie.Value, ".")
	if !hmac.Equal([]byte(signature), []byte(i.sign(id))) {
		return ""
	}
	return id
}

// issue names the browser that asks, unless it has a name. The cookie ends with the session of the browser.
func (i *identities) issue(w http.ResponseWriter, r *http.Request) {
	if i.of(r) != "" {
		return
	}
	random := make([]byte, 12)
	rand.Read(random)
	id := base64.RawURLEncoding.EncodeToString(random)
	http.SetCookie(w, &http.Cookie{
		Name: i.cookie, Value: id + "." + i.sign(id), Path: "/", HttpOnly: true, SameSite: http.SameSiteLaxMode,
	})
}

func (i *identities) sign(id string) string {
	mac := hmac.New(sha256.New, i.key)
	mac.Write([]byte(id))
	return base64.RawURLEncoding.EncodeToString(mac.Sum(nil)[:16])
}
