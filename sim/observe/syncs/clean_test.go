package syncs

import (
	"strings"
	"testing"
)

func TestClean(t *testing.T) {
	for _, test := range []struct{ in, want string }{
		{"plain", "plain"},
		{"Always 0x2a1d92942928 <nil>", "Always 0x... <nil>"},
		{"an octal 0x1f stays", "an octal 0x1f stays"},
		{"goroutine 434 [running]:\nmain.main()\n\t/main.go:1 +0x3a", "goroutine ... [running]:\nmain.main()\n\t/main.go:1 +0x3a"},
		{"from pkg/mod/k8s.io/client-go@v0.36.3/tools/cache/reflector.go:343", "from k8s.io/client-go@v0.36.3/tools/cache/reflector.go:343"},
		{strings.Repeat("é", 403), strings.Repeat("é", 400) + "... (3 more characters)"},
	} {
		if got := clean(test.in); got != test.want {
			t.Errorf("clean(%q) = %q, want %q", test.in, got, test.want)
		}
	}
}
