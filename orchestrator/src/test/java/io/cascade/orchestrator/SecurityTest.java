package io.cascade.orchestrator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cascade.api.orchestrator.ChainState;
import io.cascade.command.CommandException;
import java.io.IOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@NullUnmarked
class SecurityTest {
  private static final String TOKEN = "a-secret-of-some-length";

  @Test
  void withoutTheTokenNobodyGetsAnything(@TempDir Path state) {
    try (Rig rig = Rig.start(state, settings -> settings.withToken(TOKEN))) {
      for (String header : List.of("", "Bearer wrong", "Basic " + TOKEN, TOKEN)) {
        for (String path :
            List.of(
                "/api/v1/relays",
                "/api/v1/events",
                "/api/v1/chains/" + UUID.randomUUID(),
                "/nothing")) {
          Rig.Response answer = rig.call("GET", path, null, "Authorization", header);
          assertThat(answer.status()).isEqualTo(401);
          assertThat(answer.type()).isEqualTo("application/problem+json");
          assertThat(answer.problem().type()).isEqualTo("urn:cascade:problem:unauthorized");
          assertThat(answer.response().headers().firstValue("WWW-Authenticate"))
              .hasValueSatisfying(value -> assertThat(value).startsWith("Bearer"));
          assertThat(answer.body()).doesNotContain(TOKEN);
        }
      }
    }
  }

  @Test
  void withTheTokenAllWorksAndRelaysAreAskedWithItToo(@TempDir Path state) {
    try (Rig rig = Rig.start(state, settings -> settings.withToken(TOKEN))) {
      rig.live("r1");

      assertThat(rig.openVia("r1").state()).isEqualTo(ChainState.READY);
      assertThat(rig.call("GET", "/openapi.yaml", null).status()).isEqualTo(200);
      assertThat(rig.call("GET", "/api/v1/health", null, "Authorization", "x").status())
          .isEqualTo(200);
      assertThat(rig.call("GET", "/openapi.yaml", null, "Authorization", "x").status())
          .isEqualTo(200);
    }
  }

  @Test
  void withoutATokenOnlyLoopbackIsServed(@TempDir Path state) {
    for (String host : List.of("0.0.0.0", "::", "192.0.2.1")) {
      Settings open =
          new Settings(
              host,
              0,
              state,
              null,
              null,
              null,
              Rig.HEARTBEAT,
              0,
              Settings.DEFAULT_FORGET_LOST_AFTER,
              java.time.Clock.systemUTC(),
              System::nanoTime);
      assertThatThrownBy(() -> Orchestrator.start(open))
          .isInstanceOf(CommandException.class)
          .hasMessageContaining("--token")
          .hasMessageContaining("127.0.0.1");
    }
  }

  @Test
  void withATokenEveryAddressMayBeServed(@TempDir Path state) {
    Settings open =
        new Settings(
            "0.0.0.0",
            0,
            state,
            null,
            TOKEN,
            null,
            Rig.HEARTBEAT,
            0,
            Settings.DEFAULT_FORGET_LOST_AFTER,
            java.time.Clock.systemUTC(),
            System::nanoTime);
    try (Orchestrator orchestrator = Orchestrator.start(open)) {
      assertThat(orchestrator.address().getHost()).isEqualTo("127.0.0.1");
    }
  }

  @Test
  void aPageThatLedTheBrowserHereUnderItsOwnNameGetsNothing(@TempDir Path state)
      throws IOException {
    try (Rig rig = Rig.start(state);
        Socket socket = new Socket("127.0.0.1", rig.address().getPort())) {
      socket
          .getOutputStream()
          .write(
              "GET /api/v1/relays HTTP/1.1\r\nHost: evil.example\r\nConnection: close\r\n\r\n"
                  .getBytes(StandardCharsets.US_ASCII));
      String answer = new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      assertThat(answer).startsWith("HTTP/1.1 421").contains("urn:cascade:problem:foreign-host");
    }
  }

  @Test
  void secretsAreInNoText(@TempDir Path state) {
    assertThat(Settings.local(state).withToken(TOKEN).toString()).doesNotContain(TOKEN);
    assertThat(new io.cascade.orchestrator.security.Access(TOKEN).toString()).doesNotContain(TOKEN);
  }
}
