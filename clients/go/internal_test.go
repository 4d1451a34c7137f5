package gateway

import (
	"bufio"
	"encoding/json"
	"os"
	"strconv"
	"strings"
	"testing"
	"time"
)

func TestRetryAfter(t *testing.T) {
	now := time.Date(2026, 11, 24, 12, 0, 0, 0, time.UTC)
	for header, want := range map[string]time.Duration{
		"": 0, "soon": 0, "0": 0, "-3": 0, "NaN": 0, "1.5": 1500 * time.Millisecond, "30": 30 * time.Second,
		"86401": day, "1e400": 0, "99999999999999999999": day,
		"Tue, 24 Nov 2026 12:00:10 GMT": 10 * time.Second,
		"Tue, 24 Nov 2026 11:00:00 GMT": 0,
		"Tue, 24 Nov 2099 12:00:00 GMT": day,
	} {
		if is := retryAfter(header, now); is != want {
			t.Errorf("Retry-After: %s is %v, not %v", header, is, want)
		}
	}
}

func TestWaits(t *testing.T) {
	for attempt := range 100 {
		if wait := backOff(attempt+1, 10*time.Second); wait <= 0 || wait > 10*time.Second {
			t.Errorf("attempt %d waits %v", attempt+1, wait)
		}
	}
	retries := Retries{Attempts: 9, MaxWait: 48 * time.Hour}
	wait, again := retries.after(1, "GET", &Error{Status: 429, RetryAfter: day})
	if !again || wait > day {
		t.Errorf("a wait of %v", wait)
	}
	wait, _ = retries.after(1, "GET", &Error{Status: 429, RetryAfter: 10 * time.Second})
	if wait < 10*time.Second || wait > 12*time.Second {
		t.Errorf("a wait of %v for 10 s", wait)
	}
}

// A script of other bytes would be another script.
func TestBytesThatAreNotUTF8(t *testing.T) {
	for text, want := range map[string]bool{
		"select 'M\xfcller'": true, "\xff": true, "Müller": false, "\ufffd": false, `\ufffd`: false, `\\ufffd`: false,
		"\\\xff": true, "": false,
	} {
		body, err := json.Marshal(ExecBody{Connection: "c", Script: text})
		if err != nil || replacesBytes(body) != want {
			t.Errorf("%q: %v, not %v (%v)", text, !want, want, err)
		}
	}
	client, err := New("https://127.0.0.1:1")
	if err != nil {
		t.Fatal(err)
	}
	_, err = client.send(t.Context(), &request{method: "POST", body: map[string]string{"a": "\xfc"}})
	if err == nil || !strings.Contains(err.Error(), "not UTF-8") {
		t.Errorf("%v", err)
	}
}

// A later version may know more values and more fields, and what is null is nil.
func TestGrowingAnswers(t *testing.T) {
	var session SessionView
	err := json.Unmarshal([]byte(`{"id":"x","status":"paused","verb":"exec","exit_code":null,"end_date":null,"moods":[1]}`), &session)
	if err != nil || session.Status != "paused" || session.ExitCode != nil || session.EndDate != nil {
		t.Errorf("%v %v", session, err)
	}
}

func TestMessages(t *testing.T) {
	text := ": a comment\r\nid: 1.0\ndata: [1,\r\ndata: 2]\n\nevent: other\n\nid:1.1\nevent:end\ndata:{}\n\nid: 1.2\ndata: cut"
	lines := bufio.NewReader(strings.NewReader(text))
	for _, want := range []message{{"1.0", "message", "[1,\n2]"}, {"1.1", "end", "{}"}} {
		if is, err := readMessage(lines); err != nil || is != want {
			t.Errorf("%v %v, not %v", is, err, want)
		}
	}
	if _, err := readMessage(lines); err == nil {
		t.Error("a message that is cut is one")
	}
	for _, faulty := range []string{`[1,"i"]`, `{}`, `["x","i",""]`, `[1,"i","no base64"]`} {
		if _, _, err := eventOf([]byte(faulty)); err == nil {
			t.Errorf("%s is an event", faulty)
		}
	}
}

// The gateway's own limit is 10 000; there, as here, the list goes on by time.
func TestSessionsBeyondTheLargestOffset(t *testing.T) {
	if os.Getenv("GATEWAY_API") == "" {
		t.Skip("skipped: GATEWAY_API is not set; npm run test:clients starts a gateway")
	}
	client, err := New(os.Getenv("GATEWAY_API"), WithAPIKey(os.Getenv("GATEWAY_KEY")))
	if err != nil {
		t.Fatal(err)
	}
	seen := map[string]bool{}
	var last time.Time
	for session, err := range client.allSessions(t.Context(), &ListSessionsParams{CorrelationID: Ptr("many")}, 10, 30) {
		if err != nil {
			t.Fatal(err)
		}
		if seen[session.ID] || (!last.IsZero() && session.StartDate.After(last)) {
			t.Fatalf("%s came twice, or late", session.ID)
		}
		seen[session.ID], last = true, session.StartDate
	}
	if want := os.Getenv("GATEWAY_SESSIONS"); strconv.Itoa(len(seen)) != want {
		t.Errorf("%d sessions, not %s", len(seen), want)
	}
}
