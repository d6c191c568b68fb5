package io.cascade.studies.transfers;

import static org.assertj.core.api.Assertions.assertThat;

import io.cascade.studies.transfers.KillResult.Ending;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TransferReportTest {
  private static final long BYTES = 100_000_000;
  private static final CopyTest FILE = CopyTest.file(BYTES);
  private static final CopyTest SMALL = CopyTest.small(1_000);
  private static final CopyTest TREE = CopyTest.tree();
  private static final Comparison SAME = new Comparison(10, 0, 0, 0, 0, 0, 0, 1_000, 1_000);

  @TempDir private Path folder;

  private final List<TransferResult> results = new ArrayList<>();
  private final List<KillResult> kills = new ArrayList<>();
  private final List<SealResult> seals = new ArrayList<>();

  @Test
  void aGoalIsOpenWhereItsIntervalReachesIt() throws IOException {
    copies(FILE, Contender.SEND, 10, 10.1, 10.2);
    copies(FILE, Contender.RSYNC, 9, 9.5, 10);
    copies(SMALL, Contender.SEND, 10, 10.1, 10.2);
    copies(SMALL, Contender.TAR, 5, 5.1, 5.2);
    copies(SMALL, Contender.RSYNC, 8, 8.1, 8.2);

    String page = page();

    assertThat(page)
        .contains("| a file of 100 MB: rate over the best other program | ≥ 0.95 | 0.94 (")
        .containsPattern("rate over the best other program .* \\| open \\|")
        .containsPattern(
            "small files: rate over the best other program \\| ≥ 0.95 \\| 0.80 .* \\*\\*missed\\*\\*")
        .containsPattern(
            "rate over `tar \\\\+\\| send -` \\| ≥ 0.8 \\| 0.50 .* \\*\\*missed\\*\\*");
  }

  @Test
  void whatWasNotMeasuredIsSaid() throws IOException {
    copies(FILE, Contender.SEND, 10, 10.1, 10.2);

    assertThat(page())
        .contains(
            "Not measured, because not installed on the machine: tar into send -, rsync over ssh")
        .contains("| transfers with kills at random times: wrong bytes | none |  | not measured |")
        .contains("| a tree: arrives unchanged | every entry |  | not measured |");
  }

  @Test
  void aTreeThatArrivedOtherwiseMissesItsGoal() throws IOException {
    results.add(result(TREE, Contender.SEND, 0, 1.0, 0, SAME));
    results.add(
        result(
            TREE, Contender.SEND, 1, 1.0, 0, new Comparison(10, 0, 0, 0, 1, 0, 0, 1_000, 1_000)));

    assertThat(page())
        .contains("10 entries; missing or more 0, other contents 0, modes 1")
        .contains("**missed**");
  }

  @Test
  void whatIsSentAgainIsWhatLeftBeyondACopyWithoutACut() throws IOException {
    CopyTest cut = CopyTest.cuts(BYTES, List.of(60)).getFirst();
    results.add(result(FILE, Contender.SEND, 0, 10.0, 104_000_000, SAME));
    results.add(result(FILE, Contender.SEND, 1, 10.0, 104_000_000, SAME));
    results.add(result(cut, Contender.SEND, 0, 12.0, 106_080_000, SAME));
    results.add(result(cut, Contender.SEND, 1, 12.0, 106_080_000, SAME));

    assertThat(page())
        .contains(
            "| sender killed at 60 % of 100 MB: share sent again | ≤ 5 % | 2.0 (2.0 to 2.0) % | met"
                + " |");
  }

  @Test
  void aFailedSendMissesItsGoalAndSaysWhy() throws IOException {
    results.add(
        new TransferResult(FILE, Contender.SEND, 0, null, false, 0, null, 0.5, "no such host"));
    copies(FILE, Contender.RSYNC, 9, 9.5, 10);

    assertThat(page()).contains("failed: no such host").contains("**missed**");
  }

  @Test
  void oneWrongTransferOfManyMissesTheGoal() throws IOException {
    for (int i = 1; i <= 20; i++) {
      kills.add(new KillResult(1, i, List.of("sender after 1 s"), Ending.DELIVERED, ""));
    }
    assertThat(page()).contains("| none | 0 of 20 | met |");
    kills.add(new KillResult(1, 21, List.of("both after 1 s"), Ending.WRONG, "exit 1"));
    kills.add(failed(22, "127.0.0.1:4711 refused: /tmp/into-22/file exists already"));
    kills.add(failed(23, "127.0.0.1:4712 refused: /tmp/into-23/file exists already"));

    assertThat(page())
        .contains("| none | 1 of 23 | **missed** |")
        .contains("`exit 1` (1)")
        .contains("`127.0.0.1:N refused: /file exists already` (2)");
    StringWriter out = new StringWriter();
    new TransferReport(results, kills, seals, "").page().print(new PrintWriter(out));
    assertThat(out.toString()).contains("Kills at random times", "Goals");
  }

  @Test
  void aSenderThatWasKilledAfterItHadSaidSoHasConfirmed() throws IOException {
    kills.add(failed(1, "sha256 " + "5f4a3980".repeat(8)));

    assertThat(page())
        .contains("| delivered and confirmed | 1 |")
        .doesNotContain("confirmed nothing");
  }

  private static KillResult failed(int number, String note) {
    return new KillResult(1, number, List.of("sender after 1 s"), Ending.UNCONFIRMED, note);
  }

  @Test
  void sealedTransfersStandBesideThoseInClear() throws IOException {
    for (int i = 0; i < 3; i++) {
      seals.add(new SealResult(true, i, SealTrial.BYTES, 4 + i, 8));
      seals.add(new SealResult(false, i, SealTrial.BYTES, 2 + i, 4));
    }

    assertThat(page())
        .contains("Sealed takes 1.67 (", "times as long, and 2.00 (")
        .contains("| sealed | 5.00 | 1.60 | 8.59 | 3 |", "| in clear | 3.00 | 2.67 | 4.29 | 3 |");
  }

  @Test
  void aFileIsRightWrongOrNotThere() throws IOException {
    Path sent = Files.writeString(folder.resolve("sent"), "content");
    Path none = folder.resolve("none");
    Path other = Files.writeString(folder.resolve("other"), "CONTENT");

    assertThat(KillTrial.ending(sent, sent, true)).isEqualTo(Ending.DELIVERED);
    assertThat(KillTrial.ending(sent, sent, false)).isEqualTo(Ending.UNCONFIRMED);
    assertThat(KillTrial.ending(sent, none, false)).isEqualTo(Ending.NOT_DELIVERED);
    assertThat(KillTrial.ending(sent, none, true)).isEqualTo(Ending.WRONG);
    assertThat(KillTrial.ending(sent, other, false)).isEqualTo(Ending.WRONG);
  }

  private void copies(CopyTest test, Contender contender, double... seconds) {
    for (int i = 0; i < seconds.length; i++) {
      results.add(result(test, contender, i, seconds[i], BYTES, SAME));
    }
  }

  private static TransferResult result(
      CopyTest test,
      Contender contender,
      int repetition,
      double seconds,
      long sentBytes,
      Comparison arrived) {
    return new TransferResult(
        test, contender, repetition, seconds, false, sentBytes, arrived, 0.1, "");
  }

  private String page() throws IOException {
    new TransferReport(results, kills, seals, "Measured on a machine.")
        .page()
        .writeMarkdown(folder, TransferReport.NAME);
    return Files.readString(folder.resolve("transfers.md"));
  }
}
