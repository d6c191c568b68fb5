package io.cascade.studies.rivals;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RivalStudyTest {
  @TempDir private Path folder;

  private final List<RivalPath> paths = PathDraw.paths(3, 1);

  @Test
  void whatWasMeasuredIsNotRepeatedUnlessItFailedOrAContenderHasComeSince() {
    RivalStudy study = new RivalStudy(List.of(Competitor.SEND));
    RivalPath path = paths.getFirst();
    RivalResult measured = Times.of(path).of(Competitor.SEND, 1, 1.1, 1.2).result();

    assertThat(study.isAnswered(path, measured)).isTrue();
    assertThat(study.isAnswered(path, study.failed(path, new IOException("no such network"))))
        .isFalse();
    assertThat(new RivalStudy(List.of(Competitor.SEND, Competitor.CROC)).isAnswered(path, measured))
        .isFalse();
    assertThat(study.key(path)).isEqualTo(measured.key());
  }

  @Test
  void thePageHasEveryPathAndNamesWhoIsMissing() throws Exception {
    List<RivalResult> some = new ArrayList<>();
    some.add(
        Times.of(RivalPath.demo(20_000_000))
            .of(Competitor.SEND, 4, 4.1, 4.2)
            .cutOff(Competitor.TCP, 9, 9.2, 9.4)
            .of(Competitor.BBR, 4.1, 4.2, 4.3)
            .start(0.2, 0.2, 0.2)
            .result());
    some.add(RivalResult.failed(paths.getFirst(), 3, "no such network"));
    RivalReport report = new RivalReport(some, "Measured on a machine.");

    report.page().writeMarkdown(folder, RivalReport.NAME);

    assertThat(Files.readString(folder.resolve("rivals.md")))
        .contains("Measured on a machine.")
        .contains(
            "Not measured, because not installed on the machine: eight TCP connections, croc, uftp.")
        .contains("| one TCP connection | > 9.20 |")
        .contains("| the demo's path, 20 MB: seconds | ≤ 2.6 | 4.100 | **missed** |")
        .contains("| seed 1 path 1 |")
        .contains("no such network");
    StringWriter out = new StringWriter();
    report.print(new PrintWriter(out));
    assertThat(out.toString()).contains("demo 20 MB", "one TCP connection, BBR", "Goals");
  }
}
