package law_test

const lawsHead = `# Laws of times

Objects of Kubernetes have times, such as ` + "`minReadySeconds`" + `, and each of them has a law: with half of the time, or twice the time, a run
ends with the same objects, and what waits for the time changes for the last time by the difference earlier or later.
` + "`kubestep explore FILE --laws`" + ` tries each time that a scenario sets, and some of those that it leaves at their defaults. For each it
makes a run with half of the time and one with twice the time, and compares them with the run of the scenario. [exploration.md](../explanation/exploration.md#laws-of-times)
describes the comparison.

| verdict | what it means |
|---|---|
| HOLDS | Each object changes for the last time by the difference earlier or later, or at the same time. |
| IDLE | Nothing changes at another time: in this scenario, nothing waits for the time. |
| REPEATS | An object moves by the difference several times, as the last of several Pods does that start one after another. |
| DECIDES | The time races with something else, such as a deadline with the end of a Job, and with another length the other one wins. |
| BROKEN | The run ends otherwise, an object changes later with a shorter time, or it moves by the difference more often than objects can wait one after another. |
| UNDECIDED | The runs cannot be compared: a step fails, or a run does not come to rest. |

A law is broken only if it is with three other seeds, too. Only a time of the last column *decides*: for all others, another end is a broken law.

| objects | field | what the time bounds | default | notes |
|---|---|---|---|---|
`
