terraform import accessgateway_connection.orders orders-db
terraform import accessgateway_connection.orders 0b7e4c1a-7f0c-4a55-8f6e-5c2f7f0e9a10
