package io.accessgateway.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.accessgateway.client.Started.Failing;
import io.accessgateway.client.api.AccessRequestsApi;
import io.accessgateway.client.api.AuthenticationApi;
import io.accessgateway.client.api.ConnectionsApi;
import io.accessgateway.client.api.GuardRailsApi;
import io.accessgateway.client.api.UserManagementApi;
import io.accessgateway.client.invoker.ApiClient;
import io.accessgateway.client.invoker.ApiException;
import io.accessgateway.client.model.AccessRuleBody;
import io.accessgateway.client.model.CheckedConnectionView;
import io.accessgateway.client.model.ConnectionPatchBody;
import io.accessgateway.client.model.GroupBody;
import io.accessgateway.client.model.SessionView;
import io.accessgateway.client.model.UserInfoView;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Signing in, errors, changes and retries. */
class CallsTest {
  private static ApiException refused(Runnable call) {
    return assertThrows(ApiException.class, call::run);
  }

  @Test
  void aKeyAndAPersonSignIn() {
    UserInfoView machine = Started.gateway().api(AuthenticationApi::new).getUserInfo();
    assertEquals(UserInfoView.IdentityTypeEnum.MACHINE, machine.getIdentityType());
    List<String> asked = new ArrayList<>();
    Gateway person = Started.at(Started.variable("GATEWAY_API")).tokens(refused -> {
      asked.add(String.valueOf(refused));
      return Started.variable("GATEWAY_TOKEN");
    }).build();
    assertEquals(UserInfoView.IdentityTypeEnum.USER, person.api(AuthenticationApi::new).getUserInfo().getIdentityType());
    assertEquals(List.of("null"), asked);
    Gateway stranger = Started.at(Started.variable("GATEWAY_API")).apiKey("gwk_wrong").build();
    assertEquals(401, refused(() -> stranger.api(AuthenticationApi::new).getUserInfo()).getCode());
  }

  @ParameterizedTest
  @ValueSource(strings = {"gwk_secret\nline", "gwk_sec ret", "gwk_secret…", ""})
  void aTokenThatCannotBeSentIsNotShown(String wrong) {
    Gateway gateway = Started.at(Started.variable("GATEWAY_API")).apiKey(wrong).build();
    Throwable thrown = assertThrows(RuntimeException.class, () -> gateway.api(AuthenticationApi::new).getUserInfo());
    for (Throwable one = thrown; one != null; one = one.getCause()) {
      assertTrue(one.getMessage() == null || !one.getMessage().contains("gwk_sec"), one.getMessage());
    }
  }

  @Test
  void aTokenThatIsRefusedIsReplacedOnce() {
    List<String> asked = new ArrayList<>();
    Gateway renewing = Started.at(Started.variable("GATEWAY_API")).tokens(refused -> {
      asked.add(String.valueOf(refused));
      return refused == null ? "gwk_old" : Started.variable("GATEWAY_KEY");
    }).build();
    assertEquals("é\nü\n", Started.run(renewing, "SELECT 'ü' AS é").getOutput());
    assertEquals(List.of("null", "gwk_old"), asked);
  }

  @Test
  void withoutATokenNothingIsSent() throws Exception {
    Failing failing = Failing.of("/status/429/1/0");
    Gateway offline = Started.at(failing.address()).tokens(refused -> {
      throw new IllegalStateException("the provider cannot be reached");
    }).build();
    assertThrows(IllegalStateException.class, () -> offline.api(AuthenticationApi::new).getUserInfo());
    assertEquals(0, failing.count());
  }

  @Test
  void errorsAreSentences() throws Exception {
    Gateway gateway = Started.gateway();
    UUID unknown = UUID.fromString("00000000-0000-4000-8000-000000000000");
    ApiException missing = refused(() -> gateway.api(GuardRailsApi::new).getGuardRail(unknown));
    assertEquals("404 there is no guardrail with this id", missing.getCode() + " " + missing.getMessage());
    assertNotNull(missing.getRequestId());
    ConnectionsApi connections = gateway.api(ConnectionsApi::new);
    var body = Started.connection("java-twice");
    connections.createConnection(body);
    try {
      ApiException twice = refused(() -> connections.createConnection(body));
      assertEquals("409 a connection named java-twice already exists", twice.getCode() + " " + twice.getMessage());
      AccessRuleBody rule = new AccessRuleBody().name("java-rule").accessType(AccessRuleBody.AccessTypeEnum.JIT)
          .connectionNames(List.of("java-twice"));
      ApiException faulty = refused(() -> gateway.api(AccessRequestsApi::new).createAccessRequestRule(rule));
      assertEquals(422, faulty.getCode());
      assertTrue(faulty.getMessage().contains("reviewers_groups must name at least one group"), faulty.getMessage());
    } finally {
      Started.delete("java-twice");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"gateway.example.com/api", "ftp://gateway.example.com", "https://me:word@gateway.example.com", "https://x/api?y=1"})
  void otherAddressesAreRefused(String address) {
    assertThrows(IllegalArgumentException.class, () -> Gateway.at(address));
  }

