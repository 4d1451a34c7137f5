package io.accessgateway.client;

import java.math.BigDecimal;
import java.net.http.HttpResponse;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;

/**
 * When a request is tried again: GET, PUT and DELETE after 429, 503 and a connection that failed. POST and PATCH are sent
 * once.
 *
 * @param attempts how often a request is sent at most; 1: never again
 * @param maxWait the longest wait before an attempt, a day at most. If the gateway asks for more, the error comes at once
 */
public record Retries(int attempts, Duration maxWait) {
  /** Those of a gateway for which no others are set. */
  public static final Retries DEFAULT = new Retries(4, Duration.ofMinutes(1));

  static final Duration DAY = Duration.ofDays(1);
  private static final long FIRST_WAIT_MS = 500;
  private static final Set<String> IDEMPOTENT = Set.of("GET", "PUT", "DELETE");

  /** How long to wait after that attempt; empty: do not try again. A null answer is a connection that failed. */
  Optional<Duration> after(int attempt, String method, HttpResponse<?> answer) {
    if (attempt >= attempts || !IDEMPOTENT.contains(method)) return Optional.empty();
    if (answer == null) return Optional.of(backOff(attempt));
    if (answer.statusCode() != 429 && answer.statusCode() != 503) return Optional.empty();
    Duration asked = retryAfter(answer.headers().firstValue("retry-after").orElse(null));
    if (asked == null) return Optional.of(backOff(attempt));
    if (asked.compareTo(longest()) > 0) return Optional.empty();
    // Not before that, and not all clients at once.
    Duration spread = asked.plusMillis(random(0, asked.toMillis() / 10 + 1));
    return Optional.of(spread.compareTo(longest()) > 0 ? longest() : spread);
  }

  /** A random time that doubles with each attempt. */
  Duration backOff(int attempt) {
    long widest = Math.min(FIRST_WAIT_MS << Math.min(attempt - 1, 16), longest().toMillis());
    return Duration.ofMillis(random(widest / 2, widest));
  }

  private Duration longest() {
    return maxWait.compareTo(DAY) > 0 ? DAY : maxWait;
  }

  private static long random(long least, long most) {
    return ThreadLocalRandom.current().nextLong(least, most + 1);
  }

  /**
   * The header: seconds or a date (RFC 9110, section 10.2.3).
   *
   * @return a day at most; null if it says nothing
   */
  public static Duration retryAfter(String header) {
    return retryAfter(header, Instant.now());
  }

  static Duration retryAfter(String header, Instant now) {
    if (header == null || header.isBlank()) return null;
    Duration asked;
    try {
      BigDecimal seconds = new BigDecimal(header.strip()).min(BigDecimal.valueOf(DAY.toSeconds()));
      asked = Duration.ofMillis(seconds.movePointRight(3).max(BigDecimal.ZERO).longValue());
    } catch (NumberFormatException noNumber) {
      try {
        asked = Duration.between(now, ZonedDateTime.parse(header, DateTimeFormatter.RFC_1123_DATE_TIME));
      } catch (DateTimeException noDate) {
        return null;
      }
    }
    if (asked.isNegative() || asked.isZero()) return null;
    return asked.compareTo(DAY) > 0 ? DAY : asked;
  }
}
