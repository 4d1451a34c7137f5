import org.openapitools.client.ApiClient;
import org.openapitools.client.model.ErrorBody;

class Library {
  static ApiClient client(String api, String token) {
    ApiClient client = new ApiClient();
    client.updateBaseUri(api);
    return client.setRequestInterceptor(request -> request.header("Authorization", "Bearer " + token));
  }

  static String json(Object value) throws Exception {
    return new com.fasterxml.jackson.databind.ObjectMapper().writeValueAsString(value);
  }

  static ErrorBody error(String body) throws Exception {
    return ApiClient.createDefaultObjectMapper().readValue(body, ErrorBody.class);
  }
}
