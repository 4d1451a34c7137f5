data "accessgateway_catalog_entry" "github" {
  name = "github"
}

output "how_to_sign_in" {
  value = data.accessgateway_catalog_entry.github.auth_modes
}
