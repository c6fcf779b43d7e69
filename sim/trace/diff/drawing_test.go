package diff

import (
	"math/rand/v2"
	"slices"
	"time"
)

// drawing draws objects that have everything a diff can stumble over: empty and missing values, keys with
// dots and slashes, lists that grow, shrink and change their order.
type drawing struct{ *rand.Rand }

func (d *drawing) one(texts ...string) string { return texts[d.IntN(len(texts))] }

var oddKeys = []string{"app", "a.b/c", "with space", `quote"d`, "x=y", "[0]", "-dash", "0digit", "ünï", ""}

func (d *drawing) labels() map[string]string {
	switch d.IntN(6) {
	case 0:
		return nil
	case 1:
		return map[string]string{}
	}
	labels := map[string]string{}
	for range d.IntN(4) {
		labels[d.one(oddKeys...)] = d.one("", "1", "<&>", "two words")
	}
	return labels
}

func (d *drawing) stamp() stamp {
	if d.IntN(2) == 0 {
		return stamp{}
	}
	return stamp{time.Unix(int64(d.IntN(3)), int64(d.IntN(3)))}
}

func (d *drawing) stampPointer() *stamp {
	if d.IntN(2) == 0 {
		return nil
	}
	s := d.stamp()
	return &s
}

func pointer[T any](d *drawing, values ...T) *T {
	if d.IntN(3) == 0 {
		return nil
	}
	v := values[d.IntN(len(values))]
	return &v
}

// names draws a list of names in any order, sometimes with one twice.
func (d *drawing) names(texts ...string) []string {
	if d.IntN(6) == 0 {
		return nil
	}
	names := slices.Clone(texts)
	d.Shuffle(len(names), func(i, j int) { names[i], names[j] = names[j], names[i] })
	names = names[:d.IntN(len(names)+1)]
	if len(names) > 0 && d.IntN(8) == 0 {
		names = append(names, names[0])
	}
	return names
}

func (d *drawing) pod() *podLike {
	p := &podLike{}
	d.metadata(&p.metaLike)
	for _, name := range d.names("a", "b", "with space", "*") {
		p.Spec.Containers = append(p.Spec.Containers, d.container(name))
	}
	p.Spec.NodeName = d.one("", "node-1", "node-2")
	p.Spec.Grace = pointer(d, int64(0), 30)
	p.Spec.Selector = d.labels()
	p.Spec.Matrix = d.matrix()
	p.Spec.Surge = pointer(d, quantityLike{}, quantityLike{[]string{"1"}}, quantityLike{[]string{"2"}})
	p.Spec.Extra = d.extra(2)
	if d.IntN(2) == 0 {
		p.Spec.Security = &securityLike{pointer(d, int64(0), 7), nil, pointer(d, 0, 0.5)}
	}
	p.Spec.Data = []byte(d.one("", "x", "yz"))
	d.status(&p.Status)
	return p
}

func (d *drawing) metadata(m *metaLike) {
	m.Name, m.ResourceVersion = "web-0", d.one("1", "2")
	m.Generation = int64(d.IntN(3))
	m.Created, m.Deleted = d.stamp(), d.stampPointer()
	m.Labels, m.Annotations = d.labels(), d.labels()
	for _, uid := range d.names("u1", "u2", "u3") {
		m.Owners = append(m.Owners, ownerLike{Kind: d.one("ReplicaSet", "Job"), UID: uid, Controller: pointer(d, true, false)})
	}
	m.Finalizers = d.names("foregroundDeletion", "a.b/c", "two words", "*")
	m.ManagedFields = d.names("x", "y")
}

func (d *drawing) status(s *statusLike) {
	s.Phase, s.Ready, s.Available = d.one("", "Pending", "Running"), int32(d.IntN(2)), int32(d.IntN(2))
	s.Draining, s.Start = pointer(d, int32(0), 1), d.stampPointer()
	for _, kind := range d.names("Ready", "Available", "", "a/b") {
		s.Conditions = append(s.Conditions, conditionLike{
			Type: kind, Status: d.one("True", "False"), Probed: d.stamp(), Since: d.stamp(), Reason: d.one("", "Why"),
		})
	}
	for _, name := range d.names("a", "b", "c") {
		state := stateLike{Name: name, Restarts: int32(d.IntN(2))}
		if d.IntN(2) == 0 {
			state.Waiting = &struct {
				Reason string `json:"reason,omitempty"`
			}{d.one("", "ContainerCreating")}
		}
		s.States = append(s.States, state)
	}
}

func (d *drawing) container(name string) containerLike {
	c := containerLike{Name: name, Image: d.one("", "web:v1", "web:v2"), Started: d.IntN(2) == 0}
	c.Args = d.names("-v", "--a=b", "c")
	for _, port := range d.names("8", "9") {
		c.Ports = append(c.Ports, portLike{int32(port[0]), d.one("", "UDP")})
	}
	for _, name := range d.names("HOME", "A B", "PATH") {
		c.Env = append(c.Env, pointer(d, envLike{name, "x"}, envLike{name, ""}))
	}
	if d.IntN(2) == 0 {
		c.Limits = map[string]quantityLike{"cpu": {[]string{d.one("1", "2")}}, "a.b/gpu": {}}
	}
	return c
}

func (d *drawing) matrix() [][]int32 {
	var matrix [][]int32
	for range d.IntN(4) {
		var row []int32
		for range d.IntN(3) {
			row = append(row, int32(d.IntN(2)))
		}
		matrix = append(matrix, row)
	}
	return matrix
}

// extra draws what has no type: nested maps and lists.
func (d *drawing) extra(depth int) map[string]any {
	m := map[string]any{}
	for range d.IntN(4) {
		m[d.one(oddKeys...)] = d.anything(depth)
	}
	return m
}

func (d *drawing) anything(depth int) any {
	switch n := d.IntN(9); {
	case n == 0:
		return nil
	case n == 1:
		return int64(d.IntN(3))
	case n == 2:
		return d.one("", "text")
	case n == 3:
		return d.IntN(2) == 0
	case n == 4:
		return 1.5
	case depth == 0:
		return map[string]any{}
	case n < 7:
		var list []any
		for _, name := range d.names("a", "b", "c") {
			element := d.extra(depth - 1)
			element["name"] = name
			list = append(list, element)
		}
		return list
	case n == 7:
		return []any{d.anything(depth - 1), d.anything(depth - 1)}[:d.IntN(3)]
	}
	return d.extra(depth - 1)
}

// mutated is a copy in which a part or two were drawn again.
func (d *drawing) mutated(p *podLike) *podLike {
	other, c := d.pod(), *p
	for range 1 + d.IntN(3) {
		switch d.IntN(8) {
		case 0:
			c.Labels = other.Labels
		case 1:
			c.Finalizers = other.Finalizers
		case 2:
			c.Status = other.Status
		case 3:
			c.Spec.Containers = other.Spec.Containers
		case 4:
			c.Spec.Extra = other.Spec.Extra
		case 5:
			c.Spec.Matrix = other.Spec.Matrix
		case 6:
			c.Status.Conditions = slices.Clone(c.Status.Conditions)
			slices.Reverse(c.Status.Conditions)
		case 7:
			c.Owners = other.Owners
		}
	}
	return &c
}
