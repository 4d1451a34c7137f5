package provider

import (
	"context"

	gateway "github.com/access-gateway/access-gateway/clients/go"
)

// Fields that several kinds have.
var (
	description = field{form: text, about: "Free text.", standard: "", max: 4096}
	identity    = field{form: text, about: "Id of the resource.", shown: true, steady: true}
)

// namePattern is that of names which stand in addresses: of connections and access request rules.
const namePattern = `^[A-Za-z0-9_]+(?:[-.][A-Za-z0-9_]+)*$`

func groupsField(about string) field {
	return field{form: names, about: about, isName: true, standard: none{}, min: 1, max: 256, most: 1000}
}

var attribute = kind{
	name:  "attribute",
	label: "attribute",
	about: "An attribute: a label that joins connections to rules. A rule holds on connections that share one of its attributes. " +
		"Connections and rules name their attributes by a reference to this resource, so that it is made before and deleted after them.",
	importedBy: "name",
	fields: fields{
		"name":        {form: text, about: "Unique name.", isName: true, required: true, fixed: true, min: 1, max: 256},
		"description": description,
	},
	find: func(ctx context.Context, client *gateway.Client, name string) (*found, error) {
		return answered(client.GetAttribute(ctx, name))
	},
	read: func(ctx context.Context, client *gateway.Client, state document) (*found, error) {
		return answered(client.GetAttribute(ctx, state.text("name")))
	},
	create: func(ctx context.Context, client *gateway.Client, want document) (*found, error) {
		return made(ctx, want, client.CreateAttribute)
	},
	update: func(ctx context.Context, client *gateway.Client, was *found, _, want document) (*found, error) {
		return replaced(ctx, was.name(), &gateway.UpdateAttributeParams{IfMatch: &was.tag}, want, client.UpdateAttribute)
	},
	remove: func(ctx context.Context, client *gateway.Client, was *found) error {
		_, err := client.DeleteAttribute(ctx, was.name(), &gateway.DeleteAttributeParams{IfMatch: &was.tag})
		return err
	},
}
