//go:build e2e

package faults

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"go.yaml.in/yaml/v3"
)

// prometheus runs the repository's configuration and rules; only where the servers are is replaced: there is no name that stands for
// them here.
func prometheus(t *testing.T, servers []*server) (api string) {
	t.Helper()
	dir := t.TempDir()
	b, err := os.ReadFile("../../deploy/prometheus/prometheus.yml")
	if err != nil {
		t.Fatal(err)
	}
	var cfg map[string]any
	if err := yaml.Unmarshal(b, &cfg); err != nil {
		t.Fatal(err)
	}
	var targets []string
	for _, s := range servers {
		targets = append(targets, s.admin)
	}
	job := cfg["scrape_configs"].([]any)[0].(map[string]any)
	delete(job, "dns_sd_configs")
	job["static_configs"] = []any{map[string]any{"targets": targets}}
	global := cfg["global"].(map[string]any)
	global["scrape_interval"], global["scrape_timeout"], global["evaluation_interval"] = "1s", "1s", "1s"
	if b, err = yaml.Marshal(cfg); err != nil {
		t.Fatal(err)
	}
	rules, err := os.ReadFile("../../deploy/prometheus/alerts.yml")
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string][]byte{"prometheus.yml": b, "alerts.yml": rules} {
		if err := os.WriteFile(filepath.Join(dir, name), text, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	addr := freeAddr(t)
	start(t, exec.Command("prometheus", "--config.file="+filepath.Join(dir, "prometheus.yml"), "--storage.tsdb.path="+filepath.Join(dir, "data"),
		"--web.listen-address="+addr, "--log.level=warn"))
	api = "http://" + addr
	waitFor(t, 30*time.Second, "Prometheus is ready", func() error { return status(get(api + "/-/ready")) })
	return api
}

// query gives an instant vector's values by their instance label.
func query(api, expr string) (map[string]string, error) {
	res, err := get(api + "/api/v1/query?query=" + url.QueryEscape(expr))
	if err != nil {
		return nil, err
	}
	defer res.Body.Close()
	var answer struct {
		Status, Error string
		Data          struct {
			Result []struct {
				Metric map[string]string
				Value  [2]any
			}
		}
	}
	if err := json.NewDecoder(res.Body).Decode(&answer); err != nil {
		return nil, err
	}
	if answer.Status != "success" {
		return nil, fmt.Errorf("%s: %s", expr, answer.Error)
	}
	values := map[string]string{}
	for _, r := range answer.Data.Result {
		values[r.Metric["instance"]] = fmt.Sprint(r.Value[1])
	}
	return values, nil
}

// The configuration is valid as it stands, and each alert fires when it should and only then.
func TestPrometheusRules(t *testing.T) {
	for _, args := range [][]string{{"check", "config", "prometheus.yml"}, {"test", "rules", "alerts_test.yml"}} {
		cmd := exec.Command("promtool", args...)
		cmd.Dir = "../../deploy/prometheus"
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Errorf("promtool %s: %v\n%s", strings.Join(args, " "), err, out)
		}
	}
}

// Prometheus sees all three, each panel of the dashboard and each alert has series to look at, and a dead server shows.
func TestPrometheusScrapesAllThree(t *testing.T) {
	servers := three(t)
	p := startProxy(t, servers)
	api := prometheus(t, servers)
	l := startLoad(t, p.url, 4)
	// The series that only errors make.
	for _, s := range servers {
		res, _, err := post(client(), "http://"+s.api+"/v1/write", "{}")
		if err != nil || res.StatusCode/100 != 4 {
			t.Fatal(res, err)
		}
	}
	up := func(want int) func() error {
		return func() error {
			v, err := query(api, `up{job="mxrest"} == 1`)
			if err == nil && len(v) != want {
				err = fmt.Errorf("%d up: %v", len(v), v)
			}
			return err
		}
	}
	waitFor(t, 30*time.Second, "three are up", up(3))

	// Some are right to be empty: there are no reloads, no TLS, no 5xx here.
	mayBeEmpty := []string{"mxrest_reloads_total", "mxrest_tls_certificate", `code=~"5..`, `code="503"`}
	exprs := append(panels(t), alerts(t)...)
	if len(exprs) < 30 {
		t.Fatalf("only %d expressions found", len(exprs))
	}
	for _, expr := range exprs {
		waitFor(t, 30*time.Second, "series for "+expr, func() error {
			v, err := query(api, expr)
			if err == nil && len(v) == 0 && !slices.ContainsFunc(mayBeEmpty, func(s string) bool { return strings.Contains(expr, s) }) {
				err = errors.New("no series")
			}
			return err
		})
	}

	servers[1].kill()
	waitFor(t, 30*time.Second, "two are up", up(2))
	waitFor(t, 30*time.Second, "the alert waits", func() error {
		v, err := query(api, `ALERTS{alertname="MxrestDown"}`)
		if err == nil && v[servers[1].admin] == "" {
			err = fmt.Errorf("no alert for it: %v", v)
		}
		return err
	})
	l.stop(t)
}

// panels are the dashboard's queries with its variables filled in.
func panels(t *testing.T) (exprs []string) {
	t.Helper()
	b, err := os.ReadFile("../../deploy/grafana/dashboards/mxrest.json")
	if err != nil {
		t.Fatal(err)
	}
	var dashboard struct {
		Panels []struct {
			Targets []struct{ Expr string }
		}
	}
	if err := json.Unmarshal(b, &dashboard); err != nil {
		t.Fatal(err)
	}
	for _, p := range dashboard.Panels {
		for _, target := range p.Targets {
			exprs = append(exprs, strings.NewReplacer("$__rate_interval", "10s", "$instance", ".*").Replace(target.Expr))
		}
	}
	return exprs
}

// alerts are the alerts' conditions without the comparison: whether they have anything to compare.
func alerts(t *testing.T) (exprs []string) {
	t.Helper()
	b, err := os.ReadFile("../../deploy/prometheus/alerts.yml")
	if err != nil {
		t.Fatal(err)
	}
	var rules struct {
		Groups []struct {
			Rules []struct{ Alert, Expr string }
		}
	}
	if err := yaml.Unmarshal(b, &rules); err != nil {
		t.Fatal(err)
	}
	for _, g := range rules.Groups {
		for _, r := range g.Rules {
			for _, op := range []string{" > ", " < ", " == "} {
				if i := strings.LastIndex(r.Expr, op); i > 0 && !strings.Contains(r.Expr, " and ") {
					exprs = append(exprs, r.Expr[:i])
					break
				}
			}
		}
	}
	return exprs
}
