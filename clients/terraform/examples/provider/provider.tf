terraform {
  required_providers {
    accessgateway = {
      source = "access-gateway/accessgateway"
    }
  }
}

provider "accessgateway" {
  address = "https://gateway.example.com"
  # The API key comes from the environment variable GATEWAY_TOKEN.
}
