# Builds and runs Thinlab; `make` alone lists what can be asked for.
# SPDX-License-Identifier: Apache-2.0

SHELL := /bin/bash
.SHELLFLAGS := -eu -o pipefail -c
.DEFAULT_GOAL := help
MAKEFLAGS += --no-print-directory

# What may be set on the command line (make run PORT=8080) or in the environment.
PORT ?= 8000
export PORT
# 0.0.0.0 lets in whoever is in the same network, as the audience of a live demo is.
# There everything is encrypted: by a certificate of Thinlab's own, for a name (HOST=lab.example.org) by one of Let's
# Encrypt, or by TLS_CERT and TLS_KEY; TLS=own asks nobody, TLS=off speaks plainly.
HOST ?= 127.0.0.1
# ROOM=0.0.0.0:8443 lets the network take part and listen, and keeps desk and console on HOST.
export THINLAB_ROOM ?= $(ROOM)
export THINLAB_TLS ?= $(TLS)
export THINLAB_TLS_CERT ?= $(TLS_CERT)
export THINLAB_TLS_KEY ?= $(TLS_KEY)
export ONLY ?= *
places := $(shell . setup/places.sh && echo "$$THINLAB_CACHE $$THINLAB_DATA")
export THINLAB_CACHE ?= $(word 1,$(places))
export THINLAB_DATA ?= $(word 2,$(places))

# Everything slow lives in the cache, outside the checkout.
export CARGO_TARGET_DIR ?= $(THINLAB_CACHE)/cargo-target
export UV_CACHE_DIR ?= $(THINLAB_CACHE)/uv
export UV_PYTHON_DOWNLOADS := never
export npm_config_store_dir ?= $(THINLAB_CACHE)/pnpm-store
export PATH := $(shell setup/tools --where):$(PATH)

step := setup/step

.PHONY: help
help: ## this list
	@grep -hE '^[a-z-]+:.*## ' Makefile | sed -E 's/^([a-z-]+):.*## /\1\t/' \
	  | while IFS=$$'\t' read -r name what; do printf '  make %-18s %s\n' "$$name" "$$what"; done
	@echo
	@echo '  PORT=$(PORT)  HOST=$(HOST)  THINLAB_CACHE=$(THINLAB_CACHE)  THINLAB_DATA=$(THINLAB_DATA)'
	@echo '  docs/development.md tells more.'

.PHONY: run
run: free-port build ## build what has changed, start everything, print the addresses; Ctrl-C stops all
	@cd backend && exec ../setup/with-parts uv run --frozen thinlab run --host $(HOST) --port $(PORT)

# Before the long steps, not after them; `thinlab run` looks again, and names who has the port.
.PHONY: free-port
free-port:
	@if (exec 3<>/dev/tcp/127.0.0.1/$(PORT)) 2>/dev/null; then \
	  echo 'Port $(PORT) is in use. Remedy: stop what listens there, or choose another: make run PORT=8080' >&2; exit 1; fi

.PHONY: check
check: prerequisites-test backend frontend docs ## the quick checks: formatters, linters, types, unit tests, layers
	@GEAR=first env --default-signal=INT,QUIT setup/with-parts setup/checks

.PHONY: test
test: prerequisites-test build ## every check: formatters, linters, types, tests, Chromium (ONLY='Rust*' for some)
	@# A shell's background jobs ignore Ctrl-C, and no shell below can undo that: a check that fails could not end the others.
	@env --default-signal=INT,QUIT setup/with-parts setup/checks

# Not part of `test`: the walks of the tests once more, in real time.
.PHONY: test-firefox prerequisites-test-firefox
test-firefox: prerequisites-test-firefox build ## the end-to-end tests' walks in Firefox ESR (ONLY=vote for some)
	@cd frontend && ../setup/with-parts e2e/with-silent-device pnpm e2e --config playwright.firefox.config.ts $(filter-out *,$(ONLY))
prerequisites-test-firefox: prerequisites
	@setup/prerequisites test-firefox

# Not part of `test`: what the README shows is looked at before it is kept.
.PHONY: pictures
pictures: prerequisites-test build ## take the README's pictures from a running stack, into docs/pictures
	@frontend/take-pictures

# Without INSTANCE on a server of its own, as within `test`. docs/security.md tells more.
.PHONY: attack
attack: prerequisites-test build ## attack a server as strangers would (INSTANCE=http://127.0.0.1:8000 for one that runs)
	@cd backend && ../setup/with-parts uv run --frozen pytest tests/attack $(if $(INSTANCE),--instance '$(INSTANCE)')

.PHONY: bench
bench: prerequisites-test build ## measure; prints a table and writes build/bench.json
	@setup/with-parts setup/bench

