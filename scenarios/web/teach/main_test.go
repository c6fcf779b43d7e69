package teach_test

import (
	"testing"

	"github.com/kubestep/kubestep/tui/command/commandtest"
)

func TestMain(m *testing.M) { commandtest.Main(m) }
