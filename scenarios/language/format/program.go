package format

import (
	"cmp"
	"path"
	"time"

	"github.com/kubestep/kubestep/scenarios/language/notation"
	"github.com/kubestep/kubestep/scenarios/language/source"
	"github.com/kubestep/kubestep/sim/cluster/glob"
)

// Program says what runs in containers. Upstream's kubelet runs it; the stand-in has rules for Pods (PodLife).
type Program struct {
	Image     string `yaml:"image,omitempty" example:"'*:broken'" doc:"Glob that matches the image, such as *:broken. Default: all images."`
	Container string `yaml:"container,omitempty" example:"log-*" doc:"Glob that matches the name of the container. Default: all containers."`
	Labels    string `yaml:"labels,omitempty" example:"app=web,tier!=db" doc:"Selector of the Pods by their labels, such as app=web,tier!=db. Default: all Pods."`
	Shell     bool   `yaml:"shell,omitempty" doc:"The image has the shell and the commands of busybox, and its containers run the command that their Pod says. What the program does is not said then, only its pull."`

	Listens  *notation.Delay   `yaml:"listens,omitempty" example:"3s" doc:"From the start of a container until it accepts connections: a duration, a range MIN..MAX, or never. Default 0s."`
	Exits    *ProgramExit      `yaml:"exits,omitempty" example:"{after: 10s, code: 1}" doc:"How the program ends by itself. Default: it runs until it is stopped."`
	Leaks    notation.Quantity `yaml:"leaks,omitempty" example:"10Mi" doc:"Memory that the program takes more every second. It begins with 8Mi, and is killed (OOMKilled) when it reaches the limit of its container. Default 0."`
	Writes   notation.Quantity `yaml:"writes,omitempty" example:"50Mi" doc:"Bytes that the program writes to the disk of its node every second. They are in its container, and gone with it. Default 0."`
	WritesTo string            `yaml:"writesTo,omitempty" needs:"writes" example:"/data" doc:"Folder in which it writes. If a volume of the Pod is mounted there, what it writes is in the volume."`
	Forks    int               `yaml:"forks,omitempty" min:"1" max:"100000" example:"100" doc:"Processes that the program starts every second, and that end with it. Default 0."`
	OnTerm   *ProgramTerm      `yaml:"onTerm,omitempty" example:"{exits: 4s}" doc:"What the program does when it is asked to stop (SIGTERM). Default: it ends at once."`
	Hangs    bool              `yaml:"hangs,omitempty" doc:"Accept connections and commands, and never answer them."`
	Answers  []ProgramAnswer   `yaml:"answers,omitempty" example:"[{path: /ready, code: 503, until: 20s}]" doc:"Answers to requests and commands, such as those of probes. The last one that applies counts; without one, a request gets 200, and a command ends with 0."`
	Prints   []ProgramLine     `yaml:"prints,omitempty" example:"[{line: 'listening on :8080', at: 1s}, {line: 'GET / 200', every: 10s}]" doc:"What the program prints, for kubectl logs. Default: nothing."`
	Pull     *ProgramPull      `yaml:"pull,omitempty" example:"{takes: 2s, fails: not found, times: 3}" doc:"How the image is pulled. Default: at once."`
}

// ProgramExit is how a program ends by itself.
type ProgramExit struct {
	After notation.Delay `yaml:"after" example:"10s" doc:"Time from the start of the container: a duration or a range. Default 0s."`
	Code  int            `yaml:"code,omitempty" min:"0" max:"255" example:"1" doc:"Exit code. Default 0."`
}

// ProgramTerm is what a program does about SIGTERM.
type ProgramTerm struct {
	Exits notation.Delay `yaml:"exits" required:"true" example:"4s" doc:"Time from SIGTERM to the exit with code 0: a duration, a range, or never, which makes the program wait for SIGKILL."`
}

// ProgramAnswer is an answer to a request or a command.
type ProgramAnswer struct {
	Path  string          `yaml:"path,omitempty" example:"/ready" doc:"Path of the request, or the first word of the command. Default: all."`
	Code  int             `yaml:"code" required:"true" min:"0" max:"599" example:"503" doc:"Status code of HTTP, or the exit code of the command."`
	Body  string          `yaml:"body,omitempty" example:"v1.2" doc:"Body of the response, or what the command prints. Default: the status in words, and nothing for a command."`
	From  *notation.Delay `yaml:"from,omitempty" example:"1m" doc:"Time since the start of the container from which the answer applies: a duration or a range. Default 0s."`
	Until *notation.Delay `yaml:"until,omitempty" example:"2m" doc:"Time since the start of the container until which the answer applies: a duration or a range. Default: until the end."`
}

// ProgramLine is what a program prints.
type ProgramLine struct {
	Line  string          `yaml:"line" required:"true" example:"listening on :8080" doc:"The line, or several of them."`
	At    *notation.Delay `yaml:"at,omitempty" example:"1s" doc:"Time since the start of the container: a duration or a range. Default 0s. A container that ends earlier does not print the line."`
	Every *notation.Delay `yaml:"every,omitempty" example:"10s" doc:"Print the line again and again, after this long each time: 1ms or more, or a range from which each start of the container draws once. Default: once."`
	Until *notation.Delay `yaml:"until,omitempty" needs:"every" example:"2m" doc:"Time since the start of the container from which on the line is not printed any more: a duration or a range. Default: until the end."`
}

