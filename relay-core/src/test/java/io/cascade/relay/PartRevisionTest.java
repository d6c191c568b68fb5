package io.cascade.relay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cascade.api.client.ProblemException;
import io.cascade.api.relay.ChainPart;
import io.cascade.api.relay.Egress;
import io.cascade.api.relay.Ingress;
import io.cascade.api.relay.InstalledPart;
import io.cascade.carriage.transport.Transport;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Objects;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What was sent first and comes last does not undo what was sent later. */
@Timeout(60)
class PartRevisionTest {
  private final UUID chain = UUID.randomUUID();
  private RelayNode relay;
  private ServerSocket older;
  private ServerSocket newer;

  @SuppressWarnings("NullAway.Init")
  PartRevisionTest() {}

  @BeforeEach
  void start() throws IOException {
    relay = TestRelay.on(Transport.best()).start("r");
    older = new ServerSocket(0, 50, InetAddress.getByName("127.0.0.1"));
    newer = new ServerSocket(0, 50, InetAddress.getByName("127.0.0.1"));
  }

  @AfterEach
  void stop() throws IOException {
    relay.close();
    older.close();
    newer.close();
  }

  @Test
  void aPartOfAnEarlierRevisionIsRefusedByBothNumbersAndChangesNothing() throws IOException {
    InstalledPart installed = put(newer, 5L);

    assertThatThrownBy(() -> put(older, 4L))
        .isInstanceOfSatisfying(
            ProblemException.class,
            problem -> {
              assertThat(problem.status()).isEqualTo(409);
              assertThat(problem.type()).isEqualTo("urn:cascade:problem:stale-revision");
              assertThat(problem.getMessage()).contains("4").contains("5");
            });

    assertStreamsGoTo(newer, installed);
  }

  @Test
  void onePartThatSaysNoRevisionComesBeforeAllThatDo() {
    put(newer, 1L);

    assertThatThrownBy(() -> put(older, null)).isInstanceOf(ProblemException.class);
  }

  @Test
  void theSameRevisionAgainIsARenewal() throws IOException {
    InstalledPart installed = put(newer, 5L);

    assertThat(put(newer, 5L).renewed()).isTrue();

    assertStreamsGoTo(newer, installed);
  }

  @Test
  void aLaterRevisionTakesThePlaceOfAnEarlierOne() throws IOException {
    InstalledPart installed = put(older, 4L);

    assertThat(put(newer, 5L).renewed()).isFalse();

    assertStreamsGoTo(newer, installed);
    assertThatThrownBy(() -> put(older, 4L)).isInstanceOf(ProblemException.class);
  }

  @Test
  void thePartThatIsHereUnderALaterRevisionIsRenewedAndCountsAsTheLaterOne() throws IOException {
    InstalledPart installed = put(newer, 4L);
    try (Socket client = dial(installed);
        Socket server = newer.accept()) {
      assertThat(put(newer, 6L).renewed()).isTrue();
      client.getOutputStream().write(1);
      assertThat(server.getInputStream().read()).isEqualTo(1);
    }

    assertThatThrownBy(() -> put(older, 5L)).isInstanceOf(ProblemException.class);
    assertStreamsGoTo(newer, installed);
  }

  @Test
  void whereThePartIsGoneWhileItsStreamsRunAnEarlierRevisionIsStillRefused() throws IOException {
    InstalledPart installed = put(newer, 5L);
    try (Socket client = dial(installed);
        Socket server = newer.accept()) {
      client.getOutputStream().write(1);
      assertThat(server.getInputStream().read()).isEqualTo(1);
      TestChain.control(relay).remove(chain, false, TestChain.PATIENCE);

      assertThatThrownBy(() -> put(older, 4L)).isInstanceOf(ProblemException.class);
    }
  }

  private InstalledPart put(ServerSocket destination, @Nullable Long revision) {
    ChainPart part =
        TestParts.of(
            0,
            60,
            Ingress.builder().port(0).build(),
            null,
            null,
            Egress.builder().host("127.0.0.1").port(destination.getLocalPort()).build(),
            null,
            revision);
    return TestChain.control(relay).install(chain, part, TestChain.PATIENCE);
  }

  private static void assertStreamsGoTo(ServerSocket destination, InstalledPart installed)
      throws IOException {
    destination.setSoTimeout((int) TestChain.PATIENCE.toMillis());
    try (Socket client = dial(installed);
        Socket server = destination.accept()) {
      client.getOutputStream().write(7);
      assertThat(server.getInputStream().read()).isEqualTo(7);
    }
  }

  private static Socket dial(InstalledPart installed) throws IOException {
    return new Socket("127.0.0.1", Objects.requireNonNull(installed.ingressPort()));
  }
}
