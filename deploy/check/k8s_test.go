package check

import (
	"bytes"
	"errors"
	"io"
	"maps"
	"os"
	"slices"
	"testing"

	appsv1 "k8s.io/api/apps/v1"
	autoscalingv2 "k8s.io/api/autoscaling/v2"
	corev1 "k8s.io/api/core/v1"
	networkingv1 "k8s.io/api/networking/v1"
	policyv1 "k8s.io/api/policy/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/serializer/json"
	"k8s.io/apimachinery/pkg/util/yaml"
)

const manifest = "../k8s/mxrest.yaml"

// decode reads all documents as the API server would with strict validation: an unknown or doubled field is an error.
func decode(t *testing.T, file []byte) ([]runtime.Object, error) {
	t.Helper()
	scheme := runtime.NewScheme()
	for _, add := range []func(*runtime.Scheme) error{
		appsv1.AddToScheme, autoscalingv2.AddToScheme, corev1.AddToScheme, networkingv1.AddToScheme, policyv1.AddToScheme,
	} {
		if err := add(scheme); err != nil {
			t.Fatal(err)
		}
	}
	strict := json.NewSerializerWithOptions(json.DefaultMetaFactory, scheme, scheme, json.SerializerOptions{Yaml: true, Strict: true})
	var objects []runtime.Object
	for r := yaml.NewDocumentDecoder(io.NopCloser(bytes.NewReader(file))); ; {
		buf := make([]byte, 64<<10)
		n, err := r.Read(buf)
		if errors.Is(err, io.EOF) {
			return objects, nil
		}
		if err != nil {
			return nil, err
		}
		o, _, err := strict.Decode(buf[:n], nil, nil)
		if err != nil {
			return nil, err
		}
		objects = append(objects, o)
	}
}

// objects are the manifest's by type; each kind stands in it once.
type objects struct {
	deployment *appsv1.Deployment
	service    *corev1.Service
	scaler     *autoscalingv2.HorizontalPodAutoscaler
	budget     *policyv1.PodDisruptionBudget
	policy     *networkingv1.NetworkPolicy
}

func load(t *testing.T) (o objects) {
	t.Helper()
	file, err := os.ReadFile(manifest)
	if err != nil {
		t.Fatal(err)
	}
	all, err := decode(t, file)
	if err != nil {
		t.Fatal(err)
	}
	for _, obj := range all {
		switch obj := obj.(type) {
		case *appsv1.Deployment:
			o.deployment = obj
		case *corev1.Service:
			o.service = obj
		case *autoscalingv2.HorizontalPodAutoscaler:
			o.scaler = obj
		case *policyv1.PodDisruptionBudget:
			o.budget = obj
		case *networkingv1.NetworkPolicy:
			o.policy = obj
		default:
			t.Errorf("unexpected %T", obj)
		}
	}
	if o.deployment == nil || o.service == nil || o.scaler == nil || o.budget == nil || o.policy == nil {
		t.Fatalf("a kind is missing: %+v", o)
	}
	return o
}

func TestManifestRefusesAMisspeltField(t *testing.T) {
	file, err := os.ReadFile(manifest)
	if err != nil {
		t.Fatal(err)
	}
	for _, broken := range [][2]string{
		{"maxUnavailable: 0", "maxUnavailabel: 0"},
		{"readOnlyRootFilesystem", "readOnlyRootFileSystem"},
		{"policyTypes", "policyType"},
	} {
		changed := bytes.Replace(file, []byte(broken[0]), []byte(broken[1]), 1)
		if bytes.Equal(changed, file) {
			t.Errorf("%s is not in the manifest", broken[0])
		} else if _, err := decode(t, changed); err == nil {
			t.Errorf("%s was taken", broken[1])
		}
	}
}

func TestEverythingSelectsThePods(t *testing.T) {
	o := load(t)
	pods := labels.Set(o.deployment.Spec.Template.Labels)
	for name, selector := range map[string]*metav1.LabelSelector{
		"Deployment":          o.deployment.Spec.Selector,
		"Service":             {MatchLabels: o.service.Spec.Selector},
		"PodDisruptionBudget": o.budget.Spec.Selector,
		"NetworkPolicy":       &o.policy.Spec.PodSelector,
		"topology spread":     o.deployment.Spec.Template.Spec.TopologySpreadConstraints[0].LabelSelector,
	} {
		s, err := metav1.LabelSelectorAsSelector(selector)
		if err != nil {
			t.Fatal(err)
		}
		if s.Empty() || !s.Matches(pods) {
			t.Errorf("%s selects %v, the pods have %v", name, s, pods)
		}
	}
	ref := o.scaler.Spec.ScaleTargetRef
	if ref.Kind != "Deployment" || ref.Name != o.deployment.Name || ref.APIVersion != "apps/v1" {
		t.Errorf("the scaler scales %+v", ref)
	}
}

