module github.com/access-gateway/access-gateway/clients/go

go 1.24
