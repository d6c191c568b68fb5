package io.cascade.testbed.experiment;

import io.cascade.api.Json;
import io.cascade.testbed.lab.Site;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.HttpURLConnection;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Calls a REST interface from inside a site. The project's own clients share threads that are in
 * nobody's network, so they cannot be used here: this one opens its connection on the thread that
 * asks, and closes it with the answer, since other labs use the same addresses.
 */
final class SiteHttp {
  private final Site site;
  private final URI server;
  private final String token;

  SiteHttp(Site site, URI server, String token) {
    this.site = site;
    this.server = server;
    this.token = token;
  }

  /** A call that answers with a document. */
  <T> T call(String method, String path, @Nullable Object body, Class<T> answer, Duration patience)
      throws Exception {
    return Json.lenient()
        .readValue(site.call(() -> exchange(method, path, body, patience)), answer);
  }

  private String exchange(String method, String path, @Nullable Object body, Duration patience)
      throws IOException {
    HttpURLConnection connection =
        (HttpURLConnection) server.resolve(path).toURL().openConnection();
    try {
      connection.setRequestMethod(method);
      connection.setRequestProperty("Connection", "close");
      connection.setRequestProperty("Authorization", "Bearer " + token);
      connection.setConnectTimeout((int) patience.toMillis());
      connection.setReadTimeout((int) patience.toMillis());
      if (body != null) {
        connection.setDoOutput(true);
        connection.setRequestProperty("Content-Type", "application/json");
        try (OutputStream out = connection.getOutputStream()) {
          out.write(Json.lenient().writeValueAsBytes(body));
        }
      }
      int status = connection.getResponseCode();
      InputStream stream =
          status >= 400 ? connection.getErrorStream() : connection.getInputStream();
      String text = stream == null ? "" : new String(stream.readAllBytes(), StandardCharsets.UTF_8);
      if (status >= 400) {
        throw new IOException(method + " " + path + " answered " + status + ": " + text);
      }
      return text;
    } finally {
      connection.disconnect();
    }
  }
}
