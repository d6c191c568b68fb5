package io.cascade.orchestrator.web;

import static org.assertj.core.api.Assertions.assertThat;

import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.net.InetAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import org.apache.catalina.Context;
import org.apache.catalina.Globals;
import org.apache.catalina.connector.Connector;
import org.apache.catalina.startup.Tomcat;
import org.apache.tomcat.util.descriptor.web.FilterDef;
import org.apache.tomcat.util.descriptor.web.FilterMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(30)
class ClosingFilterTest {
  private final Tomcat tomcat = new Tomcat();
  private final ClosingFilter filter = new ClosingFilter();

  @BeforeEach
  void start(@TempDir Path folder) throws Exception {
    tomcat.setBaseDir(folder.toString());
    // Otherwise the folder of the process's first Tomcat is made anew, which was deleted since.
    System.setProperty(Globals.CATALINA_HOME_PROP, folder.toString());
    Connector connector = new Connector();
    connector.setProperty("address", InetAddress.getLoopbackAddress().getHostAddress());
    connector.setPort(0);
    tomcat.setConnector(connector);
    Context context = tomcat.addContext("", folder.toString());
    FilterDef closing = new FilterDef();
    closing.setFilterName("closing");
    closing.setFilter(filter);
    context.addFilterDef(closing);
    FilterMap everything = new FilterMap();
    everything.setFilterName("closing");
    everything.addURLPattern("/*");
    context.addFilterMap(everything);
    Tomcat.addServlet(context, "answers", new Answers());
    context.addServletMapping("/", "answers");
    tomcat.start();
  }

  @AfterEach
  void stop() throws Exception {
    tomcat.stop();
    tomcat.destroy();
  }

  @Test
  void anErrorIsPassedOnWhileTheOrchestratorServes() throws Exception {
    assertThat(get("/refused").statusCode()).isEqualTo(400);
    assertThat(get("/failed").statusCode()).isEqualTo(500);
  }

  @Test
  void aRefusalWhileItClosesSaysSo() throws Exception {
    filter.close();
    assertSaysThatItCloses(get("/refused"));
  }

  @Test
  void aFailureWhileItClosesSaysSo() throws Exception {
    filter.close();
    assertSaysThatItCloses(get("/failed"));
  }

  @Test
  void anAnswerWhileItClosesIsPassedOn() throws Exception {
    filter.close();
    HttpResponse<String> answer = get("/relays");
    assertThat(answer.statusCode()).isEqualTo(200);
    assertThat(answer.body()).isEqualTo("all relays");
  }

  @Test
  void whatHasBegunToLeaveIsNotTouched() throws Exception {
    filter.close();
    assertThat(get("/committed").statusCode()).isEqualTo(404);
  }

  private HttpResponse<String> get(String path) throws Exception {
    try (HttpClient client = HttpClient.newHttpClient()) {
      String server = "http://127.0.0.1:" + tomcat.getConnector().getLocalPort();
      return client.send(
          HttpRequest.newBuilder(URI.create(server + path)).build(),
          HttpResponse.BodyHandlers.ofString());
    }
  }

  private static void assertSaysThatItCloses(HttpResponse<String> answer) {
    assertThat(answer.statusCode()).isEqualTo(503);
    assertThat(answer.headers().firstValue("Content-Type").orElseThrow())
        .startsWith("application/problem+json");
    assertThat(answer.body()).contains("urn:cascade:problem:closing").doesNotContain("not valid");
  }

  private static final class Answers extends HttpServlet {
    @Override
    protected void service(HttpServletRequest request, HttpServletResponse response)
        throws IOException {
      switch (request.getRequestURI()) {
        case "/refused" -> {
          response.setStatus(400);
          response.getOutputStream().print("The request is not valid");
        }
        case "/failed" -> throw new IOException("closed");
        case "/committed" -> {
          response.setStatus(404);
          response.flushBuffer();
        }
        default -> response.getOutputStream().print("all relays");
      }
    }
  }
}
