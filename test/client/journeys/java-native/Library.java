import org.openapitools.client.ApiClient;

class Library {
  static ApiClient client(String api, String token) {
    ApiClient client = new ApiClient();
    client.updateBaseUri(api);
    return client.setRequestInterceptor(request -> request.header("Authorization", "Bearer " + token));
  }

  static String json(Object value) throws Exception {
    return new com.fasterxml.jackson.databind.ObjectMapper().writeValueAsString(value);
  }
}
