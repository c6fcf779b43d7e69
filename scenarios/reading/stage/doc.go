// Package stage shows the cluster of a recording as things: programs, the objects in the store with their owners, nodes with the Pods
// that they run, and the messages between them. It says what is to be seen at a beat of package scene, and every drawing of a cluster
// draws it:
//
//	cast := stage.New(scenes)     // once: which objects there are, and what people call them
//	view := cast.At(beat)
//	view.Programs                 // left: who works, what it still has to do, what it does not know yet
//	view.Objects                  // middle: boxes, each behind its owner; the ones that the record writes are lit
//	view.Nodes                    // right: CPU and memory, the zone, taints, and Pods
//	view.Moves                    // what travels at this record: from a program or a node to an object, or back
//	view.Caption                  // and one sentence that says it
//
// Names are ones that a person can say. A Pod of a Deployment is "v2 · 3", the third one of its ReplicaSet v2, and not
// web-7b6d7cdbc-mjgpm; a drawing that shows details has that name, too. They belong to the whole recording: a Pod has the same name at
// every beat.
package stage