// ProgramPull is how an image is pulled.
type ProgramPull struct {
	Takes *notation.Delay `yaml:"takes,omitempty" example:"2s" doc:"How long a pull takes: a duration or a range. Default 0s."`
	Fails string          `yaml:"fails,omitempty" example:"not found" doc:"The error of a pull that fails. Default: none fails."`
	Times int             `yaml:"times,omitempty" needs:"fails" min:"1" example:"3" doc:"How many pulls fail on each node. Default: all."`
}

// programs checks spec.cluster.programs, and that there is a kubelet that runs them.
func (v *validator) programs() {
	const at = "spec.cluster.programs"
	programs := v.scenario.Spec.Cluster.Programs
	if !v.scenario.RunsKubelets() {
		if len(programs) > 0 {
			v.fail(at, "kubernetes: {kubelet: "+UpstreamKubelet+"}, or rules for Pods in spec.cluster.pods",
				"programs are run by upstream's kubelet, which does not run here")
		}
		if v.scenario.Spec.Kubernetes.KubeletConfig != nil {
			v.fail("spec.kubernetes.kubeletConfig", "kubelet: "+UpstreamKubelet,
				"kubeletConfig is about upstream's kubelet, which does not run here")
		}
		return
	}
	if v.has("spec.cluster.pods") && !v.scenario.RunsStandIn() {
		v.fail("spec.cluster.pods", "spec.cluster.programs, or kubelet: "+SimpleKubelet,
			"rules for Pods are for the stand-in of the kubelet: upstream's runs programs")
	}
	for i, program := range programs {
		v.program(source.Item(at, i), program)
		v.runsEver(programs, i)
	}
}

// runsEver finds a program whose containers all run an earlier one.
func (v *validator) runsEver(programs []Program, i int) {
	at, p := source.Item("spec.cluster.programs", i), programs[i]
	for n, earlier := range programs[:i] {
		if !earlier.takesAllOf(p) {
			continue
		}
		if earlier.Image == "" {
			v.fail(at, "move the program without an image to the end", "never runs, because an earlier program is for all images")
			return
		}
		v.fail(at, "move it before "+source.Item("spec.cluster.programs", n),
			"never runs, because spec.cluster.programs[%d] is for all of its containers: its image is %s", n, earlier.Image)
		return
	}
}

// takesAllOf reports whether the program is for each container that another one is for.
func (p *Program) takesAllOf(other Program) bool {
	image, container := cmp.Or(p.Image, everything), cmp.Or(p.Container, everything)
	return glob.CoversImage(image, cmp.Or(other.Image, everything)) && glob.Covers(container, cmp.Or(other.Container, everything)) &&
		(p.Labels == "" || p.Labels == other.Labels)
}

// everything is the glob that matches all.
const everything = "*"

// program checks one program.
func (v *validator) program(at string, p Program) {
	v.glob(at+".image", p.Image)
	v.glob(at+".container", p.Container)
	v.selector(at+".labels", p.Labels)
	if p.Shell {
		v.shell(at)
	}
	if p.WritesTo != "" && !path.IsAbs(p.WritesTo) {
		v.fail(at+".writesTo", "/"+p.WritesTo, "%q is no absolute path", p.WritesTo)
	}
	const without = "never is the default"
	if p.Exits != nil {
		v.notNever(at+".exits.after", &p.Exits.After, "remove exits", without)
	}
	if p.Pull != nil {
		v.notNever(at+".pull.takes", p.Pull.Takes, "fails: not found", "a pull that never ends fails after some time")
		if p.Labels != "" || p.Container != "" {
			v.fail(at+".pull", "pull in a program with image alone", "a node pulls an image once, for all containers and Pods")
		}
	}
	for i, answer := range p.Answers {
		const not = "the answer never applies"
		v.notNever(source.Item(at+".answers", i)+".from", answer.From, "remove the answer", not)
		v.ends(source.Item(at+".answers", i), not, least(answer.From), answer.Until)
	}
	for i, line := range p.Prints {
		v.line(source.Item(at+".prints", i), line)
	}
}

// shell finds what contradicts shell: true. The command of a container says what it does.
func (v *validator) shell(at string) {
	for _, field := range []string{"listens", "exits", "leaks", "writes", "forks", "onTerm", "hangs", "answers", "prints"} {
		if v.has(at + "." + field) {
			v.fail(at+"."+field, "remove shell, or "+field, "with shell, the command of a container says what it does")
		}
	}
}

// ends checks until, the end of what begins at a time in the life of a container. not says what becomes of it that ends before.
func (v *validator) ends(at, not string, begins time.Duration, until *notation.Delay) {
	v.notNever(at+".until", until, "remove until", "the default is until the end")
	if until != nil && !until.Never && (until.Max <= begins || until.Min <= 0) {
		v.fail(at+".until", "a time after "+begins.String(), "%s: it ends before it begins", not)
	}
}

// least is the least value of a delay.
func least(d *notation.Delay) time.Duration {
	if d == nil {
		return 0
	}
	return d.Min
}

// line checks a line that a program prints.
func (v *validator) line(at string, l ProgramLine) {
	v.notNever(at+".at", l.At, "remove the line", "the line is never printed")
	v.notNever(at+".every", l.Every, "remove every", "once is the default")
	switch {
	case l.Every != nil && !l.Every.Never && l.Every.Min < time.Millisecond:
		v.fail(at+".every", "1ms or more", "%s is too often", l.Every)
	case l.Until != nil && l.Every == nil:
		v.fail(at+".until", "every: 10s, or remove until", "until is the end of every, which is missing")
	default:
		v.ends(at, "the line is never printed", least(l.At), l.Until)
	}
}
