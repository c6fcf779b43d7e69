package expr

import (
	"errors"
	"strings"
	"sync"
	"testing"
	"time"
)

// TestBounds shows that what would continue forever fails instead.
func TestBounds(t *testing.T) {
	env := testEnv(t)
	// The real limit takes a second to reach, and under the race detector ten.
	env.maxWork = maxWork / 20
	w := bigWorld(t)
	long := "'" + strings.Repeat("x", 1000) + "'"
	for _, c := range []struct{ name, text string }{
		{"loops in loops", "pods().all(a, pods().all(b, pods().all(c, a.metadata.name != '')))"},
		{"a loop that calls nothing", "pods().all(a, pods().all(b, pods().all(c, true)))"},
		{"a list per pod", "pods().all(p, size(pods('name!=' + p.metadata.name + 'x')) > 0 && size(pods('x!=' + p.spec.nodeName)) > 0 && size(pods('y!=' + p.spec.nodeName)) > 0 && size(pods('z!=' + p.spec.nodeName)) > 0)"},
		{"a huge range", "size(lists.range(1000000000)) > 0"},
		{"a growing text", "[" + long + "].map(a, a+a+a+a).map(a, a+a+a+a).map(a, a+a+a+a)[0] != ''"},
		{"a replaced text", long + ".replace('x', " + long + ") != ''"},
		{"a joined text", "lists.range(10000).map(i, 'xxxxxxxxxx').join() != ''"},
		{"a formatted text", "'%s%s%s%s%s%s%s%s%s%s%s%s%s%s%s%s%s%s'.format(lists.range(18).map(i, " + long + ")) != ''"},
		{"a growing list", "[lists.range(10000)].map(a, a+a+a+a).map(a, a+a+a+a).map(a, a+a+a+a).map(a, a+a+a+a)" +
			".map(a, a+a+a+a).map(a, a+a+a+a).map(a, a+a+a+a)[0].size() > 0"},
		{"a flattened list", "size([lists.range(9000), lists.range(9000)].flatten()) > 0"},
		{"distinct", "size(lists.range(9000).distinct()) > 0"},
	} {
		t.Run(c.name, func(t *testing.T) {
			condition := mustCompile(t, env, c.text)
			if result, err := condition.Eval(w); err == nil {
				t.Errorf("Eval is %v, want an error", result.True)
			} else {
				t.Log(err)
			}
			if _, err := condition.Explain(w); err == nil {
				t.Error("Explain found no error")
			}
		})
	}
}

// TestNotTooMuch shows what the bounds leave room for.
func TestNotTooMuch(t *testing.T) {
	env := testEnv(t)
	w := bigWorld(t)
	for _, text := range []string{
		"pods().all(a, pods().exists_one(b, a.metadata.name == b.metadata.name))",
		"size(requests('kubelet')) == 100000 && requests().all(r, r.code == 200)",
		"size(pods().map(p, p.spec.nodeName).distinct()) == 50",
		"pods().map(p, p.metadata.name).join(',').startsWith('web-000,web-001')",
		"sum(pods().map(p, 1)) == 1000",
		"size([[1, 2], [3]].flatten()) == 3 && [[[1]]].flatten(2) == [1]",
		"'a-b'.replace('-', '+') == 'a+b' && 'a,b'.split(',') == ['a', 'b']",
		"[3, 1, 2].sort() == [1, 2, 3] && [1, 2].reverse() == [2, 1] && [1, 2, 3].slice(1, 2) == [2]",
	} {
		if result, err := mustCompile(t, env, text).Eval(w); err != nil || !result.True {
			t.Errorf("%s: %v, %v", text, result.True, err)
		}
	}
}

// TestConditionFollowsTheTrace shows that one condition serves several runs: it starts over when the trace
// is not the one that it has read.
func TestConditionFollowsTheTrace(t *testing.T) {
	c := mustCompile(t, testEnv(t), "size(requests('kubelet')) == 2")
	long, short := newWorld(), newWorld()
	for i := range 2 {
		long.records = append(long.records, requestRecord(i))
		short.records = append(short.records, requestRecord(i))
	}
	long.records = append(long.records, requestRecord(2))
	for _, want := range []struct {
		world *world
		is    bool
	}{{short, true}, {long, false}, {short, true}, {newWorld(), false}, {long, false}} {
		if result, err := c.Eval(want.world); err != nil || result.True != want.is {
			t.Errorf("%d records: %v, %v", len(want.world.records), result.True, err)
		}
	}
	short.records = append(short.records, requestRecord(3))
	if result, err := c.Eval(short); err != nil || result.True {
		t.Errorf("3 records: %v, %v", result.True, err)
	}
}

