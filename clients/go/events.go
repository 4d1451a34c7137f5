package gateway

import (
	"context"
	"encoding/json"
	"fmt"
	"time"
)

// EventType says whose an event is.
type EventType string

const (
	Input       EventType = "i"
	Output      EventType = "o"
	ErrorOutput EventType = "e"
)

// Event is one piece of a recording.
type Event struct {
	// Time is how long after the start of the session it happened.
	Time    time.Duration
	Type    EventType
	Content []byte
}

// Recording reads what was recorded of a session until now. [Client.Follow] needs less memory.
func (c *Client) Recording(ctx context.Context, sessionID string) ([]Event, error) {
	params := &GetSessionParams{Expand: []GetSessionParamsExpand{GetSessionParamsExpandEventStream}}
	answer, err := c.GetSession(ctx, sessionID, params)
	if err != nil {
		return nil, err
	}
	events := make([]Event, len(answer.Body.EventStream))
	for i, triple := range answer.Body.EventStream {
		text, err := json.Marshal(triple)
		if err == nil {
			events[i], _, err = eventOf(text)
		}
		if err != nil {
			return nil, err
		}
	}
	return events, nil
}

// eventOf reads [milliseconds, type, base64]. A fourth element, true, says that the event goes on.
func eventOf(text []byte) (event Event, goesOn bool, err error) {
	var milliseconds float64
	fields := []any{&milliseconds, &event.Type, &event.Content, &goesOn}
	if err = json.Unmarshal(text, &fields); err == nil && len(fields) < 3 {
		err = fmt.Errorf("it has %d fields", len(fields))
	}
	if err != nil {
		return event, false, fmt.Errorf("an event of the recording is not what the API describes: %w", err)
	}
	event.Time = time.Duration(milliseconds * float64(time.Millisecond)).Round(time.Microsecond)
	return event, goesOn, nil
}
