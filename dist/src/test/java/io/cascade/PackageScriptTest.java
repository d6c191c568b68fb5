package io.cascade;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The script that makes what is handed out, beside a maker of packages that only seems to. */
@Timeout(60)
class PackageScriptTest {
  private static final Path SCRIPT = Path.of("..", "dist", "package");

  @TempDir Path folder;

  @Test
  void nothingIsHandedOutWithoutItsBillOfMaterials() throws Exception {
    Path dist = Files.createDirectories(folder.resolve("dist"));
    Files.copy(SCRIPT, dist.resolve("package"));
    Files.createDirectory(dist.resolve("archive"));
    Files.copy(SCRIPT.resolveSibling("archive/package"), dist.resolve("archive/package"));
    program(dist.resolve("packages/make"), "exit 0");
    program(dist.resolve("helm/cascade/Chart.yaml"), "");
    program(folder.resolve("docker/compose.yaml"), "");
    Path to = folder.resolve("to");

    Process process =
        new ProcessBuilder("bash", dist.resolve("package").toString(), to.toString())
            .redirectErrorStream(true)
            .start();
    String said = new String(process.getInputStream().readAllBytes());

    assertThat(process.waitFor()).isEqualTo(1);
    assertThat(said).contains("sbom.json is missing (fix: ./cascade build)");
    assertThat(to).doesNotExist();
  }

  private static void program(Path file, String does) throws IOException {
    Files.createDirectories(file.getParent());
    Files.writeString(file, "#!/bin/bash\n" + does + "\n");
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
  }
}
