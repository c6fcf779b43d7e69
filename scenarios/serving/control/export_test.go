package control

import (
	"os/exec"
	"testing"
)

func TestExport(t *testing.T) {
	for _, c := range []struct{ path, goos, want string }{
		{"/home/me/kubestep.kubeconfig", "linux", "export KUBECONFIG=/home/me/kubestep.kubeconfig"},
		{"/home/me/my files/kubeconfig", "darwin", "export KUBECONFIG='/home/me/my files/kubeconfig'"},
		{"/tmp/it's $HOME", "linux", `export KUBECONFIG='/tmp/it'\''s $HOME'`},
		{`C:\Users\It's Me\kubeconfig`, "windows", `$env:KUBECONFIG = 'C:\Users\It''s Me\kubeconfig'`},
	} {
		if got := export(c.path, c.goos); got != c.want {
			t.Errorf("%s on %s: %s, want %s", c.path, c.goos, got, c.want)
		}
		if shell, err := exec.LookPath("sh"); err == nil && c.goos != "windows" {
			out, err := exec.Command(shell, "-c", c.want+`; printf %s "$KUBECONFIG"`).CombinedOutput()
			if err != nil || string(out) != c.path {
				t.Errorf("the shell reads %q, want %q (%v)", out, c.path, err)
			}
		}
	}
}
