package io.cascade.client.transfer.receiver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.cascade.client.transfer.connection.TransferFailed;
import io.cascade.client.transfer.wire.HeaderFields;
import io.cascade.client.transfer.wire.TransferHeader;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordingFile;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What stands on the disk while a file arrives, and when it has. */
@SuppressWarnings("NullAway.Init")
class PartFileTest {
  private static final Set<PosixFilePermission> PRIVATE =
      PosixFilePermissions.fromString("rw-------");
  private static final Set<PosixFilePermission> READABLE =
      PosixFilePermissions.fromString("rw-r--r--");

  @TempDir private Path folder;

  private Path target;
  private Path part;

  @BeforeEach
  void name() {
    target = folder.resolve("file");
    part = folder.resolve(".file.cascade-part");
  }

  @Test
  void nobodyElseReadsAFileThatArrives() throws IOException {
    try (PartFile file = create(READABLE)) {
      assertThat(Files.getPosixFilePermissions(part)).isEqualTo(PRIVATE);

      file.write(ByteBuffer.allocate(1), 0);
      file.commit();
    }
    assertThat(Files.getPosixFilePermissions(target)).isEqualTo(READABLE);
  }

  @Test
  void nobodyElseReadsItWhereAPartWasThereThatOthersCouldRead() throws IOException {
    Files.setPosixFilePermissions(Files.createFile(part), READABLE);

    try (PartFile _ = create(PRIVATE)) {
      assertThat(Files.getPosixFilePermissions(part)).isEqualTo(PRIVATE);
    }
  }

  @Test
  void aFileWithoutPermissionsHasThoseOfTheUmask() throws IOException {
    Path other = Files.createFile(folder.resolve("other"));
    try (PartFile file = create(null)) {
      file.write(ByteBuffer.allocate(1), 0);
      file.commit();
    }
    assertThat(Files.getPosixFilePermissions(target))
        .isEqualTo(Files.getPosixFilePermissions(other));
  }

  @Test
  void whereEverythingIsToBeOnTheDiskSoIsTheName() throws Exception {
    List<Path> forced;
    try (Recording recording = new Recording()) {
      recording.enable("jdk.FileForce").withoutThreshold();
      recording.start();
      try (PartFile file = create(null, new OutputTarget(folder, false, true))) {
        file.write(ByteBuffer.allocate(1), 0);
        file.commit();
      }
      recording.stop();
      Path dump = folder.resolve("recording");
      recording.dump(dump);
      forced =
          RecordingFile.readAllEvents(dump).stream()
              .map(event -> Path.of(event.getString("path")))
              .toList();
    }
    assertThat(forced).containsSubsequence(part, folder);
  }

  @Test
  void whatHasArrivedIsNotWrittenWhereAKillLeftThePartsNameAsWell() throws IOException {
    Files.writeString(target, "arrived");
    Files.createLink(part, target);

    try (PartFile file = create(null, new OutputTarget(folder, true, false))) {
      file.write(ByteBuffer.wrap(new byte[] {1}), 0);

      assertThat(target).hasContent("arrived");
      file.commit();
    }
    assertThat(target).hasBinaryContent(new byte[] {1});
  }

  @Test
  void anotherSenderOfItsNameLeavesItLocked() throws IOException {
    try (PartFile _ = create(null)) {
      assumeThat(locks()).contains(inode());

      assertThatThrownBy(() -> create(null)).hasMessageContaining("from another sender");

      assertThat(locks()).contains(inode());
    }
    try (PartFile _ = create(null)) {
      assertThat(locks()).contains(inode());
    }
  }

  /** Locks of this machine's processes, proc_locks(5). */
  private static String locks() throws IOException {
    Path locks = Path.of("/proc/locks");
    return Files.isReadable(locks) ? Files.readString(locks) : "";
  }

  private String inode() throws IOException {
    return ":%d 0 EOF".formatted((long) Files.getAttribute(part, "unix:ino"));
  }

  private PartFile create(@Nullable Set<PosixFilePermission> permissions) throws TransferFailed {
    return create(permissions, new OutputTarget(folder, false, false));
  }

  private PartFile create(@Nullable Set<PosixFilePermission> permissions, OutputTarget output)
      throws TransferFailed {
    TransferHeader header =
        new TransferHeader("file", 1)
            .asResumable()
            .with(new HeaderFields(new UUID(1, 2), null, permissions, null, false, null, null));
    return PartFile.create(target, output, header);
  }
}
