package io.cascade.client.transfer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Which file it is that a transfer is of. */
@Timeout(60)
class OriginTest {
  private static final FileTime TIME = FileTime.from(Instant.parse("2001-02-03T04:05:06Z"));

  @TempDir Path folder = Path.of("");
  private final Deque<Path> mounted = new ArrayDeque<>();

  @AfterEach
  void unmount() throws Exception {
    for (Path one : mounted) {
      assertThat(run("umount", one.toString())).isTrue();
    }
  }

  @Test
  void isTheSameWhereTheFileSystemHasAnotherDeviceNumberAfterTheNextMount() throws Exception {
    Path disk = Files.createDirectory(folder.resolve("disk"));
    mount(disk);
    Path file = write(disk);
    UUID before = Original.of(file).origin();
    Object inode = Files.getAttribute(file, "unix:ino");
    Object device = Files.getAttribute(file, "unix:dev");
    assertThat(run("umount", mounted.pop().toString())).isTrue();
    mount(Files.createDirectory(folder.resolve("other"))); // Has the number of the device now.
    mount(disk);
    write(disk);
    assumeTrue(inode.equals(Files.getAttribute(file, "unix:ino")), "inodes as before");
    assumeTrue(!device.equals(Files.getAttribute(file, "unix:dev")), "another device number");

    assertThat(Original.of(file).origin()).isEqualTo(before);
  }

  @Test
  void isAnotherOneOfAnotherFileOfTheSameNameSizeAndTime() throws Exception {
    Path file = write(folder);
    UUID before = Original.of(file).origin();
    Path first = Files.move(file, folder.resolve("first")); // Its inode is not free.

    assertThat(Original.of(write(folder)).origin()).isNotEqualTo(before);
    assertThat(first).exists();
  }

  private static Path write(Path at) throws IOException {
    return Files.setLastModifiedTime(Files.writeString(at.resolve("file"), "content"), TIME);
  }

  private void mount(Path at) throws Exception {
    boolean may = run("mount", "-t", "tmpfs", "-o", "size=65536", "tmpfs", at.toString());
    if (!may) {
      System.out.println("SKIPPED: only root may mount a file system");
    }
    assumeTrue(may, "only root may mount a file system");
    mounted.push(at);
  }

  private static boolean run(String... command) throws IOException, InterruptedException {
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    process.getInputStream().readAllBytes();
    return process.waitFor(10, TimeUnit.SECONDS) && process.exitValue() == 0;
  }
}
