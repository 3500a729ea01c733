# `make help` lists the targets. Everything they make lies in build/ and dist/, both ignored by git.
SHELL := /bin/bash
.SHELLFLAGS := -euo pipefail -c
.DEFAULT_GOAL := help
.DELETE_ON_ERROR:

# Releases, the image and the vulnerability gate are built with this Go; 1.26.8's net/http and crypto/tls have known faults.
RELEASE_GO := go1.27.3
VERSION    ?= $(shell git describe --tags --always --dirty 2>/dev/null || echo dev)
FUZZTIME   ?= 10s
SOAK       ?= 15m

LINT := go tool -modfile=tools/golangci/go.mod golangci-lint

##@ Every day
.PHONY: help
help: ## list the targets
	@awk 'BEGIN {FS = ":.*## "} /^##@ / {printf "\n%s\n", substr($$0, 5)} /^[a-z0-9-]+:.*## / {printf "  make %-14s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

.PHONY: build
build: ## build ./mxrest for this machine
	CGO_ENABLED=0 go build -trimpath -ldflags "-X main.version=$(VERSION)" -o mxrest ./cmd/mxrest

.PHONY: run
run: ## serve on 127.0.0.1:8080
	go run ./cmd/mxrest serve

.PHONY: test
test: ## unit tests of the product
	go test ./...

.PHONY: generate
generate: ## write api.gen.go, docs/reference.md and docs/wire.md anew from their sources
	go generate ./...

.PHONY: fmt
fmt: ## format all Go files
	$(LINT) fmt ./...

##@ Checks
.PHONY: check
check: generate-diff lint vuln gosec tidy-diff modules race fuzz gates ## all checks without a browser, proxy or client

.PHONY: generate-diff
generate-diff: ## fail when generating leaves a diff
	scripts/generate-diff

.PHONY: tidy-diff
tidy-diff: ## fail when a go.mod is not tidy
	go mod tidy -diff

.PHONY: lint
lint: ## golangci-lint, with the rules on who may import whom
	$(LINT) run ./...

.PHONY: vuln
vuln: ## govulncheck against the database of the golang.org/x/vulndb module, with the release Go
	RELEASE_GO=$(RELEASE_GO) scripts/vuln

.PHONY: gosec
gosec: ## gosec alone, as golangci-lint carries it; each accepted finding has its reason beside the code
	$(LINT) run --enable-only gosec ./...

.PHONY: modules
modules: ## test the modules that the product does not ship: Kubernetes, compose and Dockerfile
	scripts/modules

.PHONY: race
race: ## unit tests under the race detector
	go test -race ./...

.PHONY: fuzz
fuzz: ## every fuzzer for FUZZTIME (10s), two at a time
	FUZZTIME=$(FUZZTIME) scripts/fuzz

.PHONY: gates
gates: build ## allocations of every row and of a request over the wire, exactly; the ratios of codec and JSON reader
	@mkdir -p build
	./mxrest bench >build/bench.md || { cat build/bench.md; exit 1; }
	go run ./internal/bench/load -mxrest ./mxrest -only P8
	go run ./internal/bench/ratios -again 20

##@ Speed
.PHONY: bench
bench: ## the codec and the JSON reader as ratios against plain counterparts; exits 1 when one is beyond its reach
	go run ./internal/bench/ratios

.PHONY: bench-http
bench-http: build ## the server over HTTP against a bare handler and a plain batch: CPU, allocations, rates, memory (needs wrk)
	go run ./internal/bench/load -mxrest ./mxrest

.PHONY: bench-doc
bench-doc: build ## write docs/bench.md anew from all of the above
	mkdir -p build
	go run ./internal/bench/ratios > build/ratios.md || true # what is beyond its reach is marked in the table
	go run ./internal/bench/load -mxrest ./mxrest > build/http.md || true
	go run ./internal/bench/benchdoc -ratios build/ratios.md -http build/http.md -o docs/bench.md

##@ Against real servers
.PHONY: e2e
e2e: ## browser, generated clients, API fuzzing, proxy and faults; installs what it needs
	scripts/e2e

.PHONY: e2e-clients
e2e-clients: ## generated clients in Go, TypeScript, Python, Java and C#, each held against curl
	e2e/clients/run.sh

.PHONY: e2e-schemathesis
e2e-schemathesis: ## schemathesis with all checks
	e2e/schemathesis/run.sh

.PHONY: e2e-docs
e2e-docs: ## every example of README.md and docs/
	e2e/docs/run.sh

.PHONY: faults
faults: ## three servers behind the proxy: kill, restart, flood, full disk, clock, garbage
	scripts/faults

.PHONY: soak
soak: ## the mixed load of `make faults` for SOAK (15m)
	SOAK=$(SOAK) scripts/faults -run '^TestMixedLoad$$'

##@ Release
.PHONY: dist
dist: ## six binaries, checksums and the SBOM in dist/, the same bytes each time
	RELEASE_GO=$(RELEASE_GO) VERSION=$(VERSION) scripts/dist dist

.PHONY: dist-check
dist-check: ## build the release twice and compare
	RELEASE_GO=$(RELEASE_GO) VERSION=$(VERSION) scripts/dist-check

.PHONY: clean
clean: ## remove what the other targets made
	rm -rf build dist mxrest
