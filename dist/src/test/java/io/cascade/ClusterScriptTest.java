package io.cascade;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The script of the cluster, with a Docker whose containers say what a test has them say. */
@Timeout(60)
class ClusterScriptTest {
  private static final Path SCRIPT = Path.of("..", "docker", "cluster").toAbsolutePath();

  @TempDir Path folder;

  @Test
  void statusFailsWhereTheOrchestratorDoesNotAnswer() throws Exception {
    Run away = status("echo 'cascade relays: no answer' >&2; exit 1");

    assertThat(away.exit).as(away.text).isEqualTo(1);
    assertThat(away.text).contains("no answer", "token: ");
  }

  @Test
  void statusSucceedsWhereItDoes() throws Exception {
    Run well = status("echo r1 UP");

    assertThat(well.exit).as(well.text).isZero();
    assertThat(well.text).contains("r1 UP");
  }

  private record Run(int exit, String text) {}

  /**
   * @param verb what a verb in a container does
   */
  private Run status(String verb) throws IOException, InterruptedException {
    Path script = Files.createDirectories(folder.resolve("checkout/docker")).resolve("cluster");
    Files.copy(SCRIPT, script, StandardCopyOption.COPY_ATTRIBUTES);
    Path docker = Files.createDirectory(folder.resolve("bin")).resolve("docker");
    Files.writeString(
        docker, "#!/bin/sh\ncase \"$*\" in *' exec -T sender '*) " + verb + ";; esac\n");
    Files.setPosixFilePermissions(docker, PosixFilePermissions.fromString("rwxr-xr-x"));
    ProcessBuilder process =
        new ProcessBuilder(script.toString(), "status").redirectErrorStream(true);
    process.environment().put("PATH", docker.getParent() + ":" + System.getenv("PATH"));
    Process running = process.start();
    String text = new String(running.getInputStream().readAllBytes());
    return new Run(running.waitFor(), text);
  }
}
