package io.cascade.client.verbs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.cascade.client.ClientFailures;
import io.cascade.command.Verbs;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;
import picocli.CommandLine.Command;

/** {@code send} to a {@code receive} whose disk becomes full meanwhile. */
@Timeout(120)
@SuppressWarnings("NullAway.Init")
class FilledDiskTest {
  private static final int DISK_BYTES = 16 << 20;
  private static final int FILE_BYTES = 8 << 20;

  /** Of a journal that tells of some blocks: its head and each of its records are shorter. */
  private static final int SOME_BLOCKS = 512;

  private static final Pattern CODE = Pattern.compile("send FILE (\\S+)");

  @TempDir private Path folder;

  private Path disk;
  private boolean mounted;

  @BeforeEach
  void mount() throws Exception {
    disk = Files.createDirectory(folder.resolve("disk"));
    mounted = run("mount", "-t", "tmpfs", "-o", "size=" + DISK_BYTES, "tmpfs", disk.toString());
    if (!mounted) {
      System.out.println("SKIPPED: only root may mount a file system to fill");
    }
    assumeTrue(mounted, "only root may mount a file system to fill");
  }

  @AfterEach
  void unmount() throws Exception {
    if (mounted) {
      assertThat(run("umount", disk.toString())).isTrue();
    }
  }

  @Test
  void aFileIsKeptAndTheSameCommandSendsTheRestOnceThereIsRoom() throws Exception {
    Path file = Files.write(folder.resolve("file"), random(FILE_BYTES));
    Verb receive = Verb.start("receive", "--listen", "127.0.0.1:0", "--output", disk.toString());
    Verb send =
        Verb.start("send", file.toString(), receive.code(), "--direct", "--limit", "20Mbit");
    Path journal = disk.resolve(".file.cascade-journal");
    await().until(() -> Files.exists(journal) && Files.size(journal) >= SOME_BLOCKS);
    Path filler = fill();

    assertThat(send.exit()).as(send.text()).isEqualTo(1);
    assertThat(send.text()).contains("No space left on device");
    assertThat(receive.exit()).as(receive.text()).isEqualTo(1);
    assertThat(receive.text()).contains("is kept");
    assertThat(disk.resolve("file")).doesNotExist();

    Files.delete(filler);
    Verb again = Verb.start("receive", "--listen", "127.0.0.1:0", "--output", disk.toString());
    Verb sent = Verb.start("send", file.toString(), again.code(), "--direct");
    assertThat(sent.exit()).as(sent.text()).isZero();
    assertThat(again.exit()).as(again.text()).isZero();
    assertThat(disk.resolve("file")).hasSameBinaryContentAs(file);
    assertThat(disk.toFile().list()).containsExactly("file");
  }

  @Test
  void ofAFolderWholeFilesStandAndBothEndsSaySo() throws Exception {
    Path photos = Files.createDirectory(folder.resolve("photos"));
    for (int i = 1; i <= 3; i++) {
      Files.write(photos.resolve("photo-" + i), random(FILE_BYTES - 1_000_000));
    }
    Verb receive = Verb.start("receive", "--listen", "127.0.0.1:0", "--output", disk.toString());
    Verb send = Verb.start("send", photos.toString(), receive.code(), "--direct");

    assertThat(send.exit()).as(send.text()).isEqualTo(1);
    assertThat(send.text())
        .as("before the file that does not fit has filled the disk")
        .containsPattern("photo-3 .*7388608 bytes are needed, and \\d+ are free; fix: make room");
    assertThat(receive.exit()).as(receive.text()).isEqualTo(1);
    assertThat(receive.text()).contains("are free; fix: make room");
    try (Stream<Path> files = Files.list(disk.resolve("photos"))) {
      assertThat(files)
          .as("what stands is whole")
          .allSatisfy(
              file -> assertThat(file).hasSameBinaryContentAs(photos.resolve(file.getFileName())))
          .hasSize(2);
    }
  }

  /** Takes what is free. */
  private Path fill() throws IOException {
    Path filler = disk.resolve("filler");
    byte[] piece = new byte[4_096];
    try (OutputStream out = Files.newOutputStream(filler)) {
      while (true) {
        out.write(piece);
      }
    } catch (IOException full) {
      return filler;
    }
  }

  private static byte[] random(int bytes) {
    byte[] random = new byte[bytes];
    new Random(1).nextBytes(random);
    return random;
  }

  private static boolean run(String... command) throws IOException, InterruptedException {
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    process.getInputStream().readAllBytes();
    return process.waitFor(10, TimeUnit.SECONDS) && process.exitValue() == 0;
  }

  @Command(name = "cascade")
  static final class Root {}

  /** A verb on a thread of its own, with all that it says. */
  private record Verb(StringWriter said, CompletableFuture<Integer> ended) {
    static Verb start(String... arguments) {
      StringWriter said = new StringWriter();
      CompletableFuture<Integer> ended = new CompletableFuture<>();
      CommandLine line = new CommandLine(new Root());
      line.addSubcommand(new SendVerb());
      line.addSubcommand(new ReceiveVerb());
      Verbs.prepare(line, Map.of(), new ClientFailures())
          .setOut(new PrintWriter(said, true))
          .setErr(new PrintWriter(said, true));
      List<String> all = new ArrayList<>(List.of(arguments));
      Thread.ofPlatform()
          .daemon()
          .start(() -> ended.complete(line.execute(all.toArray(String[]::new))));
      return new Verb(said, ended);
    }

    String code() {
      await().until(() -> CODE.matcher(text()).find() || ended.isDone());
      Matcher code = CODE.matcher(text());
      assertThat(code.find()).as(text()).isTrue();
      return code.group(1);
    }

    int exit() {
      return ended.join();
    }

    String text() {
      return said.toString();
    }
  }
}
