// The Terraform provider of the Access Gateway. Terraform and OpenTofu start it; nobody else does.
package main

import (
	"context"
	"flag"
	"log"

	"github.com/access-gateway/access-gateway/clients/terraform/internal/provider"
	"github.com/hashicorp/terraform-plugin-framework/providerserver"
	tfaddr "github.com/hashicorp/terraform-registry-address"
)

func main() {
	debug := flag.Bool("debug", false, "wait for a debugger, and print how Terraform reaches this process")
	flag.Parse()
	address := tfaddr.NewProvider(tfaddr.DefaultProviderRegistryHost, "access-gateway", provider.Name)
	err := providerserver.Serve(context.Background(), provider.New, providerserver.ServeOpts{
		Address: address.String(), Debug: *debug, ProtocolVersion: 6,
	})
	if err != nil {
		log.Fatal(err)
	}
}
