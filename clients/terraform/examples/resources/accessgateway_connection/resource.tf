variable "orders_password" {
  type      = string
  sensitive = true
  ephemeral = true
}

resource "accessgateway_connection" "orders" {
  name          = "orders-db"
  type          = "database"
  subtype       = "postgres"
  attributes    = [accessgateway_attribute.pii.name]
  access_groups = ["engineering"]

  secret_wo = {
    HOST = "db.internal"
    PORT = "5432"
    USER = "app"
    PASS = var.orders_password
    DB   = "orders"
  }
  secret_wo_version = 1
}

resource "accessgateway_connection" "docs" {
  name          = "docs"
  catalog       = "deepwiki"
  access_groups = ["*"]

  mcp_policy = {
    tools     = { denied = ["delete_*"], approval = ["write_*"] }
    new_tools = "hold"
  }
}
