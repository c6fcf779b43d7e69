package page

import (
	"fmt"

	"github.com/kubestep/kubestep/scenarios/reading/palette"
	"github.com/kubestep/kubestep/scenarios/reading/scene"
	"github.com/kubestep/kubestep/scenarios/reading/stage"
	"github.com/kubestep/kubestep/sim/trace"
)

// cast is that of the stage, whose members, programs and nodes a page knows by their indexes.
type cast struct {
	*stage.Cast
	indexes  map[trace.Object]int
	machines []string
	nodes    map[string]int
}

func newCast(scenes *scene.Scenes) *cast {
	c := &cast{Cast: stage.New(scenes), indexes: map[trace.Object]int{}, machines: []string{}, nodes: map[string]int{}}
	for i, m := range c.Members {
		c.indexes[m.Object] = i
	}
	for _, o := range scenes.Objects() {
		if o.Resource == "nodes" {
			c.nodes[o.Name] = len(c.machines)
			c.machines = append(c.machines, o.Name)
		}
	}
	return c
}

// member is a member of the cast. Full is its name in the store.
type member struct {
	Kind  string `json:"kind"`
	Name  string `json:"name"`
	Short string `json:"short,omitempty"`
	Full  string `json:"full,omitempty"`
	// Row is its index among the objects of the store.
	Row int `json:"row"`
	// Version numbers the ReplicaSets of a Deployment and their Pods, from 1.
	Version int `json:"version,omitempty"`
}

// members are those of the cast, with their rows in the store.
func (c *cast) members(rows map[trace.Object]int) []member {
	members := []member{}
	for _, m := range c.Members {
		of := member{Kind: m.Kind, Name: m.Name, Short: m.Short, Version: m.Version, Row: rows[m.Object]}
		if m.Name != m.Object.Name {
			of.Full = m.Object.Name
		}
		members = append(members, of)
	}
	return members
}

func (c *cast) players() []string {
	names := []string{}
	for _, o := range c.Programs {
		names = append(names, o.Name)
	}
	return names
}

// thing is the state of a member that exists.
type thing struct {
	// Owner is the index of its owner, -1 if it has none that exists.
	Owner int          `json:"owner"`
	Says  string       `json:"says,omitempty"`
	Tone  palette.Tone `json:"tone,omitempty"`
	// Phase is the letter of a Pod's phase, and Node its node.
	Phase scene.Pods `json:"phase,omitempty"`
	Node  string     `json:"node,omitempty"`
	// Focused says that the lesson is about it now.
	Focused bool `json:"focused,omitempty"`
}

// parts adds what the stage shows to the parts of a state.
func (c *cast) parts(view *stage.Stage, state map[string]any) {
	for i := range view.Programs {
		state[fmt.Sprint("player", i)] = view.Programs[i]
	}
	for i := range view.Objects {
		o := &view.Objects[i]
		of := thing{Owner: -1, Says: o.Says, Tone: o.Tone, Node: o.Node, Focused: o.Focused}
		if o.Owner >= 0 {
			of.Owner = c.indexes[view.Objects[o.Owner].Object]
		}
		if o.IsPod() {
			of.Phase = scene.Pods{o.Phase}
		}
		state[fmt.Sprint("thing", c.indexes[o.Object])] = of
	}
	for _, n := range view.Nodes {
		n.Lit, n.Pods = false, nil
		state[fmt.Sprint("machine", c.nodes[n.Name])] = n
	}
}

// move is a message. About is the index of the object that it is about among the members of the cast, -1 if it is none of them, and
// Actor the name of a program that is not at the left.
type move struct {
	stage.Move
	About int    `json:"about"`
	Actor string `json:"actor,omitempty"`
}

func (c *cast) moves(view *stage.Stage) (moves []move) {
	for _, of := range view.Moves {
		m := move{Move: of, About: -1}
		if i, ok := c.indexes[of.Object]; ok {
			m.About = i
		}
		if of.Program < 0 {
			m.Actor = of.Actor
		}
		moves = append(moves, m)
	}
	return moves
}

// lit are the members that the record writes.
func (c *cast) lit(view *stage.Stage) (lit []int) {
	for i := range view.Objects {
		if view.Objects[i].Lit {
			lit = append(lit, c.indexes[view.Objects[i].Object])
		}
	}
	return lit
}
