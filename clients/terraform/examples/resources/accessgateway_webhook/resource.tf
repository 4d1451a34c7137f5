variable "chat_address" {
  type      = string
  sensitive = true
  ephemeral = true
}

resource "accessgateway_webhook" "chat" {
  url_wo         = var.chat_address
  url_wo_version = 1
  format         = "slack"
  events         = ["review.requested", "review.decided"]
}
