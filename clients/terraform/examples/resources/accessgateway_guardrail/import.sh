terraform import accessgateway_guardrail.no_drops no-drops
terraform import accessgateway_guardrail.no_drops 6a1d1f4e-1f6b-4f0e-9d0e-3b1d5a0c7f11
