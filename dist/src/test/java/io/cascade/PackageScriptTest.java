package io.cascade;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * The script that makes what is handed out, beside makers of archive and packages that only seem
 * to.
 */
@Timeout(60)
class PackageScriptTest {
  private static final Path ROOT = Path.of("..");
  private static final String ARCHIVE = "cascade-1.0-linux-x64.tar.gz";

  /** SHA-256 of nothing. */
  private static final String DIGEST =
      "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";

  @TempDir Path folder;
  private Path dist;
  private Path to;

  @BeforeEach
  void putScripts() throws IOException {
    dist = Files.createDirectories(folder.resolve("dist"));
    to = folder.resolve("to");
    for (String script : new String[] {"package", "page"}) {
      Files.copy(ROOT.resolve("dist").resolve(script), dist.resolve(script));
    }
    program(
        dist.resolve("archive/package"),
        "mkdir -p \"$1\" && touch \"$1/%1$s\" && echo \"$1/%1$s\"".formatted(ARCHIVE));
    program(dist.resolve("packages/make"), "touch \"$(dirname \"$1\")/cascade_1.0_amd64.deb\"");
    program(dist.resolve("helm/cascade/Chart.yaml"), "version: 1.0");
    program(folder.resolve("docker/compose.yaml"), "");
    Files.createDirectory(folder.resolve("docs"));
    Files.copy(ROOT.resolve("docs/install.md"), folder.resolve("docs/install.md"));
    Files.writeString(
        folder.resolve("CHANGELOG.md"),
        "# Changelog\n\n## 1.0\n\n- A < B & C.\n\n## 0.9\n\n- Old.\n");
  }

  @Test
  void nothingIsHandedOutWithoutItsBillOfMaterials() throws Exception {
    Files.delete(dist.resolve("archive/package"));
    Files.copy(ROOT.resolve("dist/archive/package"), dist.resolve("archive/package"));

    Process process = packaging();
    String said = new String(process.getInputStream().readAllBytes());

    assertThat(process.waitFor()).isEqualTo(1);
    assertThat(said).contains("sbom.json is missing (fix: ./cascade build)");
    assertThat(to).doesNotExist();
  }

  @Test
  void aPageListsWhatIsHandedOutAndIsTheSameTheNextTime() throws Exception {
    assertThat(packaging().waitFor()).isZero();
    String page = Files.readString(to.resolve("index.html"));
    assertThat(packaging().waitFor()).isZero();

    assertThat(Files.readString(to.resolve("index.html"))).isEqualTo(page);
    assertThat(Files.readString(to.resolve("SHA256SUMS"))).doesNotContain("index.html");
    assertThat(page)
        .contains("<h1>Cascade 1.0</h1>")
        .contains(
            "<a href=\"%s\">%s</a><td>Linux with glibc, no Java needed<td>0<td><code>%s</code>"
                .formatted(ARCHIVE, ARCHIVE, DIGEST))
        .contains("./install.sh " + ARCHIVE, "apt install ./cascade_1.0_amd64.deb")
        .contains("helm install cascade cascade-chart-1.0.tgz")
        .contains("- A &lt; B &amp; C.")
        .doesNotContain("- Old.", "src=", "href=\"http");
  }

  @Test
  void theChartOfAnotherVersionIsNoneOfTheRelease() throws Exception {
    Files.createDirectories(to);
    Files.createFile(to.resolve("cascade-chart-0.9.tgz"));
    Files.createFile(to.resolve("cascade-chart-1.10.tgz"));

    assertThat(packaging().waitFor()).isZero();

    assertThat(Files.readString(to.resolve("index.html")))
        .contains("helm install cascade cascade-chart-1.0.tgz --set")
        .doesNotContain("cascade-chart-0.9", "cascade-chart-1.10");
    assertThat(Files.readString(to.resolve("SHA256SUMS")))
        .contains("cascade-chart-1.0.tgz")
        .doesNotContain("cascade-chart-0.9", "cascade-chart-1.10");
  }

  private Process packaging() throws IOException {
    return new ProcessBuilder("bash", dist.resolve("package").toString(), to.toString())
        .redirectErrorStream(true)
        .start();
  }

  private static void program(Path file, String does) throws IOException {
    Files.createDirectories(file.getParent());
    Files.writeString(file, "#!/bin/bash\n" + does + "\n");
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
  }
}
