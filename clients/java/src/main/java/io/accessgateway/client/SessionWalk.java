package io.accessgateway.client;

import io.accessgateway.client.api.SessionsApi;
import io.accessgateway.client.api.SessionsApi.APIListSessionsRequest;
import io.accessgateway.client.api.SessionsApi.APIListSessionsRequest.Builder;
import io.accessgateway.client.model.SessionPage;
import io.accessgateway.client.model.SessionView;
import java.time.OffsetDateTime;
import java.time.temporal.ChronoUnit;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Iterator;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.UUID;
import java.util.function.Consumer;

/** All sessions: by offset as far as that goes, further by time. */
final class SessionWalk implements Iterator<SessionView> {
  static final int ON_PAGE = 100;
  static final int LARGEST_OFFSET = 10_000;

  private final SessionsApi sessions;
  private final Consumer<Builder> filters;
  private final int onPage;
  private final int largest;
  private final Deque<SessionView> ready = new ArrayDeque<>();
  private final Map<UUID, OffsetDateTime> seen = new HashMap<>();
  private OffsetDateTime end;
  private int offset;
  private boolean isOver;

  private SessionWalk(SessionsApi sessions, Consumer<Builder> filters, int onPage, int largest) {
    this.sessions = sessions;
    this.filters = filters;
    this.end = filtered().build().endDate();
    this.onPage = onPage;
    this.largest = largest;
  }

  static Iterable<SessionView> over(SessionsApi sessions, Consumer<Builder> filters, int onPage, int largest) {
    return () -> new SessionWalk(sessions, filters, onPage, largest);
  }

  @Override
  public boolean hasNext() {
    while (ready.isEmpty() && !isOver) read();
    return !ready.isEmpty();
  }

  @Override
  public SessionView next() {
    if (!hasNext()) throw new NoSuchElementException();
    return ready.remove();
  }

  private Builder filtered() {
    Builder builder = APIListSessionsRequest.newBuilder();
    filters.accept(builder);
    return builder;
  }

  private void read() {
    SessionPage page = sessions.listSessions(filtered().limit(onPage).offset(offset).count("none").endDate(end).build());
    isOver = !page.getHasNextPage();
    for (SessionView session : page.getData()) {
      // New sessions would shift the pages.
      if (end == null) end = session.getStartDate().plus(1, ChronoUnit.MILLIS);
      if (seen.put(session.getId(), session.getStartDate()) == null) ready.add(session);
    }
    offset += onPage;
    if (offset > largest && !isOver) continueAt(page.getData().get(page.getData().size() - 1).getStartDate());
  }

  /** Times are shown in whole milliseconds, and may be finer. */
  private void continueAt(OffsetDateTime start) {
    OffsetDateTime next = start.plus(1, ChronoUnit.MILLIS);
    if (!next.isBefore(end)) {
      throw new IllegalStateException("more than 10 000 sessions began at one time: narrow the list down");
    }
    end = next;
    offset = 0;
    seen.values().removeIf(started -> started.isAfter(next));
  }
}
