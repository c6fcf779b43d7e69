package answers

import "net/http"

// deletions adds deletions of one object and of several.
func (t *table) deletions(k *kind) {
	g := t.group("delete", k, Request{Method: http.MethodDelete, Path: k.path(), ContentType: asJSON})
	finalized := []Request{post(k.collection(), merged(k.body, metadata["finalizer"]))}
	g.add("what exists", g.exists(), nil)
	g.add("what does not exist", nil, nil)
	g.add("dryRun=All", g.exists(), query("dryRun=All"))
	g.add("what waits for a finalizer", finalized, nil)
	g.add("what is being deleted", append(finalized, g.request), nil)
	g.add("with another uid", g.exists(), body(`{"preconditions":{"uid":"11111111-1111-1111-1111-111111111111"}}`))
	g.add("with an old resourceVersion", g.exists(), body(`{"preconditions":{"resourceVersion":"1"}}`))
	for _, policy := range []string{"Background", "Foreground", "Orphan", "Other"} {
		if k.all {
			g.add("propagationPolicy="+policy, g.exists(), query("propagationPolicy="+policy))
		}
		if k.all || policy == "Foreground" {
			g.add("propagationPolicy "+policy, g.exists(), body(`{"propagationPolicy":"`+policy+`"}`))
		}
	}
	if k.all {
		g.add("with its uid", g.exists(), body(`{"preconditions":{"uid":"$UID"}}`))
		g.add("with its resourceVersion", g.exists(), body(`{"preconditions":{"resourceVersion":"$RV"}}`))
		g.add("Accept Table", g.exists(), accept(asTable))
		for _, option := range []string{"dryRun=Some", "gracePeriodSeconds=0", "gracePeriodSeconds=5", "gracePeriodSeconds=-1",
			"gracePeriodSeconds=x",
			"orphanDependents=true", "orphanDependents=true&propagationPolicy=Orphan", "nonsense=1", "pretty=true",
			"ignoreStoreReadErrorWithClusterBreakingPotential=true"} {
			g.add(option, g.exists(), query(option))
		}
		for _, text := range []string{`{"kind":"DeleteOptions","apiVersion":"v1"}`, `{"kind":"DeleteOptions","apiVersion":"` + k.versionOf() +
			`","gracePeriodSeconds":0}`,
			`{"kind":"DeleteOptions","apiVersion":"meta.k8s.io/v1"}`, `{"kind":"ConfigMap","apiVersion":"v1"}`, `{"kind":"DeleteOptions"}`,
			`{"nonsense":1}`, `{`, `[]`, `null`, `{"dryRun":["All"]}`,
			`{"dryRun":["Some"]}`, `{"gracePeriodSeconds":-1}`, `{"gracePeriodSeconds":"x"}`, `{"orphanDependents":true}`,
			`{"orphanDependents":true,"propagationPolicy":"Orphan"}`,
			`{"gracePeriodSeconds":1,"gracePeriodSeconds":0}`} {
			g.add("body "+text, g.exists(), body(text))
		}
		for _, m := range []string{asYAML, asProtobuf, asCBOR, "text/plain"} {
			g.add("Content-Type "+m, g.exists(), both(as(m), body(`{"kind":"DeleteOptions","apiVersion":"v1","propagationPolicy":"Background"}`)))
		}
		for _, a := range acceptances {
			if a != asTable {
				g.add("Accept "+a, g.exists(), accept(a))
			}
		}
	}
	g.add("as a user without rights", g.exists(), func(r *Request) { r.As = "jane" })
	t.collections(k)
}

func (t *table) collections(k *kind) {
	const selected = "labelSelector=row%3D$NAME"
	g := t.group("deletecollection", k, Request{Method: http.MethodDelete, Path: k.collection(), ContentType: asJSON, Query: selected})
	if k.plural == "namespaces" {
		g.add("not allowed", g.exists(), nil)
		return
	}
	g.add("of one", g.exists(), nil)
	g.add("of none", nil, nil)
	g.add("dryRun=All", g.exists(), query(selected+"&dryRun=All"))
	if !k.all {
		return
	}
	g.add("of a wrong selector", nil, query("labelSelector=a%21%21"))
	g.add("of a wrong field selector", nil, query(selected+"&fieldSelector=spec.nonsense%3Dx"))
	g.add("of a name", g.exists(), query("fieldSelector=metadata.name%3D$NAME"))
	g.add("propagationPolicy=Other", g.exists(), query(selected+"&propagationPolicy=Other"))
	g.add("body propagationPolicy Foreground", g.exists(), body(`{"propagationPolicy":"Foreground"}`))
	g.add("body of another kind", g.exists(), body(`{"kind":"ConfigMap","apiVersion":"v1"}`))
	g.add("limit=x", g.exists(), query(selected+"&limit=x"))
	g.add("resourceVersion=x", g.exists(), query(selected+"&resourceVersion=x"))
	g.add("Accept Table", g.exists(), accept(asTable))
}
