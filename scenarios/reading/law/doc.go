// Package law finds the times that a scenario sets, such as minReadySeconds of a Deployment, and judges runs in which one of them is
// half as long, or twice.
//
// A time has a law: the run with another length ends with the same objects, and what waits for the time changes for the last time by the
// difference earlier or later, once for each object that waits. Fields is the table of the times, Find lists those of a scenario, and
// Time.Change makes the scenario with another length. Look collects what a run did, and Judge compares two runs:
//
//	for _, t := range law.Find(scenario) {
//		text, err := t.Change(scenario, t.Value/2)
//		... a run of the scenario, and one of the text, each with the Note of a Look among its sinks ...
//		shift := law.Judge(t, short, long)
//	}
//
// kubestep explore --laws does so for each time of a scenario.
package law
