package fresh

// Excuse is why what a run leaves may rightly differ from what another one leaves, of which nothing can be said then; empty if there is no
// such reason.
func (u *Users) Excuse(objects Objects) Reason {
	switch {
	case lacksRoom(objects):
		return NoRoom
	case !u.collected && lacksOwner(objects):
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
