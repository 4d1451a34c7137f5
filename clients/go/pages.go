package gateway

import (
	"context"
	"errors"
	"iter"
	"time"
)

// pages yields the items of all pages, and at most one error, as the last. A list that changes meanwhile is no fault:
// items come once, and those that stay in the list are not skipped. For that, pages that others moved up are read
// again. Items without a key may come twice. Memory: the keys of what was read.
func pages[T any](read func(page int) ([]T, PageInfo, error), key func(T) any) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		seen := map[any]bool{}
		for page, total := 1, int64(0); ; page++ {
			items, info, err := read(page)
			if err != nil {
				yield(*new(T), err)
				return
			}
			gone := total - info.Total
			total = info.Total
			if gone > 0 && key != nil && info.Size > 0 {
				// What follows moved up by as many places at most, into pages that were read before.
				page = max(0, page-1-int((gone+info.Size-1)/info.Size))
				continue
			}
			for _, item := range items {
				if key != nil && seen[key(item)] {
					continue
				}
				if key != nil {
					seen[key(item)] = true
				}
				if !yield(item, nil) {
					return
				}
			}
			if int64(page)*info.Size >= total {
				return
			}
		}
	}
}

// A list of sessions is read to this offset; further by the time of its last session.
const (
	sessionsOnPage = 100
	largestOffset  = 10_000
)

// AllSessions has the sessions that match, newest first, however many there are. Those that begin meanwhile are not
// among them. Limit and Offset of the parameters have no effect.
func (c *Client) AllSessions(ctx context.Context, params *ListSessionsParams) iter.Seq2[SessionView, error] {
	return c.allSessions(ctx, params, sessionsOnPage, largestOffset)
}

func (c *Client) allSessions(
	ctx context.Context, params *ListSessionsParams, onPage, largest int,
) iter.Seq2[SessionView, error] {
	var wanted ListSessionsParams
	if params != nil {
		wanted = *params
	}
	if wanted.Count == nil {
		wanted.Count = Ptr(ListSessionsParamsCountNone)
	}
	wanted.Limit = &onPage
	return func(yield func(SessionView, error) bool) {
		seen := map[string]time.Time{}
		var last SessionView
		for offset := 0; ; offset += onPage {
			if offset > largest {
				offset = 0
				if err := continueAt(&wanted, last.StartDate, seen); err != nil {
					yield(SessionView{}, err)
					return
				}
			}
			wanted.Offset = &offset
			answer, err := c.ListSessions(ctx, &wanted)
			if err != nil {
				yield(SessionView{}, err)
				return
			}
			for _, last = range answer.Body.Data {
				if wanted.EndDate == nil {
					// New sessions would shift the pages.
					wanted.EndDate = Ptr(last.StartDate.Add(time.Millisecond))
				}
				if _, known := seen[last.ID]; known {
					continue
				}
				seen[last.ID] = last.StartDate
				if !yield(last, nil) {
					return
				}
			}
			if !answer.Body.HasNextPage {
				return
			}
		}
	}
}

// continueAt lets the list begin at that session. Times are shown in whole milliseconds, and may be finer.
func continueAt(wanted *ListSessionsParams, start time.Time, seen map[string]time.Time) error {
	end := start.Add(time.Millisecond)
	if wanted.EndDate != nil && !end.Before(*wanted.EndDate) {
		return errors.New("more than 10 000 sessions began at one time: narrow the list down")
	}
	wanted.EndDate = &end
	for id, started := range seen {
		if started.After(end) {
			delete(seen, id)
		}
	}
	return nil
}
