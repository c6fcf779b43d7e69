package explain

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/kubestep/kubestep/sim/recording"
	"github.com/kubestep/kubestep/sim/trace"
	"github.com/kubestep/kubestep/sim/trace/diff"
	"github.com/kubestep/kubestep/sim/trace/file/archive"
)

// archiveOfReplicas is an archive of a ReplicaSet with n Pods and of one sync of it, the last two records. First all Pods are created,
// then all become Running, not in the order of their names, so that the versions of those whose names follow each other are far apart.
// The lines are larger than what a recording keeps decoded (40 MB and 32 MiB).
func archiveOfReplicas(t *testing.T, n int) *recording.Recording {
	t.Helper()
	var out bytes.Buffer
	writer, err := archive.NewWriter(&out, archive.Header{})
	if err != nil {
		t.Fatal(err)
	}
	seq := int64(0)
	add := func(record trace.Record) {
		seq++
		record.Seq, record.At = seq, time.Duration(seq)*time.Millisecond
		if r := record.Request; r != nil {
			r.Code = 200
			for i := range r.Writes {
				r.Writes[i].RV, r.Writes[i].Object = uint64(seq), r.Object
			}
		}
		if err := writer.Write(&record, record.Line()); err != nil {
			t.Fatal(err)
		}
	}
	request := func(actor, verb string, o trace.Object, writes ...trace.Write) {
		request := &trace.Request{Verb: verb, Object: o, Writes: writes}
		if verb == "list" {
			request.RV = fmt.Sprint(seq)
		}
		add(trace.Record{Kind: trace.KindRequest, Actor: actor, Request: request})
	}
	set := fmt.Sprintf(`{"metadata":{"name":"web","namespace":"default","uid":"web"},"spec":{"replicas":%d,`+
		`"selector":{"matchLabels":{"app":"web"}}}}`, n)
	request("kubectl", "create", trace.Object{Resource: "replicasets.apps", Namespace: "default", Name: "web"},
		trace.Write{Op: trace.OpCreate, UID: "web", New: []byte(set)})
	pod := func(i int) trace.Object {
		const step = 617
		return trace.Object{Resource: "pods", Namespace: "default", Name: fmt.Sprintf("web-%05d", i*step%n)}
	}
	large := strings.Repeat("a", 20_000)
	for i := range n {
		o := pod(i)
		text := fmt.Sprintf(`{"metadata":{"name":%q,"namespace":"default","uid":%q,"labels":{"app":"web"},"annotations":{"a":%q},`+
			`"ownerReferences":[{"apiVersion":"apps/v1","kind":"ReplicaSet","name":"web","uid":"web","controller":true}]}}`, o.Name, o.Name, large)
		request("replicaset-controller", "create", o, trace.Write{Op: trace.OpCreate, UID: o.Name, New: []byte(text)})
	}
	for i := range n {
		changes := []diff.Change{
			{Path: "status.phase", New: json.RawMessage(`"Running"`)}, {Path: "metadata.annotations.b", New: json.RawMessage(`"` + large + `"`)},
		}
		request("kubelet", "update", pod(i), trace.Write{Op: trace.OpUpdate, Changes: changes})
	}
	for _, resource := range []string{"replicasets.apps", "pods"} {
		request(trace.InformerActor, "list", trace.Object{Resource: resource})
	}
	sync := trace.Sync{Queue: "replicaset", Key: "default/web", Phase: trace.PhaseStart}
	add(trace.Record{Kind: trace.KindSync, Actor: "replicaset-controller", Sync: &sync})
	end := sync
	end.Phase, end.Start = trace.PhaseEnd, seq
	add(trace.Record{Kind: trace.KindSync, Actor: "replicaset-controller", Cause: seq, Sync: &end})
	if err := writer.Close(archive.End{}); err != nil {
		t.Fatal(err)
	}
	rec, err := recording.Read(&out, recording.Origin{})
	if err != nil {
		t.Fatal(err)
	}
	return rec
}

// TestDecompressesEachBlockOnce explains a sync with many Pods in its cache, of which an archive has the versions in all its blocks. That
// must not take longer for each Pod: the terminal explains the sync at the cursor, and answers keys afterwards.
func TestDecompressesEachBlockOnce(t *testing.T) {
	const n = 1000
	rec := archiveOfReplicas(t, n)
	_, blocks := rec.Opened()
	e := At(rec, rec.Len())
	if e == nil || e.Verdict != "nothing: 1000 of 1000 Pods are there" {
		t.Fatalf("the explanation is %+v", e)
	}
	// The last block has the sync itself, which is looked at first, and the first one the ReplicaSet, which is read before the Pods.
	if unpacked := rec.Unpacked(); blocks < 70 || unpacked > blocks+2 {
		t.Errorf("%d blocks were decompressed %d times", blocks, unpacked)
	}
	before := rec.Unpacked()
	if At(rec, rec.Len()); rec.Unpacked() > before+1 {
		t.Errorf("%d blocks were decompressed for the same sync again", rec.Unpacked()-before)
	}
}

// TestDefersWhatTakesLong asks for the explanation of a sync with many Pods in its cache within a bound: the answer says what is to be
// explained, without decompressing the blocks of the Pods.
func TestDefersWhatTakesLong(t *testing.T) {
	const n = 1000
	rec := archiveOfReplicas(t, n)
	e := Within(rec, rec.Len(), n-1)
	if e == nil || !e.Deferred || e.Verdict != "the explanation is being computed, from 1000 objects in its cache" ||
		e.Start != rec.Len()-1 || e.Controller != "replicaset-controller" || e.Key != "default/web" {
		t.Errorf("with a bound of %d: %+v", n-1, e)
	}
	if unpacked := rec.Unpacked(); unpacked > 2 {
		t.Errorf("%d blocks were decompressed", unpacked)
	}
	if e := Within(rec, rec.Len(), n); e == nil || e.Deferred || e.Verdict != "nothing: 1000 of 1000 Pods are there" {
		t.Errorf("with a bound of %d: %+v", n, e)
	}
}