// TestConditionsShareAnEnv runs under the race detector.
func TestConditionsShareAnEnv(t *testing.T) {
	env := testEnv(t)
	w := bigWorld(t)
	shared := mustCompile(t, env, "size(pods('app=web')) == 1000 && size(requests('kubelet')) == 100000")
	var group sync.WaitGroup
	for range 4 {
		group.Go(func() {
			if result, err := shared.Eval(w); err != nil || !result.True {
				t.Errorf("%v, %v", result.True, err)
			}
			if result, err := shared.Explain(w); err != nil || result.Explanation == "" {
				t.Errorf("%v, %v", result, err)
			}
			if _, err := env.Compile("deployment('web').status.nope == 1"); err == nil {
				t.Error("a misspelt field compiled")
			}
		})
	}
	group.Wait()
}

func TestErrors(t *testing.T) {
	env := testEnv(t)
	_, err := env.Compile("true &&\n  deploymnt('web').status.replicas == 3")
	var mistake *CompileError
	if !errors.As(err, &mistake) || mistake.Line != 2 || mistake.Column != 3 {
		t.Errorf("got %v, want a mistake in line 2, column 3", err)
	}
	if _, err := env.Compile("true || " + strings.Repeat("'x' == 'x' || ", 1000) + "true"); !errors.As(err, &mistake) {
		t.Errorf("a text that is too long: %v", err)
	}
	if _, err := env.Compile(strings.Repeat("(", 200) + "true" + strings.Repeat(")", 200)); !errors.As(err, &mistake) {
		t.Errorf("a text that is too deep: %v", err)
	}
	c := mustCompile(t, env, "deployment('shop', 'web').spec.replicas == 3")
	var missing *NotFoundError
	if _, err := c.Eval(newWorld()); !errors.As(err, &missing) || missing.What != "deployment shop/web" {
		t.Errorf("got %v, want a NotFoundError", err)
	}
	if c.Text() != "deployment('shop', 'web').spec.replicas == 3" {
		t.Error(c.Text())
	}
}

// FuzzCompile looks for texts that panic, or that take long.
func FuzzCompile(f *testing.F) {
	for _, function := range Functions() {
		f.Add(function.Example)
	}
	for _, text := range []string{"a = b", "'", "((((", "pods().map(p, [p])", "\x00", "duration('x')", "1 / 0 == 1", "{'a': 1}.all(k, k == 'a')", "b'\\xff' == b''", "now.getHours() == 1"} {
		f.Add(text)
	}
	env := testEnv(f)
	w := newWorld()
	if _, err := w.apply("apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: web}\nspec: {replicas: 3}"); err != nil {
		f.Fatal(err)
	}
	for i := range 10 {
		w.records = append(w.records, requestRecord(i))
	}
	f.Fuzz(func(t *testing.T, text string) {
		start := time.Now()
		condition, err := env.Compile(text)
		if err != nil {
			var mistake *CompileError
			if !errors.As(err, &mistake) || mistake.Line < 1 || mistake.Column < 1 || mistake.Message == "" {
				t.Errorf("not a CompileError with a place: %#v", err)
			}
			return
		}
		evaluated, evalErr := condition.Eval(w)
		explained, explainErr := condition.Explain(w)
		if evaluated.True != explained.True || (evalErr == nil) != (explainErr == nil) {
			t.Errorf("Eval says %v, %v; Explain says %v, %v", evaluated.True, evalErr, explained.True, explainErr)
		}
		if evalErr != nil && strings.Contains(evalErr.Error(), "internal error") {
			t.Error(evalErr)
		}
		if took := time.Since(start); took > 30*time.Second {
			t.Errorf("took %s", took)
		}
	})
}
