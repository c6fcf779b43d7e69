package command

import (
	"bufio"
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/kubestep/kubestep/scenarios/cli"
	"github.com/kubestep/kubestep/scenarios/language/notation"
	"github.com/kubestep/kubestep/scenarios/language/spelling"
	"github.com/kubestep/kubestep/scenarios/reading/traffic"
	"github.com/kubestep/kubestep/scenarios/reading/why"
	"github.com/kubestep/kubestep/sim/kinds"
	"github.com/kubestep/kubestep/sim/trace"
	"github.com/kubestep/kubestep/tui/command/shell"
)

// trafficFlags are the flags of explain traffic, which reads a file as why does.
type trafficFlags struct {
	whyFlags
	node string
}

func newExplainTraffic(streams cli.Streams) *cobra.Command {
	flags := &trafficFlags{}
	cmd := &cobra.Command{
		Use:   "traffic FILE [SERVICE]",
		Short: "Show which endpoints each node chooses for a Service",
		Long: `Show which endpoints kube-proxy chooses on each node for the connections to a Service.

FILE is a scenario file, the name of a scenario that comes with kubestep (see kubestep list), a trace that
kubestep run wrote (-o jsonl, --trace-out), or a dump of a cluster (kubestep capture, kubectl get -o yaml).
SERVICE is a name or service/NAME. It may be omitted if there is only one Service besides kubernetes.

With --at, and for a dump, the output shows for each node which endpoints it chooses, and why it leaves the
others out: readiness, termination, traffic policies, and hints for zones and nodes. Without --at, it shows for
the whole run how long nodes chose Pods after their deletion, how much of that time nothing answered there any
more, and when nodes had no endpoint.

The decisions are those of kube-proxy's own code, for the objects that the API server has at that time. On a
cluster, each kube-proxy follows later: the change has to reach it, and it writes its rules at most once a
second by default.`,
		Example: `  kubestep explain traffic endpointslice
  kubestep explain traffic endpointslice web --at 4.1s
  kubestep explain traffic trace.jsonl service/web -n shop --at 30s --node node-1 -o json
  kubestep explain traffic dump.yaml web`,
		Args: scenarioAndService,
		RunE: func(cmd *cobra.Command, args []string) error {
			flags.seedSet = cmd.Flags().Changed("seed")
			return explainTraffic(streams, args, flags)
		},
	}
	cmd.Flags().StringVar(&flags.at, "at", "", "show the decisions at this `TIME or RECORD`")
	cmd.Flags().StringVarP(&flags.namespace, "namespace", "n", "", "`NAMESPACE` of the Service (default \"default\")")
	cmd.Flags().StringVar(&flags.node, "node", "", "with --at, or for a dump, show this `NODE` only")
	cmd.Flags().Int64Var(&flags.seed, "seed", 0, "run with this `SEED` instead of the scenario's")
	shell.OutputFormat(cmd.Flags(), &flags.output, "text", "json")
	cmd.Flags().IntVar(&flags.width, "width", widthOfTerminal,
		"cut or wrap the lines of the text form at `COLUMNS`; 0 means no limit, -1 the width of the terminal")
	return cmd
}

// scenarioAndService accepts a file, and a Service of it.
func scenarioAndService(cmd *cobra.Command, args []string) error {
	switch len(args) {
	case 1, 2:
		return nil
	case 0:
		return cli.Usage("explain traffic takes a scenario and a Service", cmd.CommandPath()+" FILE SERVICE")
	}
	return cli.Usage(fmt.Sprintf("explain traffic takes one Service, not %d", len(args)-1), cmd.CommandPath()+" "+args[0]+" "+args[1])
}

// explainTraffic plays or reads a recording and says where the connections to a Service go.
func explainTraffic(streams cli.Streams, args []string, flags *trafficFlags) error {
	if err := cmp.Or(cli.CheckOutput(flags.output), checkWidth(flags.width)); err != nil {
		return err
	}
	target, err := serviceOf(args, flags.namespace)
	if err != nil {
		return err
	}
	dumped := flags.isDump(args[0])
	if flags.node != "" && flags.at == "" && !dumped {
		return cli.Usage("--node needs --at: the course of a run is that of all nodes", "--node "+flags.node+" --at 30s")
	}
	history, err := flags.history(streams, args[0], "explain traffic")
	if err != nil {
		return err
	}
	// What the desired states of Services and Pods depend on decides about traffic, too: EndpointSlices, Pods and nodes.
	ofServices, ofPods := history.Fetch(schema.GroupResource{Resource: "services"}), history.Fetch(schema.GroupResource{Resource: "pods"})
	if fetch := cmp.Or(ofServices, ofPods); fetch != "" {
		return cli.Usage(args[0]+" does not have all the kinds that decide about traffic", fetch)
	}
	instant, err := history.Parse(flags.at)
	if err != nil {
		return usageOf(err)
	}
	service, err := flags.find(instant, target, args[0])
	if err != nil {
		return err
	}
	out := bufio.NewWriter(streams.Stdout())
	defer out.Flush()
	of := traffic.New(history.Recording(), service)
	if flags.at == "" && !dumped {
		return printOf(out, of.Course(), flags.output, columns(streams.Out, flags.width))
	}
	moment := of.At(instant.Place())
	if dumped {
		moment.OfDump()
	}
	if flags.node != "" && moment.Unproxied == "" && !moment.OnNode(flags.node) {
		return noNode(instant, flags.node)
	}
	return printOf(out, moment, flags.output, columns(streams.Out, flags.width))
}

