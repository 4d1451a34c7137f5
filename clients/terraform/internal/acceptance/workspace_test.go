// Package acceptance applies configurations with Terraform or OpenTofu, and the built provider, to a gateway:
// test/client/terraform.clients-spec.ts starts it.
package acceptance

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	gateway "github.com/access-gateway/access-gateway/clients/go"
)

// workspace is a folder with a configuration and its state.
type workspace struct {
	t           *testing.T
	folder      string
	environment []string
}

// begin makes an empty workspace. Its provider signs in by environment variables; settings of the form NAME=value win.
func begin(t *testing.T, settings ...string) *workspace {
	t.Helper()
	variable(t, "TERRAFORM")
	t.Parallel()
	return folderFor(t, settings...)
}

// another is a second workspace of the same test.
func another(t *testing.T, first *workspace) *workspace {
	t.Helper()
	w := folderFor(t)
	w.environment = append(w.environment, first.environment[len(w.environment):]...)
	return w
}

func folderFor(t *testing.T, settings ...string) *workspace {
	t.Helper()
	folder := t.TempDir()
	w := &workspace{t: t, folder: folder}
	cli := fmt.Sprintf("provider_installation {\n  dev_overrides {\n    \"access-gateway/accessgateway\" = %q\n  }\n  direct {}\n}\n", variable(t, "PROVIDER"))
	check(t, os.WriteFile(filepath.Join(folder, "cli.rc"), []byte(cli), 0o600))
	w.environment = append(os.Environ(), append([]string{
		"TF_CLI_CONFIG_FILE=" + filepath.Join(folder, "cli.rc"), "TF_IN_AUTOMATION=1", "CHECKPOINT_DISABLE=1",
		"GATEWAY_URL=" + variable(t, "GATEWAY_API"), "GATEWAY_TOKEN=" + variable(t, "GATEWAY_KEY"),
	}, settings...)...)
	return w
}

const head = `
terraform {
  required_providers {
    accessgateway = { source = "access-gateway/accessgateway" }
  }
}
`

// write replaces the configuration.
func (w *workspace) write(format string, values ...any) {
	w.t.Helper()
	check(w.t, os.WriteFile(filepath.Join(w.folder, "main.tf"), []byte(head+fmt.Sprintf(format, values...)), 0o600))
}

// run ends with what the program said, and its exit code.
func (w *workspace) run(arguments ...string) (string, int) {
	w.t.Helper()
	command := exec.CommandContext(w.t.Context(), os.Getenv("TERRAFORM"), append([]string{"-chdir=" + w.folder}, arguments...)...)
	command.Env = w.environment
	said, err := command.CombinedOutput()
	var ended *exec.ExitError
	if err != nil && !errors.As(err, &ended) {
		w.t.Fatal(err)
	}
	return string(said), command.ProcessState.ExitCode()
}

func (w *workspace) must(arguments ...string) string {
	w.t.Helper()
	said, code := w.run(arguments...)
	if code != 0 {
		w.t.Fatalf("%s ended with %d:\n%s", strings.Join(arguments, " "), code, said)
	}
	return said
}

// fails checks what the program complains of.
func (w *workspace) fails(arguments []string, sentences ...string) {
	w.t.Helper()
	said, code := w.run(arguments...)
	if code != 1 {
		w.t.Fatalf("%s ended with %d, not with a fault:\n%s", strings.Join(arguments, " "), code, said)
	}
	for _, sentence := range sentences {
		contains(w.t, said, sentence)
	}
}

var (
	planned = []string{"plan", "-no-color", "-input=false"}
	applied = []string{"apply", "-no-color", "-input=false", "-auto-approve"}
	removed = []string{"destroy", "-no-color", "-input=false", "-auto-approve"}
	checked = []string{"validate", "-no-color"}
)

func (w *workspace) apply() string { w.t.Helper(); return w.must(applied...) }

func (w *workspace) destroy() string { w.t.Helper(); return w.must(removed...) }

// same checks that there is nothing to do.
func (w *workspace) same() {
	w.t.Helper()
	if said, code := w.run(append(planned, "-detailed-exitcode")...); code != 0 {
		w.t.Fatalf("a plan is not empty (%d):\n%s", code, said)
	}
}

// differs checks that there is something to do, and returns the plan.
func (w *workspace) differs(sentences ...string) {
	w.t.Helper()
	said, code := w.run(append(planned, "-detailed-exitcode")...)
	if code != 2 {
		w.t.Fatalf("a plan is empty, or failed (%d):\n%s", code, said)
	}
	for _, sentence := range sentences {
		contains(w.t, said, sentence)
	}
}

// contains ignores how the program breaks lines.
func contains(t *testing.T, text, sentence string) {
	t.Helper()
	if !strings.Contains(flat(text), flat(sentence)) {
		t.Fatalf("this does not say %q:\n%s", sentence, text)
	}
}

func flat(text string) string {
	return strings.Join(strings.Fields(strings.NewReplacer("│", " ", "╷", " ", "╵", " ").Replace(text)), " ")
}

func api(t *testing.T) *gateway.Client {
	t.Helper()
	client, err := gateway.New(variable(t, "GATEWAY_API"), gateway.WithAPIKey(variable(t, "GATEWAY_KEY")))
	check(t, err)
	return client
}

func variable(t *testing.T, name string) string {
	t.Helper()
	value := os.Getenv(name)
	if value == "" {
		t.Skipf("skipped: %s is not set; npm run test:clients starts a gateway", name)
	}
	return value
}

// fresh is a name that nothing has.
func fresh(t *testing.T, kind string) string {
	return fmt.Sprintf("tf-%s-%s-%x", strings.ToLower(t.Name()), kind, time.Now().UnixNano()&0xffffff)
}

func check(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func equal[T comparable](t *testing.T, what string, is, want T) {
	t.Helper()
	if is != want {
		t.Fatalf("%s is %v, not %v", what, is, want)
	}
}

// got is the body of an answer.
func got[T any](t *testing.T) func(*gateway.Answer[T], error) T {
	t.Helper()
	return func(answer *gateway.Answer[T], err error) T {
		t.Helper()
		check(t, err)
		return answer.Body
	}
}
