package io.accessgateway.client;

import java.io.Closeable;
import java.io.IOException;
import java.net.Authenticator;
import java.net.CookieHandler;
import java.net.ProxySelector;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandler;
import java.net.http.HttpResponse.PushPromiseHandler;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.regex.Pattern;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;

/** Puts the token on requests, and sends them again where that is safe. Generated code sends through it. */
final class SigningHttpClient extends HttpClient {
  /** Printable characters without spaces. */
  private static final Pattern TOKEN = Pattern.compile("[\\x21-\\x7e]+");

  private final HttpClient http;
  private final TokenProvider tokens;
  private final Retries retries;

  SigningHttpClient(HttpClient http, TokenProvider tokens, Retries retries) {
    this.http = http;
    this.tokens = tokens;
    this.retries = retries;
  }

  @Override
  public <T> HttpResponse<T> send(HttpRequest request, BodyHandler<T> handler) throws IOException, InterruptedException {
    for (int attempt = 1; ; attempt++) {
      HttpResponse<T> answer = null;
      IOException fault = null;
      try {
        answer = sendSignedIn(request, handler);
      } catch (IOException failed) {
        fault = failed;
      }
      Optional<Duration> wait = retries.after(attempt, request.method(), answer);
      if (wait.isEmpty()) {
        if (fault != null) throw fault;
        return answer;
      }
      close(answer);
      Thread.sleep(wait.get().toMillis());
    }
  }

  private <T> HttpResponse<T> sendSignedIn(HttpRequest request, BodyHandler<T> handler)
      throws IOException, InterruptedException {
    if (tokens == null) return http.send(with(request, null), handler);
    String token = tokens.token(null);
    HttpResponse<T> answer = http.send(with(request, token), handler);
    if (answer.statusCode() != 401) return answer;
    String other = tokens.token(token);
    if (other == null || other.equals(token)) return answer;
    close(answer);
    return http.send(with(request, other), handler);
  }

  private static HttpRequest with(HttpRequest request, String token) {
    HttpRequest.Builder builder = HttpRequest.newBuilder(request, (name, value) -> true);
    builder.setHeader("User-Agent", "access-gateway-java/" + Gateway.VERSION);
    if (token != null) {
      // What the platform says of a header that cannot be sent shows the whole of it.
      if (!TOKEN.matcher(token).matches()) throw new IllegalArgumentException("the credential is no token: it has spaces, line breaks or other such characters");
      builder.setHeader("Authorization", "Bearer " + token);
    }
    return builder.build();
  }

  private static void close(HttpResponse<?> answer) throws IOException {
    if (answer != null && answer.body() instanceof Closeable body) body.close();
  }

  /** Generated code does not use it. */
  @Override
  public <T> CompletableFuture<HttpResponse<T>> sendAsync(HttpRequest request, BodyHandler<T> handler) {
    throw new UnsupportedOperationException();
  }

  @Override
  public <T> CompletableFuture<HttpResponse<T>> sendAsync(
      HttpRequest request, BodyHandler<T> handler, PushPromiseHandler<T> pushed) {
    throw new UnsupportedOperationException();
  }

  @Override
  public Optional<CookieHandler> cookieHandler() {
    return http.cookieHandler();
  }

  @Override
  public Optional<Duration> connectTimeout() {
    return http.connectTimeout();
  }

  @Override
  public Redirect followRedirects() {
    return http.followRedirects();
  }

  @Override
  public Optional<ProxySelector> proxy() {
    return http.proxy();
  }

  @Override
  public SSLContext sslContext() {
    return http.sslContext();
  }

  @Override
  public SSLParameters sslParameters() {
    return http.sslParameters();
  }

  @Override
  public Optional<Authenticator> authenticator() {
    return http.authenticator();
  }

  @Override
  public Version version() {
    return http.version();
  }

  @Override
  public Optional<Executor> executor() {
    return http.executor();
  }
}