  @Test
  void changesKeepWhatTheyDoNotName() throws Exception {
    ConnectionsApi connections = Started.gateway().api(ConnectionsApi::new);
    String made = Gateway.etag(connections.createConnectionWithHttpInfo(Started.connection("java-changes")));
    try {
      var kept = connections.patchConnectionWithHttpInfo(
          "java-changes", new ConnectionPatchBody().retentionDays(30).description("kept"), made);
      assertEquals(30, kept.getData().getRetentionDays());
      ConnectionPatchBody lost = new ConnectionPatchBody().description("lost");
      assertEquals(412, refused(() -> connections.patchConnection("java-changes", lost, made)).getCode());
      CheckedConnectionView cleared = connections.patchConnection(
          "java-changes", new ConnectionPatchBody().retentionDays(null).accessGroups(List.of()), Gateway.etag(kept));
      assertNull(cleared.getRetentionDays());
      assertEquals(List.of(), cleared.getAccessGroups());
      assertEquals("kept", cleared.getDescription());

      Runnable append = () -> Gateway.change(
          () -> connections.getConnectionWithHttpInfo("java-changes"),
          read -> connections.patchConnection("java-changes",
              new ConnectionPatchBody().description(read.getData().getDescription() + "x"), Gateway.etag(read)));
      List<Thread> threads = IntStream.range(0, 3).mapToObj(number -> new Thread(append)).toList();
      threads.forEach(Thread::start);
      for (Thread thread : threads) thread.join();
      assertEquals("keptxxx", connections.getConnection("java-changes").getDescription());
    } finally {
      Started.delete("java-changes");
    }
  }

  /** Outcome 0: success; -1: no answer. */
  @ParameterizedTest
  @CsvSource({
    "/status/429/1/2, read, 0, 3",
    "/status/429/date/1, read, 0, 2",
    "/status/503/none/1, read, 0, 2",
    "/status/503/none/9, read, 503, 4",
    "/status/429/3600/1, read, 429, 1",
    "/status/429/99999999999999999999/1, read, 429, 1",
    "/status/502/none/1, read, 502, 1",
    "/status/503/none/1, remove, 404, 2",
    "/status/429/1/1, write, 429, 1",
    "/status/503/none/1, write, 503, 1",
    "/drop/2, read, 0, 3",
    "/drop/1, remove, 404, 2",
    "/drop/1, write, -1, 1",
  })
  void retries(String fault, String call, int outcome, int requests) throws Exception {
    Failing failing = Failing.of(fault);
    Gateway gateway = Started.at(failing.address()).build();
    Consumer<Gateway> calls = switch (call) {
      case "read" -> it -> it.api(AuthenticationApi::new).getUserInfo();
      case "remove" -> it -> it.api(UserManagementApi::new).deleteGroup("java-none", null);
      default -> it -> it.api(UserManagementApi::new).createGroup(new GroupBody().name("java-group"));
    };
    if (outcome == 0) calls.accept(gateway);
    else assertEquals(Math.max(0, outcome), refused(() -> calls.accept(gateway)).getCode());
    assertEquals(requests, failing.count());
  }

  @Test
  void anErrorSaysHowLongToWaitAndIsNoHtml() {
    Gateway later = Started.at(Failing.of("/status/429/99999999999999999999/1").address()).build();
    assertEquals(Duration.ofDays(1), refused(() -> later.api(AuthenticationApi::new).getUserInfo()).getRetryAfter());
    Gateway broken = Started.at(Failing.of("/status/502/none/1").address()).build();
    String message = refused(() -> broken.api(AuthenticationApi::new).getUserInfo()).getMessage();
    assertTrue(message.contains("502") && !message.contains("<"), message);
  }

  @Test
  void retryAfter() {
    Instant now = Instant.parse("2026-11-24T12:00:00Z");
    assertNull(Retries.retryAfter(null, now));
    for (String nothing : List.of("", "soon", "0", "-3", "NaN", "Tue, 24 Nov 2026 11:00:00 GMT")) {
      assertNull(Retries.retryAfter(nothing, now), nothing);
    }
    assertEquals(Duration.ofMillis(1500), Retries.retryAfter("1.5", now));
    assertEquals(Duration.ofSeconds(10), Retries.retryAfter("Tue, 24 Nov 2026 12:00:10 GMT", now));
    for (String day : List.of("86401", "1e400", "99999999999999999999", "Tue, 24 Nov 2099 12:00:00 GMT")) {
      assertEquals(Retries.DAY, Retries.retryAfter(day, now), day);
    }
    for (int attempt = 1; attempt < 100; attempt++) {
      Duration wait = new Retries(9, Duration.ofSeconds(10)).backOff(attempt);
      assertTrue(wait.toMillis() > 0 && wait.compareTo(Duration.ofSeconds(10)) <= 0, wait.toString());
    }
  }

  @Test
  void answersMayGrow() throws Exception {
    SessionView session = ApiClient.createDefaultObjectMapper().readValue(
        "{\"status\":\"paused\",\"exit_code\":null,\"moods\":[1]}", SessionView.class);
    assertEquals(SessionView.StatusEnum.UNKNOWN_DEFAULT_OPEN_API, session.getStatus());
    assertNull(session.getExitCode());
  }
}
