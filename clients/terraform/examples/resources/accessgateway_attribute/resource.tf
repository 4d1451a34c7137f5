resource "accessgateway_attribute" "pii" {
  name        = "pii"
  description = "Data of people."
}
