package controllers

import "testing"

func TestReadError(t *testing.T) {
	for _, test := range []struct{ in, text, key string }{
		{
			`sync "default/web-5d9" failed with read version: 31 is not as new as written version: 41 for group resource pods`,
			`sync "default/web-5d9" failed with a cache that has not yet seen this controller's own last write`, "default/web-5d9",
		},
		{`default/agent failed with : timeout`, `default/agent failed with : timeout`, "default/agent"},
		{`pods "x" not found`, `pods "x" not found`, ""},
	} {
		if text, key := readError(test.in); text != test.text || key != test.key {
			t.Errorf("readError(%q) = %q, %q; want %q, %q", test.in, text, key, test.text, test.key)
		}
	}
}
