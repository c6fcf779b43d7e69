package cli

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"

	"github.com/kubestep/kubestep/controllers"
	"github.com/kubestep/kubestep/scenarios/cli/limits"
	"github.com/kubestep/kubestep/sim/recording"
	"github.com/kubestep/kubestep/sim/trace"
	"github.com/kubestep/kubestep/sim/trace/file/archive"
)

// PrintReport prints a report as JSON, or as text does.
func PrintReport(streams Streams, report any, output string, text func(io.Writer)) error {
	out := bufio.NewWriter(streams.Stdout())
	defer out.Flush()
	if output != "json" {
		text(out)
		return nil
	}
	data, err := json.Marshal(report)
	if err == nil {
		fmt.Fprintf(out, "%s\n", data)
	}
	return err
}

// CheckOutput checks -o of the commands that print text or json.
func CheckOutput(output string) error {
	if output != "text" && output != "json" {
		return Usage(fmt.Sprintf("unknown output format %q", output), "-o text or -o json")
	}
	return nil
}

// PrintHalt tells why a run ended before its time, and picks the exit code.
func PrintHalt(streams Streams, halt trace.Halt) int {
	if try, ok := limits.Exceeded(halt); ok {
		PrintError(streams.Stderr(), halt.Message, try)
		return ExitLimit
	}
	if try := controllers.Busy(halt.Actors, Controllers); try != "" {
		PrintError(streams.Stderr(), halt.Message, try)
	} else {
		PrintError(streams.Stderr(), "internal fault: "+halt.Message, ReportBug)
	}
	if halt.Stack != "" {
		fmt.Fprintf(streams.Stderr(), "\n%s\n", halt.Stack)
	}
	return ExitInternal
}

// WarnVersion warns of an archive that was made with another version of Kubernetes.
func WarnVersion(streams Streams, path string, made *archive.Header) {
	if made != nil && made.Kubernetes != "" && made.Kubernetes != controllers.KubernetesVersion {
		fmt.Fprintf(streams.Stderr(), "Warning: %s was made with Kubernetes %s; explanations are those of %s\n",
			path, made.Kubernetes, controllers.KubernetesVersion)
	}
}

// WarnIncomplete warns that what is shown of a trace, such as a page, lacks what the trace lacks.
func WarnIncomplete(streams Streams, path string, rec *recording.Recording, shown string) {
	if rec.Cut != "" {
		fmt.Fprintf(streams.Stderr(), "Warning: %s is incomplete, and so is the %s: %s\n", path, shown, rec.Cut)
	}
}