func TestPorts(t *testing.T) {
	o := load(t)
	c := o.deployment.Spec.Template.Spec.Containers[0]
	ports := map[string]int32{}
	for _, p := range c.Ports {
		ports[p.Name] = p.ContainerPort
	}
	if want := map[string]int32{"http": 8080, "admin": 9090}; !maps.Equal(ports, want) {
		t.Errorf("ports %v, want %v", ports, want)
	}
	if p := o.service.Spec.Ports[0]; p.Port != 80 || p.TargetPort.String() != "http" {
		t.Errorf("the service sends to %v", p)
	}
	for name, probe := range map[string]*corev1.Probe{"startup": c.StartupProbe, "readiness": c.ReadinessProbe, "liveness": c.LivenessProbe} {
		want := "/healthz"
		if name == "readiness" {
			want = "/readyz"
		}
		if probe.HTTPGet.Path != want || probe.HTTPGet.Port.String() != "admin" {
			t.Errorf("%s asks %+v", name, probe.HTTPGet)
		}
	}
	for _, rule := range o.policy.Spec.Ingress {
		for _, p := range rule.Ports {
			if _, ok := ports[p.Port.String()]; !ok || *p.Protocol != corev1.ProtocolTCP {
				t.Errorf("the policy opens %v", p)
			}
		}
		if len(rule.From) == 0 {
			t.Error("the policy lets everybody in")
		}
	}
	if len(o.policy.Spec.Egress) != 0 || !slices.Contains(o.policy.Spec.PolicyTypes, networkingv1.PolicyTypeEgress) {
		t.Error("mxrest talks to nobody: egress must be closed")
	}
}

func TestThePodIsLockedDown(t *testing.T) {
	pod := load(t).deployment.Spec.Template.Spec
	c := pod.Containers[0]
	if !*pod.SecurityContext.RunAsNonRoot || *pod.SecurityContext.RunAsUser != 65532 || *pod.AutomountServiceAccountToken ||
		pod.SecurityContext.SeccompProfile.Type != corev1.SeccompProfileTypeRuntimeDefault {
		t.Errorf("pod %+v", pod.SecurityContext)
	}
	if !*c.SecurityContext.ReadOnlyRootFilesystem || *c.SecurityContext.AllowPrivilegeEscalation ||
		!slices.Equal(c.SecurityContext.Capabilities.Drop, []corev1.Capability{"ALL"}) {
		t.Errorf("container %+v", c.SecurityContext)
	}
	if c.Resources.Limits.Memory().Value() != 512<<20 || c.Resources.Requests.Cpu().MilliValue() == 0 {
		t.Errorf("resources %+v: the scaler needs a processor request, the node a memory limit", c.Resources)
	}
}

func TestRolloutLosesNothing(t *testing.T) {
	o := load(t)
	roll := o.deployment.Spec.Strategy.RollingUpdate
	if roll.MaxUnavailable.IntValue() != 0 || roll.MaxSurge.IntValue() < 1 {
		t.Errorf("rollout %+v", roll)
	}
	if o.deployment.Spec.Replicas != nil {
		t.Error("replicas set: an apply would undo the scaler")
	}
	if *o.scaler.Spec.MinReplicas < 2 || o.budget.Spec.MaxUnavailable.IntValue() >= int(*o.scaler.Spec.MinReplicas) {
		t.Error("a drain of a node could take all pods")
	}
	env := environment(load(t))
	drain, grace := seconds(t, env["MXREST_DRAIN_DELAY"]), seconds(t, env["MXREST_GRACE"])
	ready := o.deployment.Spec.Template.Spec.Containers[0].ReadinessProbe
	if drain < float64(ready.PeriodSeconds*ready.FailureThreshold) || drain >= grace ||
		grace >= float64(*o.deployment.Spec.Template.Spec.TerminationGracePeriodSeconds) {
		t.Errorf("drain %v s, grace %v s, pod %d s: each must fit into the next", drain, grace, *o.deployment.Spec.Template.Spec.TerminationGracePeriodSeconds)
	}
}

func environment(o objects) map[string]string {
	env := map[string]string{}
	for _, e := range o.deployment.Spec.Template.Spec.Containers[0].Env {
		env[e.Name] = e.Value
	}
	return env
}
