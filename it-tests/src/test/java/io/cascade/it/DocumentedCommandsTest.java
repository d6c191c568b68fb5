package io.cascade.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.cascade.testing.Documents;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * The commands of README, start and tasks in order, as they stand there, on one machine. Those that
 * take devices of a router or another machine's data are held to the command line by {@code
 * DocumentsTest}.
 */
@Tag("slow")
@Timeout(value = 8, unit = TimeUnit.MINUTES)
class DocumentedCommandsTest {
  /** Not run here: {@code EmulatedDemoTest} and all tests are; the others are not Cascade's. */
  private static final List<String> LEFT_OUT =
      List.of("./cascade demo", "./cascade test", "sudo ", "curl ", "git ", "ssh ");

  private static final int DATA = 300_000;

  @TempDir Path here;
  @TempDir Path there;

  @BeforeAll
  static void needsANetworkOfItsOwn() throws IOException {
    boolean root = Files.getAttribute(Path.of("/proc/self"), "unix:uid").equals(0);
    assumeTrue(root, "SKIPPED: the documents' commands get a network of their own, as root");
  }

  @BeforeEach
  void makeTheFilesThatCommandsName() throws IOException {
    for (String name : List.of("FILE", "image.tar", "backup.tar", "nightly.tar")) {
      Files.write(here.resolve(name), new byte[DATA]);
    }
    Files.writeString(here.resolve("notes.txt"), "notes");
    Files.createDirectories(here.resolve("photos"));
    Files.writeString(here.resolve("photos/one.jpg"), "a picture");
  }

  @Test
  void ofTheReadme() throws Exception {
    try (ReadersMachine machine = new ReadersMachine(here, there)) {
      // What takes relays is on the page that sets them up.
      for (String line : lines("README.md")) {
        if (!line.startsWith("./cascade open")) {
          machine.type(line);
        }
      }
    }
    assertThat(there.resolve("FILE")).hasSize(DATA);
  }

  @Test
  void ofTheStart() throws Exception {
    try (ReadersMachine machine = new ReadersMachine(here, there)) {
      follow(machine, "docs/start/two-machines.md");
    }
  }

  @Test
  void thatMoveFiles() throws Exception {
    try (ReadersMachine machine = new ReadersMachine(here, there)) {
      follow(machine, "docs/tasks/move-files.md");
    }
    assertThat(there.resolve("data/image.tar")).hasSize(DATA);
    assertThat(there.resolve("data/backup.tar")).hasSize(DATA);
    assertThat(there.resolve("data/nightly.tar")).hasSize(DATA);
    assertThat(there.resolve("data/photos/one.jpg")).hasContent("a picture");
  }

  @Test
  void thatReplicateADatabase() throws Exception {
    try (ReadersMachine machine = new ReadersMachine(here, there)) {
      follow(machine, "docs/tasks/replicate-a-database.md");
    }
  }

  @Test
  void ofTheLaboratorysProxy() throws Exception {
    try (ReadersMachine machine = new ReadersMachine(here, there)) {
      machine.type(lines("docs/start/two-machines.md").getFirst());
      follow(machine, "docs/tasks/laboratory-proxy.md");
    }
  }

  @Test
  void thatSayWhetherItIsWorthIt() throws Exception {
    try (ReadersMachine machine = new ReadersMachine(here, there)) {
      follow(machine, "docs/tasks/worth-it.md");
    }
  }

  private static void follow(ReadersMachine machine, String page) throws Exception {
    for (String line : lines(page)) {
      machine.type(line);
    }
  }

  private static List<String> lines(String page) throws IOException {
    List<String> lines =
        Documents.shellLines(Files.readString(Documents.ROOT.resolve(page))).stream()
            .filter(line -> LEFT_OUT.stream().noneMatch(line::startsWith))
            .toList();
    assertThat(lines).isNotEmpty();
    return lines;
  }
}
