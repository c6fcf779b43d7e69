// Package why answers "why is nothing happening?" for one object at one record of a run.
//
// Package liveness says what an object wants and lacks. That alone does not say who must act. So an Answer adds what the
// recording knows about the controller: whether its process runs, what its caches have not received, when it looked at the
// object last and what came of it, and what will make it look again.
//
//	history := why.New(rec)
//	instant := history.At(seq, at)
//	for _, answer := range instant.Ask(object) {
//		fmt.Println(strings.Join(answer.Text(100), "\n"))
//	}
//
// Nothing is simulated, and nothing is predicted: what is due is in the recording, as a timer that runs or a key that is
// queued. What happens later in the recording, such as a command of the user, is shown as such, since the controllers
// could not know of it.
package why
