package scheduler

import (
	"errors"
	"testing"
)

// TestConfigIsReadAsStrictlyAsUpstreams wants the field of what is wrong, so that a scenario can show where it is.
func TestConfigIsReadAsStrictlyAsUpstreams(t *testing.T) {
	for _, test := range []struct{ name, config, field, problem string }{
		{"nothing", `{}`, "", ""},
		{"a weight", `{"profiles":[{"plugins":{"score":{"enabled":[{"name":"NodeResourcesFit","weight":5}]}}}]}`, "", ""},
		{"an unknown field", `{"podMaxBackofSeconds":5}`, "podMaxBackofSeconds", `unknown field "podMaxBackofSeconds"`},
		{"an unknown field inside", `{"profiles":[{"plugin":{}}]}`, "profiles[0].plugin", `unknown field "profiles[0].plugin"`},
		{"an unknown argument", `{"profiles":[{"pluginConfig":[{"name":"NodeResourcesFit","args":{"strategy":{}}}]}]}`,
			"profiles[0].pluginConfig[0].args.strategy", `unknown field "profiles[0].pluginConfig[0].args.strategy"`},
		{"a text for a number", `{"podMaxBackoffSeconds":"5"}`, "podMaxBackoffSeconds",
			"podMaxBackoffSeconds is a string, and must be a value of the type int64"},
		{"a value out of range", `{"percentageOfNodesToScore":101}`, "percentageOfNodesToScore",
			"percentageOfNodesToScore: Invalid value: 101: not in valid range [0-100]"},
		{"an unknown plugin", `{"profiles":[{"plugins":{"filter":{"disabled":[{"name":"NodeNam"}]}}}]}`,
			"profiles[0].plugins.filter.disabled[0].name", `kube-scheduler has no plugin "NodeNam"`},
		{"a server outside", `{"extenders":[{"urlPrefix":"http://localhost","filterVerb":"f"}]}`, "extenders",
			"extenders cannot be set: kube-scheduler would call them over the network"},
		{"a file", `{"clientConnection":{"kubeconfig":"/etc/passwd"}}`, "clientConnection.kubeconfig",
			"clientConnection.kubeconfig cannot be set: a scenario uses no files of the machine that it runs on"},
		{"another kind", `{"kind":"KubeSchedulerConfig"}`, "kind", "the kind is KubeSchedulerConfig"},
		{"another version", `{"apiVersion":"kubescheduler.config.k8s.io/v1beta3"}`, "apiVersion",
			"kube-scheduler has no configuration KubeSchedulerConfiguration of the version kubescheduler.config.k8s.io/v1beta3"},
		{"a wrong argument", `{"profiles":[{"pluginConfig":[{"name":"NodeResourcesFit","args":{"scoringStrategy":{"type":"Most"}}}]}]}`,
			"profiles[0].pluginConfig[0].args.scoringStrategy.type",
			`profiles[0].pluginConfig[0].args.scoringStrategy.type: Unsupported value: "Most": supported values: "LeastAllocated"`},
	} {
		t.Run(test.name, func(t *testing.T) {
			_, err := NewConfig([]byte(test.config))
			var wrong *ConfigError
			switch {
			case test.problem == "" && err != nil:
				t.Error(err)
			case test.problem == "":
			case !errors.As(err, &wrong):
				t.Errorf("the error is %v", err)
			case wrong.Field != test.field || len(wrong.Problem) < len(test.problem) || wrong.Problem[:len(test.problem)] != test.problem:
				t.Errorf("%q: %q, want %q: %q", wrong.Field, wrong.Problem, test.field, test.problem)
			}
		})
	}
}
