package practice_test

import (
	"os"
	"testing"

	"github.com/kubestep/kubestep/tui/command"
)

// asKubestep makes the test binary be kubestep when a test starts it.
const asKubestep = "PRACTICE_TEST"

func TestMain(m *testing.M) {
	if os.Getenv(asKubestep) != "" {
		os.Exit(command.Main(os.Args[1:], command.Options{}))
	}
	os.Setenv(asKubestep, "1")
	// Clusters of tests have names of their own.
	home, err := os.MkdirTemp("", "practice")
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
