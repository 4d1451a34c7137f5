package io.accessgateway.client;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.time.OffsetDateTime;

/** How a session ended. */
public record SessionEnd(
    String status,
    @JsonProperty("exit_code") Long exitCode,
    @JsonProperty("end_date") OffsetDateTime endDate) {}
