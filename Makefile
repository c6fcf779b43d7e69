.DEFAULT_GOAL := help
GO ?= go
# The packages with golden files, whose tests have the flag -rewrite.
GOLDEN := $(addprefix ./,$(sort $(dir $(shell grep -rlE 'datadriven"|sim/simtest/golden"' --include=*_test.go sim controllers scenarios docs tui))))
VERSION ?= $(shell git describe --tags --always --dirty 2>/dev/null || echo devel)
COMMIT ?= $(shell git rev-parse HEAD 2>/dev/null)
SETS := github.com/kubestep/kubestep/scenarios/cli/version
LDFLAGS := -s -w -X $(SETS).Version=$(VERSION) -X $(SETS).Commit=$(COMMIT)
# KUBERNETES is the version of Kubernetes that is compiled in, such as 1.37 or 1.34.0; empty is that of go.mod. Package sim/toolchain/versions
# has the list. All targets take it, but golden files are those of the main version.
KUBERNETES ?=
VARIANT := $(if $(KUBERNETES),-$(KUBERNETES))
BINARY := bin/kubestep$(VARIANT)
# The exact build compiles Go's runtime, and with it everything, from edited files in OVERLAY, which begins with
# an underscore so that ./... passes over it. EXACT=0 makes the stock build, that of a plain go build or go test.
EXACT ?= 1
OVERLAY := bin/_overlay
GOFLAGS_FILE = $(OVERLAY)/goflags$(VARIANT)
# ENVIRONMENT is read by sh. With another release of Go than the one that the exact build is for, it makes every go command that one.
ENVIRONMENT = $(OVERLAY)/environment
TAKE = . '$(abspath $(ENVIRONMENT))';
# STOCK_FLAGS are the flags of the user. A shell that has evaluated make env keeps them in a variable of its own.
STOCK_FLAGS := $(if $(KUBESTEP_ENV),$(KUBESTEP_GOFLAGS),$(shell $(GO) env GOFLAGS))
WEB := bin/web
# The quality of Brotli for the engine of the playground: 4 takes seconds, 11 about ten minutes for a file a fifth smaller. An
# engine that has not changed is not compressed again.
BROTLI ?= 11
# WITH begins a line that compiles: all targets compile with the same flags, and so do the go commands that tests start,
# so that Kubernetes is compiled once.
WITH = $(TAKE) flags=$$(cat $(GOFLAGS_FILE)); export GOFLAGS="$(STOCK_FLAGS)$${flags:+ $$flags}"; if [ -n "$$flags" ]; then export CGO_ENABLED=0; fi;

.PHONY: help
help: ## Show this help
	@awk 'BEGIN {FS = ":.*## "} /^[a-z0-9-]+:.*## / {gsub(/[$$][$$]/, "$$", $$2); printf "  make %-12s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

.PHONY: flags
flags:
	@mkdir -p $(OVERLAY)
ifneq ($(KUBERNETES),)
	@with=$$(GOFLAGS='$(STOCK_FLAGS)' $(GO) run ./sim/toolchain/versions/modules -go '$(GO)' -flags '$(KUBERNETES)') && echo "$$with" >$(GOFLAGS_FILE)
else
	@: >$(GOFLAGS_FILE)
endif
ifneq ($(EXACT),0)
	@with=$$(cat $(GOFLAGS_FILE)); GOFLAGS='$(STOCK_FLAGS)' $(GO) run ./sim/toolchain/exact/overlay -go '$(GO)' -o $(OVERLAY) \
		-environment $(ENVIRONMENT) -with "$$with" >$(GOFLAGS_FILE)
else
	@: >$(ENVIRONMENT)
endif

.PHONY: build
build: flags ## Build bin/kubestep (the first build compiles Kubernetes: some minutes); EXACT=0 for the stock build
	@$(WITH) set -x; $(GO) build -ldflags '$(LDFLAGS)' -o $(BINARY) .

