package provider

import (
	"context"

	gateway "github.com/access-gateway/access-gateway/clients/go"
	"github.com/hashicorp/terraform-plugin-framework/path"
)

var webhook = kind{
	name:  "webhook",
	label: "webhook",
	about: "A webhook: an endpoint that is told of events. Its address and its secret are write-only, for often the address is all that is needed to post there: " +
		"they are in no plan and no state, and are sent when the webhook is made and when their version changes.",
	importedBy: "id",
	fields: fields{
		"id":     identity,
		"url_wo": {form: text, writeOnly: true, about: "Address to which messages are posted: `https`, on a public address, unless the gateway allows its host. Needed to make the webhook.", max: 2048},
		"url_wo_version": {
			form: number, ours: true, about: "Number of your own for `url_wo`. Another one sends it anew.",
		},
		"secret_wo": {
			form: text, writeOnly: true, max: 128, pattern: `^whsec_[A-Za-z0-9+/]+=*$`,
			about: "Secret with which messages are signed: `whsec_` followed by the base64 of 24 to 64 bytes. Without it, the gateway makes one that nobody is told: enough for `slack` and `teams`.",
		},
		"secret_wo_version": {
			form: number, ours: true, about: "Number of your own for `secret_wo`. Another one rotates the secret: the previous one signs, too, for 24 hours.",
		},
		"events": {
			form: names, about: "Events that are sent to it.", required: true, least: 1, most: 8,
			oneOf: []string{"review.requested", "review.decided", "review.signed_off", "session.started", "session.blocked", "session.ended", "access.revoked", "mcp.tool.changed"},
		},
		"format":      {form: text, about: "`standard` (Standard Webhooks), `slack` or `teams`.", standard: "standard", oneOf: []string{"standard", "slack", "teams"}},
		"description": description,
		"enabled":     {form: flag, about: "While false, no new events are queued. The gateway disables a webhook whose endpoint answers 410.", standard: true},
	},
	check: func(webhook document, fault func(path.Path, string)) {
		versionFaults(webhook, "url_wo", fault)
		versionFaults(webhook, "secret_wo", fault)
	},
	checkNew: func(webhook document, fault func(path.Path, string)) {
		if webhook["url_wo"] == nil {
			fault(path.Root("url_wo"), "a new webhook needs url_wo")
		}
	},
	find: func(ctx context.Context, client *gateway.Client, id string) (*found, error) {
		return answered(client.GetWebhook(ctx, id))
	},
	read: func(ctx context.Context, client *gateway.Client, state document) (*found, error) {
		return answered(client.GetWebhook(ctx, state.text("id")))
	},
	create: func(ctx context.Context, client *gateway.Client, want document) (*found, error) {
		want["url"], want["secret"] = want["url_wo"], want["secret_wo"]
		return made(ctx, want, client.CreateWebhook)
	},
	update: func(ctx context.Context, client *gateway.Client, was *found, state, want document) (*found, error) {
		want["url"] = was.fields["url"]
		if state["url_wo_version"] != want["url_wo_version"] && want["url_wo"] != nil {
			want["url"] = want["url_wo"]
		}
		is, err := replaced(ctx, was.id(), &gateway.UpdateWebhookParams{IfMatch: &was.tag}, want, client.UpdateWebhook)
		if err != nil || state["secret_wo_version"] == want["secret_wo_version"] || want["secret_wo"] == nil {
			return is, err
		}
		secret := want.text("secret_wo")
		_, err = patiently(ctx, func() (*gateway.Answer[gateway.WebhookSecretView], error) {
			return client.RotateWebhookSecret(ctx, is.id(), &gateway.RotateWebhookSecretParams{IfMatch: &is.tag}, gateway.WebhookSecretBody{Secret: &secret})
		})
		return is, err
	},
	remove: func(ctx context.Context, client *gateway.Client, was *found) error {
		_, err := client.DeleteWebhook(ctx, was.id(), &gateway.DeleteWebhookParams{IfMatch: &was.tag})
		return err
	},
}
