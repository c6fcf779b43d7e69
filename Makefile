.DEFAULT_GOAL := help
GO ?= go
# Every scenario of these packages has a golden file; -rewrite writes them again.
GOLDEN := ./sim/... ./controllers/explain ./scenarios/... ./docs/... ./tui
VERSION ?= $(shell git describe --tags --always --dirty 2>/dev/null || echo devel)
LDFLAGS := -s -w -X github.com/kubestep/kubestep/scenarios/command.Version=$(VERSION)
BINARY := bin/kubestep
# The exact build compiles Go's runtime, and with it everything, from edited files in OVERLAY, which begins with
# an underscore so that ./... passes over it.
OVERLAY := bin/_overlay
EXACTLY := -tags kubestep_exact -overlay $(OVERLAY)/overlay.json

.PHONY: help
help: ## Show this help
	@awk 'BEGIN {FS = ":.*## "} /^[a-z-]+:.*## / {printf "  make %-12s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

.PHONY: build
build: ## Build bin/kubestep (the first build compiles Kubernetes: some minutes); EXACT=1 for the exact build
ifeq ($(EXACT),1)
	@if $(GO) run ./sim/exact/overlay -go '$(GO)' -o $(OVERLAY); then \
		set -x; $(GO) build $(EXACTLY) -ldflags '$(LDFLAGS)' -o $(BINARY) .; \
	else \
		echo "warning: no exact build with this toolchain; building the stock build" >&2; \
		set -x; $(GO) build -ldflags '$(LDFLAGS)' -o $(BINARY) .; \
	fi
else
	$(GO) build -ldflags '$(LDFLAGS)' -o $(BINARY) .
endif

.PHONY: test
test: ## Run all tests
	$(GO) vet ./...
	$(GO) test ./...
	cd docs/howto/operator && $(GO) vet ./... && $(GO) test ./...

.PHONY: conformance
conformance: ## Run Kubernetes' own integration tests (PACKAGES="deployment job" for some) and compare with the recorded results
	$(GO) run $(TESTFLAGS) ./sim/conformance -go '$(GO)' -buildflags '$(TESTFLAGS)' $(CONFORMANCE) $(PACKAGES)

.PHONY: exact-test
exact-test: ## Compile a program with the exact build's runtime and compare many runs of it (half a minute)
	$(GO) test ./sim/exact -run TestTheExactBuild -exact -count 1

.PHONY: race
race: ## Run all tests with the race detector
	$(GO) test -race ./...

.PHONY: golden
golden: ## Write the golden files again; look at the diff before you commit it
	$(GO) test $(GOLDEN) -rewrite

.PHONY: fuzz
fuzz: ## Fuzz the scenario loader for a minute
	$(GO) test ./scenarios/format -run '^$$' -fuzz FuzzLoad -fuzztime 60s

.PHONY: bench
bench: ## Run the benchmarks
	$(GO) test ./... -run '^$$' -bench . -benchmem

.PHONY: lint
lint: ## Check formatting, layers and banned words
	@test -z "$$(gofmt -l . | tee /dev/stderr)"
	$(GO) vet ./...
	$(GO) test ./docs -run TestLint

.PHONY: hashes
hashes: build ## Run every shipped scenario often, in processes of their own, and compare the trace hashes
	docs/hashes.sh 20

.PHONY: check
check: lint test race ## All that must hold before a release
