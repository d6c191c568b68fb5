package io.cascade.orchestrator.tls;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cascade.api.identity.KeyPins;
import io.cascade.command.CommandException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SelfMadeCertificatesTest {
  @TempDir private Path folder;
  private SelfMadeCertificates certificates = new SelfMadeCertificates(Path.of(""), List.of());

  @BeforeEach
  void makeTwo() {
    certificates = new SelfMadeCertificates(folder.resolve("tls"), List.of("localhost"));
    certificates.look();
  }

  @Test
  void theNextKeyIsShownAndAnotherOneComesAfterIt() {
    List<String> before = pins(certificates.look());

    List<String> after = pins(certificates.rotate());

    assertThat(after.getFirst()).isEqualTo(before.getLast());
    assertThat(after.getLast()).isNotIn(before);
    assertThat(pins(certificates.look())).isEqualTo(after);
  }

  @Test
  void whereTheKeyAfterNextCannotBeWrittenNothingChanges() throws IOException {
    List<String> before = pins(certificates.look());
    Path inTheWay = Files.createDirectory(folder.resolve("tls/following.pem"));

    assertThatThrownBy(certificates::rotate).isInstanceOf(CommandException.class);
    assertThatThrownBy(certificates::rotate).isInstanceOf(CommandException.class);

    assertThat(pins(certificates.look())).isEqualTo(before);
    Files.delete(inTheWay);
    assertThat(pins(certificates.rotate()).getFirst()).isEqualTo(before.getLast());
  }

  @Test
  void aRotationThatStoppedHalfWayIsFinishedAndSkipsNoKey() throws IOException {
    List<String> before = pins(certificates.look());
    SelfMadeCertificates other = new SelfMadeCertificates(folder.resolve("other"), List.of());
    other.look();
    Files.move(folder.resolve("other/current.pem"), folder.resolve("tls/following.pem"));
    Files.move(
        folder.resolve("tls/next.pem"),
        folder.resolve("tls/current.pem"),
        StandardCopyOption.REPLACE_EXISTING);

    List<String> after = pins(certificates.rotate());

    assertThat(after.getFirst()).isEqualTo(before.getLast());
    assertThat(folder.resolve("tls/following.pem")).doesNotExist();
  }

  private static List<String> pins(CertificateSource.Shown shown) {
    KeyPins pins = Objects.requireNonNull(shown.pins());
    return List.copyOf(pins.sha256());
  }
}
