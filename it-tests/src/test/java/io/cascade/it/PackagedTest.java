package io.cascade.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.cascade.api.Json;
import io.cascade.testing.Documents;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** The archive, installed where there is no Java. */
@Tag("slow")
@Timeout(value = 10, unit = TimeUnit.MINUTES)
@SuppressWarnings("NullAway.Init")
class PackagedTest {
  private static final Path PACKAGE =
      LauncherWithCaches.LAUNCHER.resolveSibling("dist/archive/package");
  private static final Path PACKAGES = LauncherWithCaches.LAUNCHER.resolveSibling("dist/packages");
  private static final long MOST_BYTES = 80_000_000;

  /** Exit code of a script that cannot do here what it is there for. */
  private static final int SKIPPED = 77;

  /** What the launcher and install.sh call. */
  private static final List<String> TOOLS =
      List.of(
          "bash",
          "sh",
          "sed",
          "readlink",
          "dirname",
          "basename",
          "stty",
          "cut",
          "grep",
          "head",
          "cat",
          "cksum",
          "stat",
          "locale",
          "mkdir",
          "rm",
          "mv",
          "mktemp",
          "tar",
          "gzip",
          "sha256sum",
          "id",
          "cp",
          "ln");

  /** Programs that the document calls and that are not run, with why. */
  private static final Map<String, String> NOT_HERE =
      Map.of(
          "apt", "dist/packages/try installs with dpkg and rpm",
          "editor", "a person's work",
          "systemctl", "dist/packages/try does what the units do",
          "docker", "needs images in a registry; ComposeFileTest reads the file",
          "kubectl", "needs a cluster",
          "helm", "needs a cluster; dist/helm/check renders the chart");

  /** A line with the first word behind variables that are set for it alone. */
  private static final String PROGRAM = "^(?:\\w+=(?:\\$\\([^)]*\\)|\\S)* )*(\\w+) .*";

  private static final Pattern CODE = Pattern.compile("send FILE (\\S+)");

  @TempDir private static Path folder;
  private static Path archive;
  private static Path bin;

  @BeforeAll
  static void makeArchive() throws Exception {
    bin = Files.createDirectory(folder.resolve("bin"));
    for (String tool : TOOLS) {
      Path target =
          Stream.of("/usr/bin", "/bin")
              .map(place -> Path.of(place, tool))
              .filter(Files::exists)
              .findFirst()
              .orElseThrow();
      Files.createSymbolicLink(bin.resolve(tool), target);
    }
    archive = packaged("first");
    run(installed("--to", folder.resolve("opt").toString(), "--no-caches", archive.toString()));
  }

  @Test
  void itIsSmallAndTheSameBytesEachTime() throws Exception {
    assertThat(Files.size(archive)).isLessThan(MOST_BYTES);
    Path second = packaged("second");
    assertThat(second).hasSameBinaryContentAs(archive);
    assertThat(bill(second)).hasSameBinaryContentAs(bill(archive));
  }

  /** Every jar stands in it with the digest that it has in the archive. */
  @Test
  void itsBillOfMaterialsNamesWhatIsInItAndNothingElse() throws Exception {
    JsonNode bill = Json.lenient().readTree(Files.readString(bill(archive)));
    Set<String> named = new TreeSet<>();
    named.add(digest(bill.path("metadata").path("component")));
    List<JsonNode> others = new ArrayList<>();
    for (JsonNode component : bill.path("components")) {
      if (component.has("hashes")) {
        named.add(digest(component));
      } else {
        others.add(component);
      }
    }

    assertThat(named).isEqualTo(digestsOfJars());
    assertThat(others).extracting(each -> each.path("name").asString()).containsExactly("openjdk");
    assertThat(others.getFirst().path("version").asString())
        .isEqualTo(Runtime.version().toString());
  }

  private static Set<String> digestsOfJars() throws Exception {
    Set<String> digests = new TreeSet<>();
    Path lib = folder.resolve("opt").resolve(name(archive)).resolve("lib");
    try (DirectoryStream<Path> jars = Files.newDirectoryStream(lib)) {
      for (Path jar : jars) {
        byte[] digest = MessageDigest.getInstance("SHA-256").digest(Files.readAllBytes(jar));
        digests.add(HexFormat.of().formatHex(digest));
      }
    }
    return digests;
  }

  private static String digest(JsonNode component) {
    return component.path("hashes").path(0).path("content").asString();
  }

  private static Path bill(Path packed) {
    return packed.resolveSibling(name(packed) + ".cdx.json");
  }

  private static String name(Path packed) {
    return String.valueOf(packed.getFileName()).replace(".tar.gz", "");
  }

  @Test
  void placesAreChosenGreedilyForThereIsNoSolver() throws Exception {
    Path examples = LauncherWithCaches.LAUNCHER.resolveSibling("docs/examples");
    String candidates = examples.resolve("sites.json").toString();
    String demands = examples.resolve("demands.json").toString();
    String[] site = {"site", "--candidates", candidates, "--demands", demands, "--k", "2"};

    Process exact = cascade(site).start();

    assertThat(new String(exact.getInputStream().readAllBytes()))
        .contains("there is no solver in this package", "--greedy")
        .doesNotContain("\tat ");
    assertThat(exact.waitFor()).isEqualTo(1);
    List<String> greedy = new ArrayList<>(List.of(site));
    greedy.add("--greedy");
    assertThat(run(cascade(greedy.toArray(String[]::new)))).contains("ashburn");
  }

  @Test
  void twoCommandsLeadFromItToTheFirstGain() throws Exception {
    SiteProcesses.assumeDevices("the way from the archive to the first gain");

    String said =
        run(
            new ProcessBuilder(
                PACKAGE.resolveSibling("walk").toString(), archive.toString(), "--size", "4MB"));

    assertThat(said).contains("walk: 2 commands, ");
    for (String line : documented()) {
      assertThat(said).contains("$ " + line);
    }
    System.out.print(said);
  }

