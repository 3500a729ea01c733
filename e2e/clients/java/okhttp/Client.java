package mxrest.e2e;

import mxrest.client.ApiClient;
import mxrest.client.model.Problem;

/** The okhttp library: errors arrive as text, which the model parses. */
final class Client {
  static final boolean SENDS_OCTETS = true;

  static ApiClient connect(String url, String key) {
    return new ApiClient().setBasePath(url).addDefaultHeader("Authorization", "Bearer " + key);
  }

  static Problem problem(String body) throws Exception {
    return Problem.fromJson(body);
  }
}
