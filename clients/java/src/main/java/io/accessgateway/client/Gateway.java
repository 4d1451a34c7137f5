package io.accessgateway.client;

import io.accessgateway.client.api.SessionsApi;
import io.accessgateway.client.api.SessionsApi.APIListSessionsRequest;
import io.accessgateway.client.invoker.ApiClient;
import io.accessgateway.client.invoker.ApiException;
import io.accessgateway.client.invoker.ApiResponse;
import io.accessgateway.client.model.SessionView;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * A gateway at that address. It may be used by several threads at once.
 *
 * <pre>{@code
 * Gateway gateway = Gateway.at("https://gateway.example.com/api").apiKey(key).build();
 * ConnectionsApi connections = gateway.api(ConnectionsApi::new);
 * }</pre>
 */
public final class Gateway {
  /** Of this client, and of the API description that it was made from. */
  public static final String VERSION = "0.1.0";

  /** How often {@link #change} reads again when others change the same resource meanwhile. */
  private static final int CHANGES_LOST = 5;

  final HttpClient http;
  final Retries retries;
  private final String address;

  private Gateway(Builder builder) {
    address = builder.address;
    retries = builder.retries;
    http = new SigningHttpClient(builder.http, builder.tokens, retries);
  }

  /** @param address that of the API, such as https://gateway.example.com/api */
  public static Builder at(String address) {
    return new Builder(address);
  }

  /** The operations of one class, such as {@code gateway.api(ConnectionsApi::new)}. */
  public <A> A api(Function<ApiClient, A> constructor) {
    return constructor.apply(
        new ApiClient(HttpClient.newBuilder(), ApiClient.createDefaultObjectMapper(), address) {
          @Override
          public HttpClient getHttpClient() {
            return http;
          }
        });
  }

  /**
   * Reads a resource and writes it back changed, and begins again if somebody else changed it in between. The second
   * function has to send {@code ifMatch} with {@link #etag}. After five times the error, 412, is thrown.
   */
  public static <R, W> W change(Supplier<ApiResponse<R>> read, Function<ApiResponse<R>, W> write) {
    for (int attempt = 1; ; attempt++) {
      ApiResponse<R> was = read.get();
      try {
        return write.apply(was);
      } catch (ApiException error) {
        if (error.getCode() != 412 || attempt == CHANGES_LOST) throw error;
      }
    }
  }

  /** The version of the resource, for {@code ifMatch}; empty if it has none. */
  public static String etag(ApiResponse<?> answer) {
    return answer.getHeaders().getOrDefault("etag", List.of("")).get(0);
  }

  /**
   * The sessions that match, newest first, however many there are. Those that begin meanwhile are not among them. {@code
   * limit}, {@code offset} and {@code count} of the filters have no effect.
   */
  public Iterable<SessionView> allSessions(Consumer<APIListSessionsRequest.Builder> filters) {
    return SessionWalk.over(api(SessionsApi::new), filters, SessionWalk.ON_PAGE, SessionWalk.LARGEST_OFFSET);
  }

  /** What was recorded of a session until now. {@link #follow} needs less memory. */
  public List<Event> recording(UUID sessionId) {
    SessionsApi.APIGetSessionRequest expanded =
        SessionsApi.APIGetSessionRequest.newBuilder().sessionId(sessionId).expand(List.of("event_stream")).build();
    return api(SessionsApi::new).getSession(expanded).getEventStream().stream().map(Event::of).toList();
  }

  /**
   * Follows the recording of a session: from its start, or after the event with the id that {@link
   * EventStream#lastEventId()} of an earlier stream had; null: from the start.
   */
  public EventStream follow(UUID sessionId, String lastEventId) {
    return new EventStream(this, sessionId, lastEventId);
  }

  /**
   * Reads the recording of a session as a file: csv, json, cast, evidence, or any other extension for the plain content.
   * The caller reads and closes the body.
   */
  public HttpResponse<InputStream> download(UUID sessionId, String extension) {
    return open("/sessions/" + sessionId + "?extension=" + URLEncoder.encode(extension, StandardCharsets.UTF_8), null);
  }

  /** A successful answer to a GET. */
  HttpResponse<InputStream> open(String path, String lastEventId) {
    HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(address + path));
    if (lastEventId != null) request.header("Last-Event-ID", lastEventId);
    try {
      HttpResponse<InputStream> answer = http.send(request.build(), BodyHandlers.ofInputStream());
      if (answer.statusCode() / 100 == 2) return answer;
      try (InputStream body = answer.body()) {
        String said = new String(body.readAllBytes(), StandardCharsets.UTF_8);
        throw new ApiException(answer.statusCode(), "failed with: " + answer.statusCode(), answer.headers(), said);
      }
    } catch (IOException error) {
      throw new ApiException(error);
    } catch (InterruptedException error) {
      Thread.currentThread().interrupt();
      throw new ApiException(error);
    }
  }

  /** What a gateway is made of. */
  public static final class Builder {
    private final String address;
    private TokenProvider tokens;
    private Retries retries = Retries.DEFAULT;
    // A request to upgrade to HTTP/2 would go with the first one.
    private HttpClient http = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

    private Builder(String address) {
      URI uri = URI.create(address);
      if (uri.getHost() == null || !List.of("http", "https").contains(uri.getScheme())) {
        throw new IllegalArgumentException("the address of the API must begin with https:// or http://");
      }
      if (uri.getUserInfo() != null || uri.getQuery() != null || uri.getFragment() != null) {
        throw new IllegalArgumentException("the address of the API must not have a user, a query or a fragment");
      }
      this.address = address.replaceAll("/+$", "");
    }

    /** Signs in as a machine. */
    public Builder apiKey(String key) {
      Objects.requireNonNull(key, "the API key");
      return tokens(refused -> key);
    }

    /** Signs in with the tokens that it gives. Without a credential, the public routes are reached only. */
    public Builder tokens(TokenProvider provider) {
      tokens = provider;
      return this;
    }

    public Builder retries(Retries retries) {
      this.retries = retries;
      return this;
    }

    /** For proxies, certificates and time limits. It must not follow redirects: the credential would go with them. */
    public Builder http(HttpClient http) {
      if (http.followRedirects() != HttpClient.Redirect.NEVER) {
        throw new IllegalArgumentException("the HTTP client must not follow redirects");
      }
      this.http = http;
      return this;
    }

    public Gateway build() {
      return new Gateway(this);
    }
  }
}