  /** The commands of the document that need nothing but what is handed out. */
  private static List<String> documented() throws IOException {
    List<String> lines = new ArrayList<>();
    for (String line :
        Documents.shellLines(Files.readString(Documents.ROOT.resolve("docs/install.md")))) {
      String reason = NOT_HERE.get(line.replaceFirst(PROGRAM, "$1"));
      if (reason == null) {
        lines.add(
            line.replace(
                "cascade-VERSION-linux-x64.tar.gz", String.valueOf(archive.getFileName())));
      } else {
        System.out.println("SKIPPED: " + line + ": " + reason);
      }
    }
    assertThat(lines).hasSize(2);
    return lines;
  }

  @Test
  void packagesAreTheSameBytesEachTimeAndInstallRunAndGo() throws Exception {
    List<Path> first = packages("once");
    List<Path> second = packages("twice");

    assertThat(first).hasSize(2);
    for (int i = 0; i < first.size(); i++) {
      assertThat(second.get(i)).hasSameBinaryContentAs(first.get(i));
      triedOut(first.get(i));
    }
  }

  /** Returns the deb and the rpm. */
  private static List<Path> packages(String name) throws Exception {
    Path there = Files.createDirectory(folder.resolve(name)).resolve(archive.getFileName());
    Files.createSymbolicLink(there, archive);
    ProcessBuilder making =
        new ProcessBuilder(PACKAGES.resolve("make").toString(), there.toString());
    making.environment().put("JAVA_HOME", System.getProperty("java.home"));
    return run(making).lines().filter(line -> line.startsWith("/")).map(Path::of).toList();
  }

  private static void triedOut(Path made) throws Exception {
    Process trying =
        new ProcessBuilder(PACKAGES.resolve("try").toString(), made.toString())
            .redirectErrorStream(true)
            .start();
    String said = new String(trying.getInputStream().readAllBytes());
    int code = trying.waitFor();
    System.out.print(said);
    assertThat(code).as(said).isIn(0, SKIPPED);
  }

  @Test
  void anArchiveThatWasChangedIsNotInstalled() throws Exception {
    Path changed = Files.createDirectory(folder.resolve("changed"));
    for (String name : List.of("SHA256SUMS", String.valueOf(archive.getFileName()))) {
      Files.copy(archive.resolveSibling(name), changed.resolve(name));
    }
    Path file = changed.resolve(archive.getFileName());
    Files.write(file, new byte[] {0}, StandardOpenOption.APPEND);

    Process install =
        installed("--to", folder.resolve("elsewhere").toString(), file.toString()).start();

    assertThat(new String(install.getInputStream().readAllBytes()))
        .contains("is not what its digest says: nothing was installed");
    assertThat(install.waitFor()).isEqualTo(1);
    assertThat(folder.resolve("elsewhere")).isEmptyDirectory();
  }

  @Test
  void itHasTheLabAndNoStudies() throws Exception {
    assertThat(run(cascade("--help"))).contains("  demo ", "  lab ").doesNotContain("reproduce");
  }

  @Test
  void anEmptyFileArrives() throws Exception {
    assertThat(run(cascade("version"))).startsWith("cascade ").contains("Java 25");
    Path file = Files.createFile(folder.resolve("empty"));
    Path into = Files.createDirectory(folder.resolve("into"));
    Path said = folder.resolve("receive.log");
    Process receive =
        cascade("receive", "--listen", "127.0.0.1:0", "--output", into.toString())
            .redirectOutput(said.toFile())
            .start();
    try {
      String code =
          Awaitility.await()
              .atMost(1, TimeUnit.MINUTES)
              .until(() -> code(said), found -> !found.isEmpty());

      run(cascade("send", file.toString(), code, "--direct"));

      assertThat(receive.waitFor()).isZero();
      assertThat(into.resolve("empty")).isEmptyFile();
    } finally {
      receive.destroy();
    }
  }

  private static String code(Path said) throws IOException {
    Matcher found = CODE.matcher(Files.readString(said));
    return found.find() ? found.group(1) : "";
  }

  private static Path packaged(String name) throws Exception {
    ProcessBuilder packaging =
        new ProcessBuilder(PACKAGE.toString(), folder.resolve(name).toString());
    packaging.environment().put("JAVA_HOME", System.getProperty("java.home"));
    return Path.of(run(packaging).lines().toList().getLast());
  }

  private static ProcessBuilder installed(String... arguments) {
    List<String> command = new ArrayList<>(List.of("sh", install().toString()));
    command.addAll(List.of("--link", bin.toString()));
    command.addAll(List.of(arguments));
    return withoutJava(command);
  }

  private static Path install() {
    return Objects.requireNonNull(archive).resolveSibling("install.sh");
  }

  private static ProcessBuilder cascade(String... arguments) {
    List<String> command = new ArrayList<>(List.of(bin.resolve("cascade").toString()));
    command.addAll(List.of(arguments));
    return withoutJava(command);
  }

  private static ProcessBuilder withoutJava(List<String> command) {
    List<String> found = new ArrayList<>(command);
    found.set(0, bin.resolve(command.getFirst()).toString());
    ProcessBuilder process = new ProcessBuilder(found).redirectErrorStream(true);
    process.environment().clear();
    process.environment().putAll(Map.of("PATH", bin.toString(), "HOME", folder.toString()));
    return process;
  }

  private static String run(ProcessBuilder what) throws Exception {
    Process running = what.redirectErrorStream(true).start();
    String said = new String(running.getInputStream().readAllBytes());
    assertThat(running.waitFor()).as(said).isZero();
    return said;
  }
}
