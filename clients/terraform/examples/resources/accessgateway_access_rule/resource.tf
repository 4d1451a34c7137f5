resource "accessgateway_access_rule" "people" {
  name                = "people"
  access_type         = "jit"
  access_max_duration = 3600
  reviewers_groups    = ["dba"]
  min_approvals       = 1
  attributes          = [accessgateway_attribute.pii.name]
}
