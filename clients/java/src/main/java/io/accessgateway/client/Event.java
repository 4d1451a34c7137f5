package io.accessgateway.client;

import java.time.Duration;
import java.util.Base64;
import java.util.List;

/**
 * One piece of a recording.
 *
 * @param time how long after the start of the session it happened
 * @param type {@code i} input, {@code o} output, {@code e} error output
 */
public record Event(Duration time, String type, byte[] content) {
  /** Reads {@code [milliseconds, type, base64, ...]}. */
  static Event of(Object fields) {
    try {
      List<?> triple = (List<?>) fields;
      long micros = Math.round(((Number) triple.get(0)).doubleValue() * 1000);
      return new Event(
          Duration.ofNanos(micros * 1000), (String) triple.get(1), Base64.getDecoder().decode((String) triple.get(2)));
    } catch (ClassCastException | IndexOutOfBoundsException | IllegalArgumentException | NullPointerException error) {
      throw new IllegalStateException("an event of the recording is not what the API describes", error);
    }
  }

  Event followedBy(Event next) {
    byte[] whole = new byte[content.length + next.content.length];
    System.arraycopy(content, 0, whole, 0, content.length);
    System.arraycopy(next.content, 0, whole, content.length, next.content.length);
    return new Event(time, next.type, whole);
  }
}