# Not part of `build`: six minutes in real time, once, and 94 MB of Debian packages. docs/experiments.md tells.
.PHONY: captures
captures: tools agent ## what real applications send, for experiments that replay it: OpenSSH and BZFlag
	@$(step) 'Captures' setup/part captures setup/captures

# Not part of `test`: up to an hour of both processors each. Stopped, each goes on from there.
experiments = $(notdir $(wildcard backend/experiments/*.yaml))
run_experiments = cd backend && ../setup/with-parts uv run --frozen thinlab experiment all
.PHONY: papers papers-sctp papers-tcp-lite
papers: prerequisites-test build captures ## run the experiments of the papers on TCP, write one page of all figures beside the published
	@$(run_experiments) $(addprefix experiments/,$(filter-out sctp-% tcp-lite-%,$(experiments)))
papers-sctp: ## the same of the paper on SCTP
papers-tcp-lite: ## the same of the thesis on TCP Lite
papers-sctp papers-tcp-lite: papers-%: prerequisites-test build
	@$(run_experiments) --out $(THINLAB_CACHE)/experiments/report-$*.html experiments/$*-*.yaml

# Not part of `test`: as long as asked, best on a machine that does nothing else.
MINUTES ?= 5
EVERY ?= 3
.PHONY: soak
soak: prerequisites-test build ## everything at once, one process killed every few seconds (MINUTES=60 EVERY=3)
	@setup/with-parts backend/soak --minutes $(MINUTES) --every-s $(EVERY)

.PHONY: build
build: kernel guest terminal clips digits agent backend frontend docs ## all parts, built or fetched

.PHONY: prerequisites prerequisites-test tools
prerequisites: ## Debian packages: installed (as root) or named
	@setup/prerequisites run
prerequisites-test: prerequisites
	@setup/prerequisites test
tools: prerequisites
	@setup/tools >/dev/null

.PHONY: kernel guest terminal clips digits agent backend frontend docs
kernel: prerequisites ## the User Mode Linux kernel with Thinlab's patches
	@$(step) 'Kernel' setup/part kernel lab-agent/kernel/build
guest: prerequisites ## what an embedded host has inside
	@$(step) 'Guest' setup/part guest lab-agent/guest/build
terminal: prerequisites ## the programs of a terminal: OpenSSH and two editors
	@$(step) 'Terminal' setup/part terminal lab-agent/guest/terminal/build
clips: tools ## the speech and music that are sent
	@$(step) 'Clips' setup/part clips clips/fetch
digits: tools ## the spoken digits of the test of hearing
	@$(step) 'Digits' setup/part digits clips/fetch --manifest clips/digits.yaml --into digits
agent: prerequisites ## the lab-agent binary
	@$(step) 'Agent' setup/part agent setup/agent
backend: tools ## the backend's Python environment
	@$(step) 'Backend' setup/python
frontend: backend ## the pages
	@$(step) 'Frontend' setup/part pages setup/pages
docs: tools ## the documentation as a searchable site of static pages: build/site
	@$(step) 'Documentation' setup/part docs setup/site/build

# Not part of `build` and `test`: thousands of files to compile the first time, docs/physical-hosts.md tells.
.PHONY: kernel-deb test-physical prerequisites-kernel-deb
kernel-deb: prerequisites-kernel-deb ## the kernel for physical hosts, as Debian packages (FLAVOUR=amd64 or cloud-amd64)
	@$(step) 'Kernel package' setup/part kernel-deb lab-agent/kernel/physical/build
test-physical: prerequisites-kernel-deb ## build FLAVOUR=cloud-amd64, boot it in QEMU, check it
	@setup/prerequisites test-physical
	@$(step) 'Physical host' lab-agent/kernel/physical/test
prerequisites-kernel-deb: prerequisites
	@setup/prerequisites kernel-deb

# Not part of `test`: a kernel of its own, and each of its steps checked.
.PHONY: test-debug-kernel
test-debug-kernel: prerequisites agent guest ## the kernel's tests on one that checks itself (KASAN, lockdep, kmemleak …)
	@setup/with-parts lab-agent/kernel/debug-run
	@setup/with-parts lab-agent/wire/debug-kernel-test

# Not part of `test`: an engine of its own, and every image from nothing. docs/development.md tells.
.PHONY: test-compose prerequisites-test-compose pin-images audit
test-compose: prerequisites-test-compose build ## bring containers up on a Docker engine of their own, use them, kill them (root)
	@setup/with-parts setup/compose/test
prerequisites-test-compose: prerequisites-test
	@setup/prerequisites test-compose
pin-images: ## write which base image exactly containers are built on
	@setup/pin-images
audit: tools ## look for known vulnerabilities in what Thinlab is built of
	@setup/with-parts setup/audit

.PHONY: clean
clean: ## remove what was built in this checkout; caches, votes and recordings stay
	rm -rf build backend/experiments/captures frontend/dist frontend/node_modules frontend/test-results backend/.venv
