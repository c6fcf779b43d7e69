.DEFAULT_GOAL := help
GO ?= go
# Every scenario of these packages has a golden file; -rewrite writes them anew.
GOLDEN := ./sim/... ./scenarios/... ./docs/...
VERSION ?= $(shell git describe --tags --always --dirty 2>/dev/null || echo devel)
LDFLAGS := -s -w -X github.com/kubestep/kubestep/scenarios/command.Version=$(VERSION)

.PHONY: help
help: ## Show this help
	@awk 'BEGIN {FS = ":.*## "} /^[a-z-]+:.*## / {printf "  make %-12s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

.PHONY: build
build: ## Build bin/kubestep (the first build compiles Kubernetes: some minutes)
	$(GO) build -ldflags '$(LDFLAGS)' -o bin/kubestep .

.PHONY: test
test: ## Run all tests
	$(GO) vet ./...
	$(GO) test ./...

.PHONY: race
race: ## Run all tests with the race detector
	$(GO) test -race ./...

.PHONY: golden
golden: ## Write golden files anew; look at the diff before you commit it
	$(GO) test $(GOLDEN) -rewrite

.PHONY: fuzz
fuzz: ## Fuzz the scenario loader for a minute
	$(GO) test ./scenarios -run '^$$' -fuzz FuzzLoad -fuzztime 60s

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
