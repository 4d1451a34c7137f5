import org.openapitools.client.ApiClient;
import org.openapitools.client.JSON;
import org.openapitools.client.model.ErrorBody;

class Library {
  static ApiClient client(String api, String token) {
    ApiClient client = new ApiClient().setBasePath(api);
    client.setBearerToken(token);
    return client;
  }

  static String json(Object value) {
    return new com.google.gson.GsonBuilder().serializeNulls().create().toJson(value);
  }

  static ErrorBody error(String body) {
    return JSON.getGson().fromJson(body, ErrorBody.class);
  }
}
