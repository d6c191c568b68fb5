package io.cascade.relay.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import io.cascade.api.HostPort;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class RunningPathsTest {
  private static final RouteCache.Choice CHAIN = new RouteCache.Choice(UUID.randomUUID(), null);
  private static final RouteCache.Choice DIRECTLY = RouteCache.Choice.DIRECTLY;

  private final RunningPaths paths = new RunningPaths();
  private final List<@Nullable PathKind> kept = new ArrayList<>();

  @Test
  void streamsOfAClientToAHostTakeThePathOfThoseThatRun() {
    enter("192.0.2.1", "a.example", CHAIN);
    enter("192.0.2.1", "a.example", DIRECTLY);
    enter("192.0.2.2", "a.example", DIRECTLY);
    enter("192.0.2.1", "b.example", DIRECTLY);

    assertThat(kept).containsExactly(null, PathKind.CHAIN, null, null);
  }

  @Test
  void oneThatEndedBindsNobody() {
    enter("192.0.2.1", "a.example", CHAIN).startedOrGone();
    enter("192.0.2.1", "a.example", DIRECTLY).startedOrGone();

    assertThat(kept).containsExactly(null, null);
    assertThat(paths.pairs()).isZero();
  }

  @Test
  void aChainThatDoesNotTakeTheOnlyStreamLeavesTheDirectPath() {
    enter("192.0.2.1", "a.example", CHAIN).goesDirectly();
    enter("192.0.2.1", "a.example", DIRECTLY);

    assertThat(kept).containsExactly(null, PathKind.DIRECT);
  }

  @Test
  void anotherPortOfTheHostTakesTheSamePath() {
    enter("192.0.2.1", "a.example", 443, CHAIN);
    enter("192.0.2.1", "A.Example", 8443, CHAIN);

    assertThat(kept).containsExactly(null, PathKind.CHAIN);
  }

  @Test
  void ftpGoesDirectlyWithItsDataConnectionsWhateverChainsThereAre() {
    RunningPaths.Place web = enter("192.0.2.1", "a.example", 443, CHAIN);
    RunningPaths.Place control = enter("192.0.2.1", "a.example", 21, CHAIN);
    RunningPaths.Place data = enter("192.0.2.1", "a.example", 40_001, CHAIN);

    assertThat(web.choice()).isEqualTo(CHAIN);
    assertThat(control.choice()).isEqualTo(DIRECTLY);
    assertThat(data.choice()).isEqualTo(DIRECTLY);
    assertThat(kept).as("nobody plans for a port that is used once").hasSize(1);
    assertThat(enter("192.0.2.2", "a.example", 40_002, CHAIN).choice()).isEqualTo(CHAIN);

    control.startedOrGone();
    data.startedOrGone();

    assertThat(enter("192.0.2.1", "a.example", 443, CHAIN).choice()).isEqualTo(CHAIN);
  }

  private RunningPaths.Place enter(String client, String host, RouteCache.Choice choice) {
    return enter(client, host, 443, choice);
  }

  private RunningPaths.Place enter(String client, String host, int port, RouteCache.Choice choice) {
    return paths.enter(
        InetAddress.ofLiteral(client),
        new HostPort(host, port),
        path -> {
          kept.add(path);
          return choice;
        });
  }
}
