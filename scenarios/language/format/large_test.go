package format_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/kubestep/kubestep/scenarios/language/format"
	"github.com/kubestep/kubestep/scenarios/language/source"
	"github.com/kubestep/kubestep/scenarios/language/verb"
)

// saved is a scenario as a session is saved: with so many steps, each of which creates an object of about a KiB.
func saved(steps int) []byte {
	var b strings.Builder
	b.WriteString(strings.Replace(smallest, "spec: {title: Smallest, steps: []}", "spec:\n  title: Saved\n  steps:", 1))
	for i := range steps {
		fmt.Fprintf(&b, "  - create: |\n      apiVersion: v1\n      kind: ConfigMap\n      metadata: {name: c%d}\n      data:\n", i)
		for line := range 20 {
			fmt.Fprintf(&b, "        key-%d: a value of about forty characters\n", line)
		}
	}
	return []byte(b.String())
}

// TestSessionsAreRead reads a scenario that is larger than those that people write.
func TestSessionsAreRead(t *testing.T) {
	text := saved(2000)
	if len(text) < 2<<20 {
		t.Fatalf("%d bytes", len(text))
	}
	scenario, err := format.Parse("session.yaml", text, verb.All)
	if err != nil || len(scenario.Spec.Steps) != 2000 {
		t.Error(err)
	}
}

// TestKindsFollowTheSteps finds a definition in a step that is added, and in one of another scenario.
func TestKindsFollowTheSteps(t *testing.T) {
	scenario, err := format.Parse("session.yaml", saved(2), verb.All)
	if err != nil {
		t.Fatal(err)
	}
	if scenario.Kinds().Named("farm") != nil {
		t.Error("farm is a kind")
	}
	defining := verb.Create(farmDefinition)
	without := scenario.Spec.Steps
	scenario.Spec.Steps = append(scenario.Spec.Steps, format.Step{Verb: &defining})
	if scenario.Kinds().Named("farm") == nil {
		t.Error("farm is no kind after the step that defines it")
	}
	scenario.Spec.Steps = without
	if scenario.Kinds().Named("farm") != nil {
		t.Error("farm is a kind without the step that defines it")
	}
}

// TestAliasesStayBounded refuses a few lines that stand for billions of values, however large a scenario may be.
func TestAliasesStayBounded(t *testing.T) {
	var bomb strings.Builder
	bomb.WriteString("a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n")
	for i := range 20 {
		fmt.Fprintf(&bomb, "a%d: &a%d [%s*a%d]\n", i+1, i+1, strings.Repeat(fmt.Sprintf("*a%d, ", i), 9), i)
	}
	_, err := format.Parse("bomb.yaml", []byte(bomb.String()), verb.All)
	list, _ := err.(source.ErrorList)
	if len(list) != 1 || !strings.Contains(list[0].Message, "aliases expand to more than") {
		t.Error(err)
	}
}

// BenchmarkLoad reads sessions of different sizes: ns/byte should be the same.
func BenchmarkLoad(b *testing.B) {
	for _, steps := range []int{500, 2000, 8000} {
		text := saved(steps)
		b.Run(fmt.Sprint(steps), func(b *testing.B) {
			b.SetBytes(int64(len(text)))
			for b.Loop() {
				if _, err := format.Parse("session.yaml", text, verb.All); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