RELEASE ?=
.PHONY: release
release: flags ## Make the files of a release in dist (VERSION=v0.1.0; RELEASE="-platforms linux/amd64" for one platform)
	@$(TAKE) set -x; $(GO) -C scenarios/release run . -version '$(VERSION)' -go '$(GO)' $(RELEASE)

.PHONY: release-test
release-test: flags ## Make a release in two folders and compare the files (half a minute; COLD=-cold compiles all of it again)
	@$(TAKE) set -x; $(GO) -C scenarios/release test . -run TestTwoReleasesAreAlike -count 1 -v -timeout $(TEST_TIMEOUT) -twice $(COLD)

# Tests may take more memory than a program should: a sixth of their time goes into collecting garbage otherwise.
TEST_GOGC ?= 400
# A package may take this long. Go's ten minutes are too few for a laptop that does something else, too.
TEST_TIMEOUT ?= 60m

.PHONY: versions
versions: ## Check the types of everything with each supported version of Kubernetes (VERSIONS="1.35" for some); compiles nothing
	@GOFLAGS='$(STOCK_FLAGS)' GOGC=$(TEST_GOGC) $(GO) run ./sim/toolchain/versions/typecheck -go '$(GO)' $(VERSIONS)

# PKG, RUN and ARGS narrow a target to some packages and tests. They compile with the flags of make build, and so find in Go's cache
# what it compiled. go vet would need facts about all of Kubernetes for one package: make test without PKG runs it, and so go test, which
# would run a part of it again for each package, does not.
PKG ?=
RUN ?=
ARGS ?=
ONLY = -vet=off -timeout $(TEST_TIMEOUT) $(if $(RUN),-run '$(RUN)')

# CTRLTEST is a module of its own, whose tests run with the modules of an operator.
CTRLTEST := github.com/kubestep/kubestep/scenarios/scenariotest/ctrltest

.PHONY: test
ifneq ($(PKG),)
test: flags
	@$(WITH) set -x; GOGC=$(TEST_GOGC) $(GO) test $(ONLY) $(PKG) $(ARGS)
else
test: flags ## Run all tests, or some: PKG=./scenarios/verdict/... RUN=TestX ARGS=-v
	@$(WITH) set -x; $(GO) vet ./...
	@$(WITH) set -x; GOGC=$(TEST_GOGC) $(GO) test -vet=off -timeout $(TEST_TIMEOUT) ./...
	@$(WITH) set -x; cd docs/howto/operator && $(GO) vet ./... && $(GO) test -vet=off -timeout $(TEST_TIMEOUT) ./... $(CTRLTEST)
	@$(WITH) set -x; cd scenarios/release && $(GO) vet ./... && $(GO) test -vet=off -timeout $(TEST_TIMEOUT) ./...
endif

.PHONY: env
env: flags ## Print the variables with which go compiles as make does: eval "$$(make env)", then go test ./sim
	@cat $(ENVIRONMENT); $(WITH) printf "export KUBESTEP_ENV=1 KUBESTEP_GOFLAGS='%s' CGO_ENABLED='%s' GOFLAGS='%s' GOGC=%s\n" \
		'$(STOCK_FLAGS)' "$$($(GO) env CGO_ENABLED)" "$$GOFLAGS" $(TEST_GOGC)

.PHONY: conformance
conformance: flags ## Run Kubernetes' own integration tests (PACKAGES="deployment job" for some) and compare with the recorded results
	@$(WITH) set -x; $(GO) run ./sim/conformance -go '$(GO)' $(CONFORMANCE) $(PACKAGES)

.PHONY: e2e
e2e: flags ## Run Kubernetes' own conformance tests (E2E="-run Deployment" for some) and compare with the recorded results
	@$(WITH) set -x; $(GO) run ./scenarios/serving/e2e -go '$(GO)' $(E2E)

