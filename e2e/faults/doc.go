// Package faults breaks things under load: mxrest processes behind the repository's own nginx configuration, scraped by Prometheus with
// the repository's own rules. Everything listens on loopback and ends with the test. `make faults` runs it (build tag e2e); run.sh
// installs nginx and Prometheus.
package faults
