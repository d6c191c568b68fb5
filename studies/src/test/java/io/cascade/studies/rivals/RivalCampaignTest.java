package io.cascade.studies.rivals;

import static org.assertj.core.api.Assertions.assertThat;

import io.cascade.studies.experiment.JsonLines;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RivalCampaignTest {
  @TempDir private Path folder;

  private final List<RivalPath> paths = PathDraw.paths(3, 1);
  private final StringWriter said = new StringWriter();

  @SuppressWarnings("NullAway.Init")
  private JsonLines<RivalResult> results;

  @BeforeEach
  void results() {
    results = new JsonLines<>(folder.resolve("some.jsonl"), RivalResult.class, RivalResult::key);
  }

  @Test
  void aPathThatFailsIsARowThatIsMeasuredAgainAndTheOthersGoOn() throws Exception {
    boolean complete =
        campaign(
                List.of(Contender.SEND),
                (path, _) -> {
                  if (path.equals(paths.get(1))) {
                    throw new IllegalStateException("no such network");
                  }
                  return measured(path);
                })
            .measure();

    assertThat(complete).isFalse();
    assertThat(results.read()).extracting(RivalResult::path).isEqualTo(paths);
    assertThat(said.toString()).contains("path 2: no such network");
    assertThat(campaign(List.of(Contender.SEND), (path, _) -> measured(path)).measure()).isTrue();
    assertThat(results.read()).allMatch(result -> result.failure() == null);
  }

  @Test
  void whatWasMeasuredIsNotRepeatedUnlessAContenderHasComeSince() throws Exception {
    campaign(List.of(Contender.SEND), (path, _) -> measured(path)).measure();

    assertThat(campaign(List.of(Contender.SEND), (path, _) -> measured(path)).left()).isEmpty();
    assertThat(
            campaign(List.of(Contender.SEND, Contender.CROC), (path, _) -> measured(path)).left())
        .isEqualTo(paths);
  }

  @Test
  void thePageHasEveryPathAndNamesWhoIsMissing() throws Exception {
    List<RivalResult> some = new ArrayList<>();
    some.add(
        Times.of(RivalPath.demo(20_000_000))
            .of(Contender.SEND, 4, 4.1, 4.2)
            .cutOff(Contender.TCP, 9, 9.2, 9.4)
            .of(Contender.BBR, 4.1, 4.2, 4.3)
            .start(0.2, 0.2, 0.2)
            .result());
    some.add(RivalResult.failed(paths.getFirst(), 3, "no such network"));
    RivalReport report = new RivalReport(some, "Measured on a machine.");

    report.page().writeMarkdown(folder, RivalReport.NAME);

    assertThat(Files.readString(folder.resolve("rivals.md")))
        .contains("Measured on a machine.")
        .contains(
            "Not measured, for want of them on the machine: eight TCP connections, croc, uftp.")
        .contains("| one TCP connection | > 9.20 |")
        .contains("| the demo's path, 20 MB: seconds | ≤ 2.6 | 4.100 | **missed** |")
        .contains("| seed 1 path 1 |")
        .contains("no such network");
    StringWriter out = new StringWriter();
    report.print(new PrintWriter(out));
    assertThat(out.toString()).contains("demo 20 MB", "one TCP connection, BBR", "goals");
  }

  private RivalCampaign campaign(List<Contender> contenders, RivalCampaign.Trial trial) {
    return new RivalCampaign(paths, 3, contenders, results, new PrintWriter(said), trial);
  }

  private static RivalResult measured(RivalPath path) {
    return Times.of(path).of(Contender.SEND, 1, 1.1, 1.2).result();
  }
}