.PHONY: e2e-part
e2e-part: override E2E += -every 3
e2e-part: e2e ## Run every third of the conformance tests

# KUBECONFIG_OF is the kubeconfig file of a cluster that nobody needs.
KUBECONFIG_OF ?=
.PHONY: answers
answers: flags ## Record what a kube-apiserver answers to the requests of sim/conformance/answers (KUBECONFIG_OF=FILE)
	@$(WITH) set -x; $(GO) run ./sim/conformance/answers/record -kubeconfig '$(KUBECONFIG_OF)'

OPERATORS ?= $(notdir $(patsubst %/get.sh,%,$(wildcard docs/howto/operators/*/get.sh)))

.PHONY: operators
operators: flags ## Get real operators from the module proxy and test them (OPERATORS="sample-controller" for some)
	@$(WITH) set -e; for name in $(OPERATORS); do (cd docs/howto/operators/$$name; code=0; ./get.sh || code=$$?; \
		if [ $$code = 75 ]; then echo "SKIP $$name: its repository cannot be reached"; \
		else [ $$code = 0 ]; (set -x; $(GO) test -timeout $(TEST_TIMEOUT) ./...); fi); done

.PHONY: external
external: flags ## Build a controller with a client-go of its own, and run it (compiles for a minute, gets modules)
	@$(WITH) set -x; EXTERNAL=1 $(GO) test -timeout $(TEST_TIMEOUT) ./docs/howto/external

.PHONY: exact-test
exact-test: flags ## Compile a program with the exact build's runtime and compare many runs of it (half a minute)
	@$(TAKE) set -x; $(GO) test ./sim/toolchain/exact -run 'TestTheExactBuild|TestOneRuntimeEverywhere|TestWaitsForMutexes|TestTimeStandsStillForOthers|TestTheBubbleOfAnotherProgram|TestOthersRunBesideALoop|TestCopiesOfAProcess' -exact -count 1 -timeout $(TEST_TIMEOUT)

.PHONY: portable
portable: flags ## Compare hashes of the exact build on this machine, arm64 (qemu-user) and js/wasm (node)
	@$(WITH) set -x; sim/toolchain/exact/portable/run.sh

# EMULATED compiles the program for the platform in GOOS and GOARCH and compares its trace hashes in an emulator.
EMULATED = set -ex; program=bin/_release/$${GOOS}_$$GOARCH/kubestep; if [ $$GOOS = windows ]; then program=$$program.exe; fi; \
	$(GO) build -ldflags '$(LDFLAGS)' -o $$program .; unset GOOS GOARCH; \
	$(GO) test ./scenarios/explore/verify -run 'TestTheHashesInAnEmulator/$(SCENARIOS)' -count 1 -v -timeout 4h -program $(CURDIR)/$$program

# SCENARIOS is a regular expression for the names of the scenarios.
SCENARIOS ?= .
.PHONY: arm64
arm64: flags ## Compare the trace hashes of all scenarios on arm64 (qemu-user) with the recorded ones; SCENARIOS="^create$$$$" for some
	@$(WITH) qemu=$$(command -v qemu-aarch64 || command -v qemu-aarch64-static) || { \
		echo "SKIP: there is no qemu-aarch64 (Debian: apt-get install qemu-user)"; exit 0; }; \
		export GOOS=linux GOARCH=arm64; $(EMULATED) -emulator $$qemu

.PHONY: windows
windows: flags ## Compare the trace hashes of all scenarios on Windows (Wine) with the recorded ones; SCENARIOS="^create$$$$" for some
	@$(WITH) wine=$$(command -v wine) || { echo "SKIP: there is no wine (Debian: apt-get install wine64)"; exit 0; }; \
		export GOOS=windows GOARCH=amd64; $(EMULATED) -emulator $$wine

.PHONY: web
web: flags ## Build bin/web, the playground in a browser (needs node and npm; BROTLI=4 saves ten minutes)
	@flags=$$($(GO) run ./sim/toolchain/exact/wasmflags -go '$(GO)' -exact $(OVERLAY) -o bin/_wasm) && set -x && \
		CGO_ENABLED=0 GOFLAGS="$(STOCK_FLAGS) -buildvcs=false $$flags" GOOS=js GOARCH=wasm \
		$(GO) build -ldflags '-s -w' -o bin/_wasm/kubestep.wasm ./scenarios/web/playground/wasm
	cd scenarios/web/playground/site && npm ci --no-audit --no-fund && npm run build -- --outdir='$(abspath $(WEB))'
	@$(WITH) set -x; $(GO) run ./scenarios/web/playground/assemble -wasm bin/_wasm/kubestep.wasm -o $(WEB) -quality $(BROTLI) \
		-version '$(VERSION)' -commit "$$(git rev-parse --short=12 HEAD 2>/dev/null)"

SITE := bin/site
.PHONY: site
site: build ## Write bin/site, the pages of the project: course, gallery, documentation, and the playground if make web has built it
	@rm -rf $(SITE)
	@set -x; $(BINARY) export --all --out $(SITE)/lessons
	@$(WITH) set -x; $(GO) run ./scenarios/web/home -o $(SITE) -web $(WEB) -version '$(VERSION)'

.PHONY: web-test
web-test: BROTLI = 4
web-test: web ## Compare the trace hashes of all lessons in WebAssembly (with node) with those of this machine
	@$(WITH) set -x; $(GO) test ./scenarios/web/playground -run TestTheHashesInWebAssembly -count 1 -v -timeout $(TEST_TIMEOUT)

.PHONY: race
race: flags ## Run all tests with the race detector
	@$(WITH) export CGO_ENABLED=1; set -x; $(GO) test -race -timeout $(TEST_TIMEOUT) ./...

# WRITTEN are the packages with golden files, or those of them that PKG names.
PATTERNS = $(foreach p,$(PKG),$(if $(filter %/...,$(p)),$(patsubst %/...,%/%,$(p)),$(patsubst %/,%,$(p))/))
WRITTEN = $(if $(PKG),$(filter $(PATTERNS),$(GOLDEN)),$(GOLDEN))

.PHONY: golden
golden: flags ## Write the golden files again, or those of PKG=./docs; look at the diff before you commit it
	@[ -n "$(WRITTEN)" ] || { echo "Error: no test of $(PKG) has golden files" >&2; exit 2; }
	@$(WITH) set -x; GOGC=$(TEST_GOGC) $(GO) test $(ONLY) $(WRITTEN) $(ARGS) -rewrite

.PHONY: fuzz
fuzz: ## Fuzz the scenario loader for a minute
	$(GO) test ./scenarios/language/format -run '^$$' -fuzz FuzzLoad -fuzztime 60s

.PHONY: bench
bench: flags ## Run the benchmarks
	@$(WITH) set -x; $(GO) test ./... -run '^$$' -bench . -benchmem -timeout $(TEST_TIMEOUT)

# BUDGET is the CPU time that the largest run may take.
BUDGET ?= 100s
.PHONY: performance
performance: build ## Measure the program and write the tables of docs/explanation/performance.md (some minutes on a quiet machine)
	@$(WITH) set -x; $(GO) run ./scenarios/performance -program $(BINARY) -budget $(BUDGET) $(ARGS)

.PHONY: lint
lint: flags ## Check formatting, layers and banned words
	@test -z "$$(gofmt -l . | tee /dev/stderr)"
	@$(WITH) set -x; $(GO) vet ./...
	@$(WITH) set -x; $(GO) test -timeout $(TEST_TIMEOUT) ./docs -run TestLint

.PHONY: hashes
hashes: build ## Run every shipped scenario often, in processes of their own, and compare the trace hashes
	docs/hashes.sh 20

.PHONY: check
check: lint test race ## All that must hold before a release
