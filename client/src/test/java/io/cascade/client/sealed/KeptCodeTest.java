package io.cascade.client.sealed;

import static org.assertj.core.api.Assertions.assertThat;

import io.cascade.api.HostPort;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.SecureRandom;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class KeptCodeTest {
  private static final HostPort HERE = new HostPort("192.0.2.7", 7420);

  @TempDir private Path folder;

  private Path output;
  private Path state;

  @BeforeEach
  void makeFolders() throws IOException {
    output = Files.createDirectory(folder.resolve("output"));
    state = folder.resolve("state");
  }

  @Test
  void theNextReceiverHasTheSameCodeWhereSomethingIsUnfinished() throws IOException {
    Code code = Code.random(HERE, new SecureRandom());
    assertThat(kept(HERE).keep(code)).isNull();
    Files.createFile(output.resolve(".backup.tar.cascade-journal"));

    assertThat(kept(HERE).found()).contains(code);
    assertThat(kept(HERE.port() + 1).found()).as("at another port").isEmpty();
  }

  @Test
  void theNextReceiverHasTheSameCodeWhereAFolderWasArriving() throws IOException {
    Code code = Code.random(HERE, new SecureRandom());
    kept(HERE).keep(code);
    Files.createFile(output.resolve(".cascade-entries"));

    assertThat(kept(HERE).found()).contains(code);
  }

  @Test
  void theNextReceiverHasTheSameCodeWhereATransferBrokeOff() {
    Code code = Code.random(HERE, new SecureRandom());
    kept(HERE).keep(code);
    kept(HERE).broke();
    kept(HERE).broke();

    assertThat(kept(HERE).found()).contains(code);

    kept(HERE).keep(code);
    assertThat(kept(HERE).found()).as("after another receiver ended").contains(code);

    kept(HERE).forget();
    assertThat(kept(HERE).found()).as("what arrived").isEmpty();
  }

  @Test
  void whoeverStartsAnewWithNothingUnfinishedHasANewCode() {
    kept(HERE).keep(Code.random(HERE, new SecureRandom()));

    assertThat(kept(HERE).found()).isEmpty();
  }

  @Test
  void aCodeOfWhichTheFileHasArrivedIsNoLongerValid() throws IOException {
    Files.createFile(output.resolve(".other.cascade-journal"));
    kept(HERE).keep(Code.random(HERE, new SecureRandom()));
    kept(HERE).forget();

    assertThat(kept(HERE).found()).isEmpty();
  }

  @Test
  void aNewAddressOfTheHostChangesNothing() throws IOException {
    Code code = Code.randomMeeting(HERE, new SecureRandom());
    kept(HERE).keep(code);
    Files.createFile(output.resolve(".backup.tar.cascade-journal"));

    HostPort moved = new HostPort("198.51.100.9", HERE.port());
    assertThat(kept(moved).found()).contains(new Code(moved, code.meeting(), code.secret()));
  }

  @Test
  void nobodyElseMayReadIt() throws IOException {
    kept(HERE).keep(Code.random(HERE, new SecureRandom()));

    try (var files = Files.list(state)) {
      List<Path> all = files.toList();
      assertThat(all).hasSize(1);
      assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(all.getFirst())))
          .isEqualTo("rw-------");
    }
  }

  @Test
  void whatIsDamagedIsNoCode() throws IOException {
    Files.createFile(output.resolve(".backup.tar.cascade-journal"));
    kept(HERE).keep(Code.random(HERE, new SecureRandom()));
    try (var files = Files.list(state)) {
      Files.writeString(files.findFirst().orElseThrow(), "4f7k");
    }

    assertThat(kept(HERE).found()).isEmpty();
  }

  private KeptCode kept(int port) {
    return kept(new HostPort(HERE.host(), port));
  }

  private KeptCode kept(HostPort at) {
    return new KeptCode(output, at, state);
  }
}
