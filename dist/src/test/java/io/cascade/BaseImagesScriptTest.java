package io.cascade;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The script of the base images, on a machine that only seems to have Docker and debootstrap. */
@Timeout(60)
class BaseImagesScriptTest {
  private static final Path SCRIPT = Path.of("..", "docker", "base-images").toAbsolutePath();

  @TempDir Path folder;

  @Test
  void tellsNowAndThenHowFarItIs() throws Exception {
    program(
        "debootstrap", "mkdir -p \"$4\"; for i in $(seq 120); do echo \"I: Retrieving p$i\"; done");

    assertThat(made())
        .contains("base-images: cascade-base/debian: Retrieving p50\n")
        .contains("base-images: cascade-base/debian: Retrieving p100\n")
        .doesNotContain("p51");
  }

  @Test
  void saysWhatWentWrong() throws Exception {
    program("debootstrap", "echo 'E: no such suite'; exit 1");

    assertThat(made()).contains("E: no such suite", "cascade-base/debian: debootstrap failed");
  }

  private String made() throws IOException, InterruptedException {
    program("id", "echo 0");
    program(
        "docker",
        "case \"$1 $2\" in 'image inspect') exit 1 ;; 'import -') cat > /dev/null ;; esac; exit 0");
    ProcessBuilder process =
        new ProcessBuilder(SCRIPT.toString(), "debian").redirectErrorStream(true);
    process.environment().put("PATH", folder + ":" + System.getenv("PATH"));
    Process running = process.start();
    String text = new String(running.getInputStream().readAllBytes());
    running.waitFor();
    return text;
  }

  private void program(String name, String does) throws IOException {
    Path file = Files.writeString(folder.resolve(name), "#!/bin/bash\n" + does + "\n");
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
  }
}
