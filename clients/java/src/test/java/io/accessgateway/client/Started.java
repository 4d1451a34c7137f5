package io.accessgateway.client;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.accessgateway.client.api.ConnectionsApi;
import io.accessgateway.client.api.SessionsApi;
import io.accessgateway.client.model.ConnectionBody;
import io.accessgateway.client.model.ExecBody;
import io.accessgateway.client.model.ExecView;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;

/** What the tests share: the gateway that npm run test:clients starts. */
final class Started {
  private static final AtomicInteger NUMBERS = new AtomicInteger();

  private Started() {}

  static String variable(String name) {
    String value = System.getenv(name);
    assumeTrue(value != null, name + " is not set; npm run test:clients starts a gateway");
    return value;
  }

  /** With short waits. */
  static Gateway.Builder at(String address) {
    return Gateway.at(address).apiKey(variable("GATEWAY_KEY")).retries(new Retries(4, Duration.ofSeconds(2)));
  }

  static Gateway gateway() {
    return at(variable("GATEWAY_API")).build();
  }

  static ExecView run(Gateway gateway, String script) {
    return gateway.api(SessionsApi::new).createSession(new ExecBody().connection("orders").script(script));
  }

  static ConnectionBody connection(String name) throws IOException {
    Map<String, String> secret =
        new ObjectMapper().readValue(variable("GATEWAY_TARGET"), new TypeReference<Map<String, String>>() {});
    return new ConnectionBody()
        .name(name)
        .type(ConnectionBody.TypeEnum.DATABASE)
        .subtype(ConnectionBody.SubtypeEnum.POSTGRES)
        .secret(secret)
        .accessGroups(List.of("*"));
  }

  static void delete(String... names) {
    ConnectionsApi connections = gateway().api(ConnectionsApi::new);
    for (String name : names) connections.deleteConnection(name, null);
  }

  /** The address of a gateway whose requests meet this fault first. */
  record Failing(String fault, String name) {
    static Failing of(String fault) {
      return new Failing(fault, "java-" + ProcessHandle.current().pid() + "-" + NUMBERS.incrementAndGet());
    }

    String address() {
      return variable("GATEWAY_FAULTS") + fault + "/" + name + "/api";
    }

    /** How many requests came. */
    int count() throws IOException, InterruptedException {
      HttpRequest request = HttpRequest.newBuilder(URI.create(variable("GATEWAY_FAULTS") + "/count/" + name)).build();
      return Integer.parseInt(HttpClient.newHttpClient().send(request, BodyHandlers.ofString()).body());
    }
  }
}
