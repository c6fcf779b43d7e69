package serving_test

import (
	"os"
	"testing"

	"github.com/kubestep/kubestep/tui/command/commandtest"
)

func TestMain(m *testing.M) {
	commandtest.Become()
	// Clusters of tests have names of their own.
	home, err := os.MkdirTemp("", "serving")
	if err != nil {
		panic(err)
	}
	for _, name := range []string{"HOME", "XDG_CACHE_HOME", "LocalAppData"} {
		os.Setenv(name, home)
	}
	code := m.Run()
	os.RemoveAll(home)
	os.Exit(code)
}
