package controllers

import (
	"fmt"

	"github.com/kubestep/kubestep/sim/trace"
)

// stage is a step in the start of kube-controller-manager, from its options to running controllers. It is a log line in
// the trace with its location in upstream's code.
type stage struct {
	message  string
	function string
	// file is in k8s.io/kubernetes, or begins with the path of another module.
	file string
}

// managerFile holds most of the start.
const managerFile = "cmd/kube-controller-manager/app/controllermanager.go"

// The stages, in order.
var (
	stageOptions = stage{"Component configuration completed", "NewKubeControllerManagerOptions",
		"cmd/kube-controller-manager/app/options/options.go"}
	stageRun      = stage{"Starting", "Run", managerFile}
	stageClients  = stage{"Client builders created", "createClientBuilders", managerFile}
	stageElection = stage{"Taking part in the leader election", "leaderElectAndRun", managerFile}
	stageLeading  = stage{"Started leading", "leaderElectAndRun", managerFile}
	stageHealthy  = stage{"API server is healthy", "WaitForAPIServer", "k8s.io/controller-manager/app/helper.go"}
	stageContext  = stage{"Controller context created", "CreateControllerContext", managerFile}
	stageList     = stage{"Controllers selected", "NewControllerDescriptors",
		"cmd/kube-controller-manager/app/controller_descriptor.go"}
	stageBuilt     = stage{"Controller built", "BuildControllers", managerFile}
	stageInformers = stage{"Informers started", "Run", managerFile}
	stageStarted   = stage{"Controller started", "RunControllers", managerFile}
	stageSynced    = stage{"Informer caches synced", "WaitForCacheSyncWithContext", "k8s.io/client-go/informers/factory.go"}
)

// The stages of kube-scheduler. It takes part in an election as kube-controller-manager does.
var (
	stageSchedulerRun    = stage{"Starting", "Run", schedulerFile}
	stageSchedulerBuilt  = stage{"Scheduler built", "Setup", schedulerFile}
	stageSchedulerSynced = stage{"Cache and queue filled", "Run", schedulerFile}
)

// schedulerFile holds the start of kube-scheduler.
const schedulerFile = "cmd/kube-scheduler/app/server.go"

// stages lists all of them.
var stages = []stage{
	stageOptions, stageRun, stageClients, stageElection, stageLeading, stageHealthy, stageContext, stageList, stageBuilt,
	stageInformers, stageStarted, stageSynced, stageSchedulerRun, stageSchedulerBuilt, stageSchedulerSynced,
}

// reached writes the line of a stage. Lines of one virtual time keep the order in which they were written.
func (p *process) reached(s stage, values ...string) {
	p.write(s, fmt.Sprintf("%06d", p.lines.Add(1)), values)
}

// started writes the line of a controller that starts, on the goroutine of that controller: which of two is
// faster must not show.
func (p *process) started(controller string, values ...string) {
	p.write(stageStarted, "started "+controller, append([]string{"controller=" + controller}, values...))
}

func (p *process) write(s stage, order string, values []string) {
	if p.dead.Load() {
		return
	}
	line := &trace.Log{Message: s.message, Values: append(values, fmt.Sprintf("upstream=%s (%s)", s.function, s.file))}
	// What a stage sets going at the same instant comes after it.
	p.sim.Recorder.Defer(&trace.Record{Kind: trace.KindLog, Actor: p.name, Log: line}, trace.RankHandler,
		func() string { return order }, nil, nil)
}
