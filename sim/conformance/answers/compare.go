package answers

import "reflect"

// TB is what Compare needs of a testing.TB.
type TB interface {
	Helper()
	Errorf(format string, args ...any)
	Logf(format string, args ...any)
}

func Compare(t TB, recording *Recording, got map[string]Answer) {
	t.Helper()
	same, n := 0, 0
	for _, row := range Rows() {
		want, have := recording.Answers[row.Name()], got[row.Name()]
		if reflect.DeepEqual(want, have) {
			same++
			continue
		}
		n++
		t.Errorf("%s\nwant %d %q\n%s\ngot  %d %q\n%s\n", row.Name(), want.Code, want.Header, want.Body, have.Code, have.Header, have.Body)
	}
	t.Logf("%d of %d rows agree", same, same+n)
}
