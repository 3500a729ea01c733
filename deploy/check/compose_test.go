package check

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/compose-spec/compose-go/v2/loader"
	"github.com/compose-spec/compose-go/v2/types"
)

func seconds(t *testing.T, s string) float64 {
	t.Helper()
	d, err := time.ParseDuration(s)
	if err != nil {
		t.Fatal(err)
	}
	return d.Seconds()
}

// project loads docker-compose.yml as `docker compose config` does: interpolated, checked against the schema, made consistent.
func project(t *testing.T, env map[string]string) *types.Project {
	t.Helper()
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(root, "docker-compose.yml")
	p, err := loader.LoadWithContext(t.Context(), types.ConfigDetails{
		WorkingDir:  root,
		ConfigFiles: []types.ConfigFile{{Filename: file}},
		Environment: env,
	})
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func TestComposeServices(t *testing.T) {
	p := project(t, nil)
	if names := p.ServiceNames(); !slices.Equal(names, []string{"grafana", "mxrest", "prometheus", "proxy"}) {
		t.Fatalf("services %v", names)
	}
	pinned := regexp.MustCompile(`^[a-z/]+:v?[0-9]+\.[0-9]+`)
	for name, s := range p.Services {
		if s.Privileged || !slices.Contains(s.CapDrop, "ALL") || !slices.Contains(s.SecurityOpt, "no-new-privileges:true") {
			t.Errorf("%s keeps privileges", name)
		}
		if name != "mxrest" && !pinned.MatchString(s.Image) {
			t.Errorf("%s: image %s has no version", name, s.Image)
		}
		for _, port := range s.Ports {
			if port.HostIP != "127.0.0.1" {
				t.Errorf("%s publishes %s on %q", name, port.Published, port.HostIP)
			}
		}
		for _, v := range s.Volumes {
			if v.Type != types.VolumeTypeBind {
				continue
			}
			if _, err := os.Stat(v.Source); err != nil {
				t.Errorf("%s mounts what is not there: %v", name, err)
			}
			if !v.ReadOnly {
				t.Errorf("%s may write to %s", name, v.Source)
			}
		}
	}
	for _, name := range []string{"mxrest", "proxy", "prometheus"} {
		if !p.Services[name].ReadOnly {
			t.Errorf("%s has a writable root", name)
		}
	}
}

func TestComposeReplicas(t *testing.T) {
	for env, want := range map[string]int{"": 3, "5": 5} {
		s := project(t, map[string]string{"MXREST_REPLICAS": env}).Services["mxrest"]
		if got := s.GetScale(); got != want {
			t.Errorf("MXREST_REPLICAS=%q: %d replicas, want %d", env, got, want)
		}
	}
	s := project(t, nil).Services["mxrest"]
	if len(s.Ports) != 0 || s.ContainerName != "" {
		t.Error("a published port or a fixed name allows one replica only")
	}
	drain := seconds(t, *s.Environment["MXREST_DRAIN_DELAY"])
	if s.StopGracePeriod == nil || time.Duration(*s.StopGracePeriod).Seconds() <= drain+20 {
		t.Errorf("stopped after %v, before the drain of %v s and the default grace of 20 s are over", s.StopGracePeriod, drain)
	}
}

// The proxy, Prometheus and Grafana find the others by the names and ports that this file gives them.
func TestComposeNamesAgree(t *testing.T) {
	p := project(t, nil)
	for file, want := range map[string]string{
		"../prometheus/prometheus.yml":                       "names: [mxrest]",
		"../grafana/provisioning/datasources/prometheus.yml": "url: http://prometheus:9090",
		"../grafana/provisioning/dashboards/mxrest.yml":      "path: /etc/mxrest-dashboards",
		"../../Dockerfile":                                   "MXREST_LISTEN=0.0.0.0:8080",
		"../../cmd/mxrest/serve.go":                          `env:"MXREST_TRUSTED_PROXY"`,
	} {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(string(text), want) {
			t.Errorf("%s lacks %q", file, want)
		}
	}
	if got := *p.Services["proxy"].Environment["MXREST_SERVERS"]; got != "mxrest:8080" {
		t.Errorf("the proxy looks for %s", got)
	}
	if subnet := p.Networks["inside"].Ipam.Config[0].Subnet; subnet != *p.Services["mxrest"].Environment["MXREST_TRUSTED_PROXY"] {
		t.Errorf("trusted %s, network %s", *p.Services["mxrest"].Environment["MXREST_TRUSTED_PROXY"], subnet)
	}
	for _, name := range []string{"mxrest", "proxy", "prometheus"} {
		if _, ok := p.Services[name].Networks["inside"]; !ok {
			t.Errorf("%s is not on the inner network", name)
		}
	}
	if !p.Networks["inside"].Internal || len(p.Services["mxrest"].Networks) != 1 {
		t.Error("mxrest needs no way out")
	}
	for name, dep := range map[string]string{"proxy": "mxrest", "prometheus": "mxrest", "grafana": "prometheus"} {
		if got := p.Services[name].DependsOn[dep].Condition; got != types.ServiceConditionHealthy {
			t.Errorf("%s waits for %s to be %q", name, dep, got)
		}
	}
}
