// Package gateway is a client of the REST API of the Access Gateway.
//
//	client, err := gateway.New("https://gateway.example.com/api", gateway.WithAPIKey(os.Getenv("GATEWAY_API_KEY")))
//	if err != nil {
//		return err
//	}
//	for connection, err := range client.AllConnections(ctx, nil) {
//		...
//	}
//
// [Client] has a method for each operation of the API, named by its operationId. Each answers an [Answer], or an
// *[Error] for what the gateway refused. The method tries again by itself where that is safe: see [Retries].
// Methods that begin with All read lists page by page. [Client.Follow] follows the recording of a session while it runs.
//
// The package needs nothing but the standard library.
package gateway
