package io.cascade.orchestrator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.cascade.api.client.ProblemException;
import io.cascade.api.orchestrator.Chain;
import io.cascade.api.orchestrator.ChainState;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A disk that is full for a while under a running orchestrator: a small file system of its own. */
@NullUnmarked
@Timeout(120)
@Tag("slow")
class FullDiskTest {
  private static final String HEALTH = "/api/v1/health";

  @TempDir private Path disk;
  private boolean mounted;
  private Rig rig;

  @BeforeEach
  void start() throws Exception {
    mounted = run("mount", "-t", "tmpfs", "-o", "size=4m", "tmpfs", disk.toString());
    if (!mounted) {
      System.out.println("SKIPPED: only root may mount a file system to fill");
    }
    assumeTrue(mounted, "only root may mount a file system to fill");
    rig = Rig.start(disk.resolve("state"));
  }

  @AfterEach
  void stop() throws Exception {
    if (rig != null) {
      rig.close();
    }
    if (mounted) {
      assertThat(run("umount", disk.toString())).isTrue();
    }
  }

  @Test
  void whatNeedsTheDatabaseWorksAgainOnceThereIsSpace() throws IOException {
    FakeRelay r1 = rig.live("r1");
    Chain chain = rig.client().open(Rig.request(List.of("r1"), null, 3, null), null);
    assertThat(rig.call("GET", HEALTH, null).status()).isEqualTo(200);

    fill();
    assertThatThrownBy(() -> rig.openVia("r1")).isInstanceOf(ProblemException.class);
    int renewals = r1.renewals.size();

    await().until(() -> r1.renewals.size() > renewals + 3);
    assertThat(rig.state(chain.id())).isEqualTo(ChainState.READY);
    assertThatThrownBy(() -> rig.openVia("r1")).isInstanceOf(ProblemException.class);
    Files.delete(disk.resolve("filling"));
    Chain opened =
        await()
            .ignoreExceptionsInstanceOf(ProblemException.class)
            .until(() -> rig.openVia("r1"), next -> next.state() == ChainState.READY);

    rig.stop();
    rig.startAgain();
    assertThat(rig.state(chain.id())).isEqualTo(ChainState.READY);
    assertThat(rig.state(opened.id())).isEqualTo(ChainState.READY);
  }

  @Test
  void healthAndMetricsTellOfIt() throws IOException {
    rig.live("r1");

    fill();

    await().until(() -> rig.call("GET", HEALTH, null).status() == 503);
    assertThat(rig.call("GET", HEALTH, null).problem().type())
        .isEqualTo("urn:cascade:problem:database-read-only");
    assertThat(writable()).isEqualTo("0.0");
    Files.delete(disk.resolve("filling"));
    await().until(() -> rig.call("GET", HEALTH, null).status() == 200);
    assertThat(writable()).isEqualTo("1.0");
  }

  private String writable() {
    return rig.call("GET", "/api/v1/metrics", null)
        .body()
        .lines()
        .filter(line -> line.startsWith("cascade_orchestrator_database_writable "))
        .map(line -> line.substring(line.indexOf(' ') + 1))
        .findFirst()
        .orElseThrow();
  }

  /** Takes all space that is left. */
  private void fill() throws IOException {
    byte[] page = new byte[4_096];
    try (OutputStream filling = Files.newOutputStream(disk.resolve("filling"))) {
      while (true) {
        filling.write(page);
      }
    } catch (IOException e) {
      assertThat(e).hasMessageContaining("No space left");
    }
  }

  private static boolean run(String... command) throws Exception {
    return new ProcessBuilder(command).inheritIO().start().waitFor() == 0;
  }
}