// printOf writes a reading as text or JSON.
func printOf(out *bufio.Writer, reading interface{ Print(io.Writer, int) }, format string, width int) error {
	if format == "json" {
		return json.NewEncoder(out).Encode(reading)
	}
	reading.Print(out, width)
	return nil
}

// serviceOf reads NAME, service/NAME or NAMESPACE/service/NAME behind the file; nil if there is none.
func serviceOf(args []string, namespace string) (*notation.Target, error) {
	if len(args) < 2 {
		return nil, nil
	}
	text := args[1]
	if !strings.Contains(text, "/") && text != "" {
		text = "service/" + text
	}
	target, err := notation.ParseTarget(kinds.BuiltIn(), text)
	if err != nil {
		return nil, usageOf(err)
	}
	if resource := target.Kind().GroupResource().String(); resource != "services" {
		return nil, cli.Usage(fmt.Sprintf("%s is not a Service", args[1]), "service/"+target.Name)
	}
	if namespace != "" {
		target.Namespace = namespace
	}
	return &target, nil
}

// find returns the Service of a target, or the only one that the run ever has. Without --at, it may have been deleted.
func (f *trafficFlags) find(instant *why.Instant, target *notation.Target, file string) (trace.Object, error) {
	if target != nil {
		o := trace.Object{Resource: "services", Namespace: target.Namespace, Name: target.Name}
		if f.at == "" && len(instant.Recording().Versions(o)) > 0 {
			return o, nil
		}
		o, err := instant.Find(*target)
		return o, usageOf(err)
	}
	var found []trace.Object
	var names []string
	rec := instant.Recording()
	for _, seq := range rec.Marks().Writes {
		for _, w := range rec.Record(seq).Request.Writes {
			o := w.Object
			if o.Resource == "services" && w.Op == trace.OpCreate && !slices.Contains(found, o) &&
				(o.Namespace != metav1.NamespaceDefault || o.Name != "kubernetes") && (f.namespace == "" || f.namespace == o.Namespace) {
				found = append(found, o)
			}
		}
	}
	slices.SortFunc(found, func(a, b trace.Object) int {
		return cmp.Or(cmp.Compare(a.Namespace, b.Namespace), cmp.Compare(a.Name, b.Name))
	})
	for _, o := range found {
		names = append(names, nameOf(o))
	}
	switch len(found) {
	case 0:
		return trace.Object{}, cli.Usage(file+" has no Service"+inNamespace(f.namespace), "kubestep explain traffic endpointslice")
	case 1:
		if f.at == "" {
			return found[0], nil
		}
		target, err := notation.ParseTarget(kinds.BuiltIn(), found[0].Namespace+"/service/"+found[0].Name)
		if err != nil {
			return trace.Object{}, err
		}
		o, err := instant.Find(target)
		return o, usageOf(err)
	}
	message := fmt.Sprintf("%s has %d Services: %s", file, len(found), strings.Join(names, ", "))
	return trace.Object{}, cli.Usage(message, "kubestep explain traffic "+file+" "+names[0])
}

// nameOf is what to write for a Service.
func nameOf(o trace.Object) string {
	if o.Namespace == metav1.NamespaceDefault {
		return o.Name
	}
	return o.Namespace + "/service/" + o.Name
}

func inNamespace(namespace string) string {
	if namespace == "" {
		return ""
	}
	return " in namespace " + namespace
}

// noNode says which nodes there are.
func noNode(instant *why.Instant, name string) error {
	seq, at := instant.Place()
	var names []string
	for _, o := range instant.Recording().Replay.Objects("nodes", seq) {
		names = append(names, o.Name)
	}
	slices.Sort(names)
	near := cmp.Or(spelling.Nearest(name, names), strings.Join(names, ", --node "))
	if near == "" {
		return cli.Usage(fmt.Sprintf("there are no nodes at %s", trace.Seconds(at)), "the command without --node")
	}
	return cli.Usage(fmt.Sprintf("node %s does not exist at %s", name, trace.Seconds(at)), "--node "+near)
}
