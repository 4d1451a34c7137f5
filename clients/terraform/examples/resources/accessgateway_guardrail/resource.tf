resource "accessgateway_guardrail" "no_drops" {
  name       = "no-drops"
  attributes = [accessgateway_attribute.pii.name]

  input = {
    rules = [
      { type = "sql_statement", kinds = ["drop", "truncate"], without_where = true, message = "Tables are not dropped here." },
      { type = "pattern_match", pattern_regex = "(?i)pg_sleep\\s*\\(" },
    ]
  }

  output = {
    rules = [
      { type = "detector", detectors = ["email", "payment_card"], action = "mask", keep_last = 4 },
    ]
  }
}
