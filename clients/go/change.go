package gateway

import (
	"context"
	"net/http"
)

// changesLost is how often [Change] reads again when others change the same resource meanwhile.
const changesLost = 5

// Change reads a resource and writes it back changed, and begins again if somebody else changed it in between:
//
//	_, err := gateway.Change(ctx,
//		func() (*gateway.Answer[gateway.AttributeView], error) { return client.GetAttribute(ctx, "pii") },
//		func(read *gateway.Answer[gateway.AttributeView]) (*gateway.Answer[gateway.AttributeView], error) {
//			return client.UpdateAttribute(ctx, "pii", &gateway.UpdateAttributeParams{IfMatch: &read.ETag}, change(read.Body))
//		})
//
// The second function has to send IfMatch. After five times the error, 412, is returned.
func Change[R, W any](
	ctx context.Context, read func() (*Answer[R], error), write func(*Answer[R]) (*Answer[W], error),
) (*Answer[W], error) {
	for attempt := 1; ; attempt++ {
		was, err := read()
		if err != nil {
			return nil, err
		}
		is, err := write(was)
		if err == nil || attempt == changesLost || !HasStatus(err, http.StatusPreconditionFailed) || ctx.Err() != nil {
			return is, err
		}
	}
}
