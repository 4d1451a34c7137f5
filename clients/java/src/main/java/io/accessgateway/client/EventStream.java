package io.accessgateway.client;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.accessgateway.client.invoker.ApiClient;
import io.accessgateway.client.invoker.ApiException;
import java.io.BufferedReader;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/**
 * Follows the recording of one session: {@link #next()} until it is empty. Each event comes once, whole. An answer that is
 * cut is continued where it was cut; the error comes when nothing new came in as many answers as a request has attempts.
 */
public final class EventStream implements AutoCloseable {
  private static final ObjectMapper JSON = ApiClient.createDefaultObjectMapper();

  private final Gateway gateway;
  private final UUID sessionId;
  /** Id of the last message, and of the last one that completed an event. */
  private String received;
  private String delivered;
  /** An event whose end did not come yet. */
  private Event part;
  private BufferedReader lines;
  private SessionEnd end;
  private boolean isOver;
  private int idle;

  EventStream(Gateway gateway, UUID sessionId, String lastEventId) {
    this.gateway = gateway;
    this.sessionId = sessionId;
    this.received = lastEventId;
    this.delivered = lastEventId;
  }

  /** The next event; it waits for it. Empty: the session is over. */
  public Optional<Event> next() {
    while (!isOver) {
      try {
        if (lines == null) begin();
        if (isOver) break;
        Message message = readMessage();
        idle = 0;
        Optional<Event> event = take(message);
        if (event.isPresent()) return event;
      } catch (IOException fault) {
        waitAfter(fault);
      }
    }
    close();
    return Optional.empty();
  }

  /** Id of the last event that came, to follow on from there later; null before the first one. */
  public String lastEventId() {
    return delivered;
  }

  /** How the session ended; empty before, and if that was told to an earlier stream. */
  public Optional<SessionEnd> end() {
    return Optional.ofNullable(end);
  }

  @Override
  public void close() {
    isOver = true;
    hangUp();
  }

  private void begin() {
    HttpResponse<InputStream> answer = gateway.open("/sessions/" + sessionId + "/stream", received);
    lines = new BufferedReader(new InputStreamReader(answer.body(), StandardCharsets.UTF_8));
    isOver = answer.statusCode() == 204;
  }

  private void waitAfter(IOException fault) {
    hangUp();
    idle++;
    if (idle >= gateway.retries.attempts()) throw new ApiException(fault);
    try {
      Thread.sleep(gateway.retries.backOff(idle).toMillis());
    } catch (InterruptedException error) {
      Thread.currentThread().interrupt();
      throw new ApiException(error);
    }
  }

  private void hangUp() {
    if (lines == null) return;
    try {
      lines.close();
    } catch (IOException ignored) {
      // Nothing more is read of it.
    }
    lines = null;
  }

  private Optional<Event> take(Message message) throws IOException {
    if (message.event.equals("end")) {
      received = delivered = message.id;
      isOver = true;
      end = JSON.readValue(message.data, SessionEnd.class);
      return Optional.empty();
    }
    if (!message.event.equals("message")) return Optional.empty();
    List<?> triple = JSON.readValue(message.data, List.class);
    Event event = Event.of(triple);
    received = message.id;
    if (part != null) event = part.followedBy(event);
    // A fourth element, true, says that the event goes on in the next message.
    boolean goesOn = triple.size() > 3 && Boolean.TRUE.equals(triple.get(3));
    part = goesOn ? event : null;
    if (goesOn) return Optional.empty();
    delivered = message.id;
    return Optional.of(event);
  }

  /** One server-sent event (HTML, "Server-sent events"). */
  record Message(String id, String event, String data) {}

  private Message readMessage() throws IOException {
    return readMessage(lines);
  }

  /** Reads to the end of the next message that has data. What is cut is no message. */
  static Message readMessage(BufferedReader lines) throws IOException {
    String id = "";
    String event = "message";
    List<String> data = new ArrayList<>();
    for (String line = lines.readLine(); line != null; line = lines.readLine()) {
      if (line.isEmpty() && !data.isEmpty()) return new Message(id, event, String.join("\n", data));
      if (line.isEmpty()) event = "message";
      int colon = line.indexOf(':');
      String name = colon < 0 ? line : line.substring(0, colon);
      String value = colon < 0 ? "" : line.substring(colon + 1).replaceFirst("^ ", "");
      switch (name) {
        case "id" -> id = value;
        case "event" -> event = value;
        case "data" -> data.add(value);
        default -> {}
      }
    }
    throw new EOFException("the stream ended before the session");
  }
}
