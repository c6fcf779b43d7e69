package verb

import (
	"context"

	"github.com/kubestep/kubestep/scenarios/language/format"
	"github.com/kubestep/kubestep/sim/cluster/node"
)

// imageRow is something that is wrong with an image.
var imageRow = Row{
	Syntax: format.Syntax{
		Of:  new(Image),
		Doc: "Makes images unusable: nodes cannot pull them, or their containers crash. It also applies to Pods that do not exist yet.",
		Example: `- image: {failPull: "web:v2"}
- after: 5m
  image: {recover: "web:v2"}
# Each container of the image crashes.
- image: {crashLoop: "registry.example/*:v3"}
`,
	},
	Commands: []Command{{
		Name: "image", Args: "failPull|crashLoop|recover IMAGE",
		About: "make an image unusable: nodes cannot pull it, or its containers crash; or let it recover", Parse: parseImage,
		Complete: []Completion{words("failPull", "crashLoop", "recover")},
	}},
}

// Image is a fault of an image.
type Image struct {
	FailPull  string `yaml:"failPull,omitempty" oneOf:"true" example:"web:v2" doc:"Image that nodes cannot pull any more: Pods that have not started yet wait with ErrImagePull and ImagePullBackOff. Containers that run stay. Here and below, a glob as in match.image of a Pod rule."`
	CrashLoop string `yaml:"crashLoop,omitempty" oneOf:"true" example:"'*:broken'" doc:"Image whose containers crash one second after each start, those that run already at once, as with crashLoop of a pod step."`
	Recover   string `yaml:"recover,omitempty" oneOf:"true" example:"web:v2" doc:"Image that recovers from both: the nodes pull it again, and containers that crashed run. * is all images."`
}

// Keyword implements format.Verb.
func (*Image) Keyword() string { return "image" }

// Role implements format.Verb.
func (*Image) Role() format.Role { return format.Fault }

// what says what happens to which image.
func (i *Image) what() (fault node.PodFault, glob string) {
	switch {
	case i.FailPull != "":
		return node.FailsPull, i.FailPull
	case i.CrashLoop != "":
		return node.CrashLoops, i.CrashLoop
	}
	return node.Recovers, i.Recover
}

// String implements format.Verb.
func (i *Image) String() string {
	fault, glob := i.what()
	return string(fault) + " " + glob
}

// Check implements format.Verb: it requires exactly one image.
func (i *Image) Check(c *format.Checker) {
	c.One(i, "image", "{failPull: \"web:v2\"}, or crashLoop or recover")
}

// Do implements Verb.
func (i *Image) Do(_ context.Context, w World) error {
	fault, glob := i.what()
	w.Simulation().Engine.Call("scenario|image|"+format.StepPath(w.Step()), func() {
		w.Kubelets().InjectImageFault(glob, fault, w.Cause())
	})
	return nil
}

func parseImage(args []string) (Verb, error) {
	i := &Image{}
	return i, choose(args, map[string]*string{"failPull": &i.FailPull, "crashLoop": &i.CrashLoop, "recover": &i.Recover})
}
