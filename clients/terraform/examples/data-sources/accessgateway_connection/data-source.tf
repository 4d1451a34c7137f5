data "accessgateway_connection" "billing" {
  name = "billing"
}

resource "accessgateway_access_rule" "billing" {
  name             = "billing"
  access_type      = "command"
  reviewers_groups = ["finance"]
  min_approvals    = 1
  connection_names = [data.accessgateway_connection.billing.name]
}
