package gateway

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"time"
)

// Error is an answer other than success.
type Error struct {
	// Status is that of HTTP: 404, 409, 422...
	Status int
	// Message is the gateway's sentence.
	Message string
	// RequestID finds the request in the gateway's log.
	RequestID string
	// RetryAfter is how long the gateway asks to wait (429, 503), a day at most; 0 if it does not say.
	RetryAfter time.Duration
}

func (e *Error) Error() string { return fmt.Sprintf("%d: %s", e.Status, e.Message) }

// HasStatus tells whether err is an *[Error] with this status.
func HasStatus(err error, status int) bool {
	var refused *Error
	return errors.As(err, &refused) && refused.Status == status
}

// What is not ours, such as the page of a load balancer, is not read further.
const longestError = 64 * 1024

func errorOf(response *http.Response) error {
	defer response.Body.Close()
	var body ErrorBody
	text, _ := io.ReadAll(io.LimitReader(response.Body, longestError))
	if json.Unmarshal(text, &body) != nil || body.Message == "" {
		body.Message = http.StatusText(response.StatusCode)
	}
	return &Error{
		Status:     response.StatusCode,
		Message:    body.Message,
		RequestID:  response.Header.Get("X-Request-Id"),
		RetryAfter: retryAfter(response.Header.Get("Retry-After"), time.Now()),
	}
}
