package gateway

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
	"net/http"
	"strings"
	"time"
)

// Stream follows the recording of one session.
type Stream struct {
	client    *Client
	sessionID string
	// received: id of the last message; delivered: of the last one that completed an event.
	received, delivered string
	// part is an event whose end did not come yet.
	part *Event
	end  *SessionEnd
}

// SessionEnd says how a session ended.
type SessionEnd struct {
	Status   string     `json:"status"`
	ExitCode *int64     `json:"exit_code"`
	EndDate  *time.Time `json:"end_date"`
}

// Follow follows the recording of a session: from its start, or after the event with the id that [Stream.LastEventID]
// of an earlier stream had.
func (c *Client) Follow(sessionID, lastEventID string) *Stream {
	return &Stream{client: c, sessionID: sessionID, received: lastEventID, delivered: lastEventID}
}

// LastEventID is the id of the last event that came, to follow on from there later; empty before the first one.
func (s *Stream) LastEventID() string { return s.delivered }

// End is how the session ended; nil before, and if that was told to an earlier stream.
func (s *Stream) End() *SessionEnd { return s.end }

// Events yields each event once, whole, until the session ends, and at most one error, as the last. An answer that is
// cut is continued where it was cut; the error comes when nothing new came in as many answers as there are
// [Retries.Attempts].
func (s *Stream) Events(ctx context.Context) iter.Seq2[Event, error] {
	return func(yield func(Event, error) bool) {
		for idle := 0; ; {
			before := s.received
			over, err := s.read(ctx, yield)
			if over {
				return
			}
			if s.received == before {
				idle++
			} else {
				idle = 0
			}
			var refused *Error
			if err == nil {
				err = io.ErrUnexpectedEOF
			}
			if errors.As(err, &refused) || ctx.Err() != nil || idle >= s.client.retries.Attempts ||
				sleep(ctx, backOff(idle+1, s.client.retries.MaxWait)) != nil {
				yield(Event{}, fmt.Errorf("following session %s: %w", s.sessionID, err))
				return
			}
		}
	}
}

// read reads one answer, and tells whether there is nothing more to read.
func (s *Stream) read(ctx context.Context, yield func(Event, error) bool) (over bool, err error) {
	params := &StreamSessionParams{}
	if s.received != "" {
		params.LastEventID = &s.received
	}
	response, err := s.client.StreamSession(ctx, s.sessionID, params)
	if err != nil {
		return false, err
	}
	defer response.Body.Close()
	if response.StatusCode == http.StatusNoContent {
		return true, nil
	}
	lines := bufio.NewReader(response.Body)
	for {
		message, err := readMessage(lines)
		if err != nil {
			return false, err
		}
		over, err := s.take(message, yield)
		if err != nil {
			yield(Event{}, err)
		}
		if over || err != nil {
			return true, nil
		}
	}
}

// take delivers what the message completes, and tells whether it was the last one, or the reader has enough.
func (s *Stream) take(message message, yield func(Event, error) bool) (over bool, err error) {
	if message.event == "end" {
		s.received, s.delivered = message.id, message.id
		return true, json.Unmarshal([]byte(message.data), &s.end)
	}
	if message.event != "message" {
		return false, nil
	}
	event, goesOn, err := eventOf([]byte(message.data))
	if err != nil {
		return false, err
	}
	s.received = message.id
	if s.part != nil {
		event.Time, event.Content = s.part.Time, append(s.part.Content, event.Content...)
		s.part = nil
	}
	if goesOn {
		s.part = &event
		return false, nil
	}
	s.delivered = message.id
	return !yield(event, nil), nil
}

// message is one server-sent event (HTML, "Server-sent events").
type message struct{ id, event, data string }

// readMessage reads to the end of the next message that has data. What is cut is no message.
func readMessage(lines *bufio.Reader) (message, error) {
	next := message{event: "message"}
	var data []string
	for {
		line, err := lines.ReadString('\n')
		if err != nil {
			return message{}, err
		}
		line = strings.TrimRight(line, "\r\n")
		name, value, _ := strings.Cut(line, ":")
		value = strings.TrimPrefix(value, " ")
		switch {
		case line == "" && data != nil:
			next.data = strings.Join(data, "\n")
			return next, nil
		case line == "":
			next = message{event: "message"}
		case name == "id":
			next.id = value
		case name == "event":
			next.event = value
		case name == "data":
			data = append(data, value)
		}
	}
}
