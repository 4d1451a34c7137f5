package gateway

import (
	"context"
	"errors"
	"math/rand/v2"
	"net/http"
	"strconv"
	"time"
)

// Retries says when a request is tried again: GET, PUT and DELETE after 429, 503 and a connection that failed. POST and
// PATCH are sent once.
type Retries struct {
	// Attempts is how often a request is sent at most; 1: never again.
	Attempts int
	// MaxWait is the longest wait before an attempt, a day at most. If the gateway asks for more, the error comes at
	// once; its RetryAfter says how much.
	MaxWait time.Duration
}

// DefaultRetries are those of a client without [WithRetries].
var DefaultRetries = Retries{Attempts: 4, MaxWait: time.Minute}

const (
	day       = 24 * time.Hour
	firstWait = 500 * time.Millisecond
)

// after returns how long to wait after that attempt, and whether to try again at all.
func (s Retries) after(attempt int, method string, err error) (time.Duration, bool) {
	if attempt >= s.Attempts || !isIdempotent(method) {
		return 0, false
	}
	longest := min(s.MaxWait, day)
	var refused *Error
	if !errors.As(err, &refused) {
		var faulty *faultyRequest
		return backOff(attempt, longest), !errors.As(err, &faulty)
	}
	if refused.Status != http.StatusTooManyRequests && refused.Status != http.StatusServiceUnavailable {
		return 0, false
	}
	if refused.RetryAfter > longest {
		return 0, false
	}
	if refused.RetryAfter == 0 {
		return backOff(attempt, longest), true
	}
	// Not before that, and not all clients at once.
	return min(refused.RetryAfter+rand.N(refused.RetryAfter/10+time.Millisecond), longest), true
}

// backOff is a random time that doubles with each attempt.
func backOff(attempt int, longest time.Duration) time.Duration {
	widest := min(firstWait<<min(attempt-1, 16), max(longest, time.Millisecond))
	return widest/2 + rand.N(widest/2+1)
}

func isIdempotent(method string) bool {
	return method == http.MethodGet || method == http.MethodPut || method == http.MethodDelete
}

// retryAfter reads the header: seconds or a date (RFC 9110, section 10.2.3).
func retryAfter(header string, now time.Time) time.Duration {
	if header == "" {
		return 0
	}
	if seconds, err := strconv.ParseFloat(header, 64); err == nil {
		if !(seconds > 0) {
			return 0
		}
		return time.Duration(min(seconds, day.Seconds()) * float64(time.Second))
	}
	moment, err := http.ParseTime(header)
	if err != nil {
		return 0
	}
	return min(max(moment.Sub(now), 0), day)
}

func sleep(ctx context.Context, wait time.Duration) error {
	timer := time.NewTimer(wait)
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-timer.C:
		return nil
	}
}
