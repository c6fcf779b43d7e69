// Package playground runs scenarios in a web page: the engine of the playground that make web builds for browsers.
//
// The page starts a Web Worker (wasm/worker.js, a module worker), and the two exchange messages. The worker answers each request by its
// id, a number that the page chooses. It keeps nothing of a run: whoever wants a trace, or a comparison, sends the archives that came with
// the results. For each request that needs the simulation, the worker makes a new instance of the WebAssembly module: upstream keeps state
// per process, so an instance makes one run.
//
// The page sends:
//
//	{type: "load", base: "./", module}             base is where bin/web is; module, if any, is that of an earlier "ready"
//	{type: "library", id}                          the scenarios that come with kubestep
//	{type: "schema", id}                           the JSON Schema of the scenario format
//	{type: "validate", id, text}                   text is a scenario, or a session of a task: {task, steps}
//	{type: "run", id, text | name, seed, vary}     name is that of a scenario or of a task; vary is null or
//	                                               {object, maxSurge, maxUnavailable, ready, replicas}:
//	                                               strings, all optional; object is like "deployment/web", by default
//	                                               the first workload of the scenario
//	{type: "compare", id, archives: [a, b]}
//	{type: "trace", id, archive}                   the trace as JSON lines
//	{type: "touch", id, archive, text, record, thing}
//	                                               what may be done to a thing of the stage at a record; thing is as the
//	                                               player names it (player2), and text is that of the "result"
//	{type: "branch", id, archive, text, record, command}
//	                                               the scenario of the branch in which one of that is done
//
// The worker answers:
//
//	{type: "loading", got, total, phase}           bytes; phase is "download" or "compile"
//	{type: "ready", version, kubernetes, commit, module}
//	{type: "library", id, scenarios: [{name, group, title, about, level, text, hints}], course: [name, ...],
//	 requests: [{verb, about, example}]}           those of the group "practice" are tasks; requests are the steps for them
//	{type: "schema", id, schema}
//	{type: "valid" | "invalid", id, errors: [{line, column, message, try, severity}]}
//	                                               severity is "error" or "warning"; a valid scenario may have warnings
//	{type: "progress", id, now, horizon, records}  virtual seconds; at most ten a second
//	{type: "result", id, name, hash, verdict, summary, data, archive, text, report, memory}
//	                                               verdict is pass, fail, stuck, hot or error; summary is the
//	                                               line that ends kubestep run; data is what scenarios/web/page
//	                                               puts into an exported lesson; archive is the trace as a .kst
//	                                               file, a Uint8Array; text is the scenario that ran, which has
//	                                               the numbers of vary; report is the grade of a task, as of
//	                                               kubestep practice check; memory is what it took, in bytes
//	{type: "comparison", id, equal, text, report, parts}
//	                                               text is what kubestep diff prints, report is its JSON form; parts are
//	                                               the records in which the two begin to differ, 0 where one has ended
//	{type: "trace", id, bytes}                     a Uint8Array
//	{type: "offers", id, offers: [{command, about}]}
//	{type: "branched", id, text, added, at}        added says what differs from at on, in virtual seconds
//	{type: "error", id, message, try, errors}      id is absent if no request is at fault; errors, if any, as those of "invalid"
//
// To stop a run, the page ends the worker with terminate, starts another one, and sends it "load" with the module, which is not compiled
// again. The worker itself ends a run that takes too much memory, or makes no progress, with "error".
package playground
