package scenarios

import "context"

// edit changes the store itself.
func edit(_ context.Context, r *run, i int, st Step) error {
	path := StepPath(i) + ".edit"
	target, err := ParseTarget(st.Edit.Target)
	if err != nil {
		return err
	}
	body, err := (&Patch{Patch: st.Edit.Patch}).JSON()
	if err != nil {
		return r.scenario.Errorf(path+".patch", "{metadata: {ownerReferences: null}}", "%v", err)
	}
	req := r.request("edit", target)
	cause := r.taskSeq()
	r.sim.Engine.Call("edit|"+path, func() { err = r.sim.Edit(req.Resource, req.Namespace, req.Name, body, cause()) })
	if err != nil {
		return r.scenario.Errorf(path, "", "%v", err)
	}
	return nil
}
