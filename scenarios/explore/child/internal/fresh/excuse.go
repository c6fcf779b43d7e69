package fresh

// Excuse is why the end of a run may rightly differ from the end of the other one, of which nothing can be said then; empty if there is no
// such reason.
func (u *Users) Excuse(run, other Objects) Reason {
	switch {
	case lacksRoom(run), lacksRoom(other):
		return NoRoom
	case !u.collected && lacksOwner(run):
		return NotCollected
	}
	return ""
}

// lacksRoom reports whether a Pod has no node.
func lacksRoom(objects Objects) bool {
	for object, content := range objects {
		if object.Resource == "pods" && text(content, "spec", "nodeName") == "" {
			return true
		}
	}
	return false
}

// lacksOwner reports whether the controller of an object is gone.
func lacksOwner(objects Objects) bool {
	there := map[string]bool{}
	for _, content := range objects {
		there[text(content, "metadata", "uid")] = true
	}
	for _, content := range objects {
		for _, owner := range owners(content) {
			if uid, _ := owner["uid"].(string); owner["controller"] == true && !there[uid] {
				return true
			}
		}
	}
	return false
}
