package io.cascade.lab.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

import io.cascade.command.CommandException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Parts of which an orchestrator serves at once, and a relay once a file is there. */
@Timeout(60)
class LocalClusterTest {
  private static final URI ORCHESTRATOR = URI.create("http://127.0.0.1:7400");

  @TempDir private Path folder;

  @SuppressWarnings("NullAway.Init")
  private LocalCluster cluster;

  @BeforeEach
  void aLauncher() throws Exception {
    Path launcher = folder.resolve("launcher");
    Files.writeString(
        launcher,
        """
        #!/bin/sh
        echo $$ > %1$s/$1.pid
        if [ $1 = orchestrator ]; then
          echo "cascade orchestrator ready at http://127.0.0.1:7400"
        else
          while ! [ -e %1$s/serve ]; do sleep 0.01; done
          echo "cascade relay $3 ready: control http://127.0.0.1:7412, hop 127.0.0.1:7411"
        fi
        exec sleep 60
        """
            .formatted(folder));
    Files.setPosixFilePermissions(launcher, PosixFilePermissions.fromString("rwxr-xr-x"));
    cluster =
        new LocalCluster(
            new CascadeCommand(launcher.toString(), folder.resolve("settings.properties")), folder);
  }

  @AfterEach
  void closed() {
    cluster.close();
  }

  private CompletableFuture<List<CascadeProcess>> startRelays() {
    return CompletableFuture.supplyAsync(
        () -> cluster.startRelays(1, ORCHESTRATOR, _ -> List.of()));
  }

  private ProcessHandle process(String verb) {
    Path pid = folder.resolve(verb + ".pid");
    await().until(() -> Files.exists(pid) && !Files.readString(pid).isBlank());
    try {
      return ProcessHandle.of(Long.parseLong(Files.readString(pid).strip())).orElseThrow();
    } catch (java.io.IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
  }

  @Test
  void partsSayWhereTheyServe() throws Exception {
    Files.createFile(folder.resolve("serve"));

    assertThat(cluster.startOrchestrator()).isEqualTo(ORCHESTRATOR);
    assertThat(startRelays().get().getFirst().awaitReady().group(3)).isEqualTo("127.0.0.1:7411");

    cluster.checkAlive();
  }

  @Test
  void closedWhileARelayStartsItLeavesNoProcess() {
    URI _ = cluster.startOrchestrator();
    CompletableFuture<List<CascadeProcess>> starting = startRelays();
    ProcessHandle orchestrator = process("orchestrator");
    ProcessHandle relay = process("relay");

    cluster.close();

    assertThat(orchestrator.isAlive()).isFalse();
    assertThat(relay.isAlive()).isFalse();
    assertThatExceptionOfType(CompletionException.class)
        .isThrownBy(starting::join)
        .withCauseInstanceOf(CommandException.class);
  }

  @Test
  void onceClosedItStartsNothing() {
    cluster.close();

    assertThatExceptionOfType(CommandException.class).isThrownBy(cluster::startOrchestrator);

    assertThat(folder.resolve("orchestrator.pid")).doesNotExist();
  }

  @Test
  void anOrchestratorThatWasKilledIsReplaced() throws Exception {
    URI _ = cluster.startOrchestrator();
    cluster.killOrchestrator();
    assertThatExceptionOfType(CommandException.class).isThrownBy(cluster::checkAlive);

    assertThat(cluster.startOrchestrator("127.0.0.1:7400")).isEqualTo(ORCHESTRATOR);

    cluster.checkAlive();
  }
}
