package mxrest.e2e;

import mxrest.client.ApiClient;
import mxrest.client.model.Problem;

/** The native library (java.net.http). It sends an octet-stream request as the JSON of the file's path: use decodeText. */
final class Client {
  static final boolean SENDS_OCTETS = false;

  static ApiClient connect(String url, String key) {
    ApiClient client = new ApiClient();
    client.updateBaseUri(url);
    return client.setRequestInterceptor(request -> request.header("Authorization", "Bearer " + key));
  }

  static Problem problem(String body) throws Exception {
    return ApiClient.createDefaultObjectMapper().readValue(body, Problem.class);
  }
}
