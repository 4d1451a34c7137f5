package io.accessgateway.client;

/**
 * Gives the token of a request: an access token of the identity provider, or an API key. It is asked before each
 * attempt, by several threads at once, and keeps the token as long as it is good.
 */
@FunctionalInterface
public interface TokenProvider {
  /**
   * @param refused null; or, after a 401, the token that the gateway refused: another one is tried once, for the request
   *     was not carried out
   */
  String token(String refused);
}
