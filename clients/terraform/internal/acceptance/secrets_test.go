package acceptance

import (
	"archive/zip"
	"encoding/json"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	gateway "github.com/access-gateway/access-gateway/clients/go"
)

const targets = `
variable "password" {
  type      = string
  ephemeral = true
}
variable "address" {
  type      = string
  ephemeral = true
}
variable "signing" {
  type      = string
  ephemeral = true
}

resource "accessgateway_connection" "db" {
  name           = %[1]q
  type           = "database"
  subtype        = "postgres"
  access_groups  = ["*"]
  retention_days = %[2]s
  connection_tags = { environment = "test" }
  secret_wo = {
%[3]s
    PASS = var.password
  }
  secret_wo_version = %[4]d
}

resource "accessgateway_webhook" "chat" {
  url_wo            = var.address
  url_wo_version    = %[4]d
  secret_wo         = var.signing
  secret_wo_version = %[4]d
  events            = ["review.requested"]
  description       = %[1]q
}
`

// canary is in no file that Terraform writes; it is base64, as secrets of webhooks are.
const canary = "Y2FuYXJ5LW9mLWEtc2VjcmV0LXRoYXQtaXMtbmV2ZXItd3JpdHRlbg"

// Secrets reach the gateway when their version says so, and nothing else.
func TestSecrets(t *testing.T) {
	w, client := begin(t), api(t)
	name := fresh(t, "c")
	log := filepath.Join(w.folder, "trace.log")
	secret := map[string]string{}
	check(t, json.Unmarshal([]byte(variable(t, "GATEWAY_TARGET")), &secret))
	right := secret["PASS"]
	delete(secret, "PASS")
	delete(secret, "SSLMODE")
	var lines []string
	for key, value := range secret {
		lines = append(lines, fmt.Sprintf("    %s = %q", key, value))
	}
	give := func(retention string, version int, password string, extra ...string) {
		w.write(targets, name, retention, strings.Join(append(lines, extra...), "\n"), version)
		w.environment = append(w.environment, "TF_LOG=TRACE", "TF_LOG_PATH="+log, "TF_VAR_password="+password,
			"TF_VAR_address=https://hooks.example.com/"+canary, fmt.Sprintf("TF_VAR_signing=whsec_%s%02d", canary, version))
	}
	reached := func() bool { return got[gateway.ReachView](t)(client.TestConnection(t.Context(), name)).Success }

	const plain = `    SSLMODE = "disable"`
	give("30", 1, right, plain)
	contains(t, w.apply(), "2 added")
	w.same()
	equal(t, "whether the secret reaches the target", reached(), true)
	hook := webhookOf(t, client, name)
	equal(t, "address", hook.URL, "https://hooks.example.com/"+canary)
	equal(t, "whether the secret of the webhook is the given one", isSecretOf(t, client, hook, "whsec_"+canary+"01"), true)

	// Without another version, the secret stays, whatever the argument says. Null is a value.
	give("null", 1, canary, plain)
	contains(t, w.apply(), "0 added, 1 changed, 0 destroyed")
	equal(t, "whether the former secret reaches the target", reached(), true)
	equal(t, "whether retention is null", got[gateway.ConnectionView](t)(client.GetConnection(t.Context(), name)).RetentionDays == nil, true)

	// With one, it is sent: as a whole.
	give("null", 2, canary)
	w.must(append(planned, "-out=change")...)
	w.must("apply", "-no-color", "change")
	w.same()
	stored := got[gateway.ConnectionView](t)(client.GetConnection(t.Context(), name)).Secret
	equal(t, "whether a name that is not given is stored", contained(stored, "SSLMODE"), false)
	equal(t, "whether the new secret of the webhook is in force", isSecretOf(t, client, hook, "whsec_"+canary+"02"), true)
	give("null", 3, right, plain)
	w.apply()
	stored = got[gateway.ConnectionView](t)(client.GetConnection(t.Context(), name)).Secret
	equal(t, "whether a new name is stored", contained(stored, "SSLMODE"), true)
	equal(t, "whether the secret reaches the target again", reached(), true)

	give("null", 4, canary)
	w.must(append(planned, "-out=never")...)
	searched := 0
	for file, content := range written(t, w.folder) {
		searched++
		if strings.Contains(content, canary) {
			t.Errorf("%s has a secret", file)
		}
	}
	equal(t, "whether state, plans and log were searched", searched > 6, true)
	w.destroy()
	_, err := client.GetConnection(t.Context(), name)
	equal(t, "whether the connection is gone", gateway.HasStatus(err, http.StatusNotFound), true)
}

func contained[V any](in map[string]V, name string) bool {
	_, has := in[name]
	return has
}

func webhookOf(t *testing.T, client *gateway.Client, description string) gateway.WebhookView {
	t.Helper()
	for hook, err := range client.AllWebhooks(t.Context(), nil) {
		check(t, err)
		if hook.Description == description {
			return hook
		}
	}
	t.Fatalf("there is no webhook %s", description)
	return gateway.WebhookView{}
}

// isSecretOf asks by a change that the gateway makes only with the secret in force.
func isSecretOf(t *testing.T, client *gateway.Client, hook gateway.WebhookView, secret string) bool {
	t.Helper()
	_, err := client.UpdateWebhook(t.Context(), hook.ID, nil, gateway.WebhookChangeBody{
		URL: hook.URL, Events: []gateway.WebhookChangeBodyEvents{"review.requested"}, Description: &hook.Description, Secret: &secret,
	})
	if err != nil && !gateway.HasStatus(err, http.StatusUnprocessableEntity) {
		t.Fatal(err)
	}
	return err == nil
}

// written is what is in the files of a folder, and in those of plans, which are archives.
func written(t *testing.T, folder string) map[string]string {
	t.Helper()
	all := map[string]string{}
	check(t, filepath.WalkDir(folder, func(file string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		text, err := os.ReadFile(file)
		if err != nil {
			return err
		}
		all[file] = string(text)
		archive, err := zip.OpenReader(file)
		if err != nil {
			return nil
		}
		defer archive.Close()
		for _, part := range archive.File {
			reader, err := part.Open()
			if err != nil {
				return err
			}
			text, err := io.ReadAll(reader)
			if err != nil {
				return err
			}
			all[file+"/"+part.Name] = string(text)
		}
		return nil
	}))
	return all
}
