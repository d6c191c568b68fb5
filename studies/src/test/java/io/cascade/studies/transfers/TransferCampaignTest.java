package io.cascade.studies.transfers;

import static org.assertj.core.api.Assertions.assertThat;

import io.cascade.studies.experiment.JsonLines;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TransferCampaignTest {
  private static final CopyTest FILE = CopyTest.file(1_000_000);
  private static final CopyTest SMALL = CopyTest.small(100);

  @TempDir private Path folder;

  @SuppressWarnings("NullAway.Init")
  private JsonLines<TransferResult> results;

  @BeforeEach
  void results() {
    results =
        new JsonLines<>(folder.resolve("some.jsonl"), TransferResult.class, TransferResult::key);
  }

  @Test
  void contendersTakeTurnsInTestsThatTheyTake() {
    assertThat(left(Contender.SEND, Contender.TAR, Contender.SCP))
        .extracting(TransferCampaign.Task::key)
        .containsExactly(
            "a file of 1 MB, send #0",
            "a file of 1 MB, scp #0",
            "a file of 1 MB, scp #1",
            "a file of 1 MB, send #1",
            "100 small files, send #0",
            "100 small files, tar into send - #0",
            "100 small files, scp #0",
            "100 small files, tar into send - #1",
            "100 small files, scp #1",
            "100 small files, send #1");
  }

  @Test
  void whatWasMeasuredIsNotRepeatedAndWhatFailedIs() {
    results.append(result(FILE, 0, false, ""));
    results.append(result(FILE, 1, false, "no such host"));

    assertThat(left(Contender.SEND))
        .extracting(TransferCampaign.Task::key)
        .containsExactly(
            "a file of 1 MB, send #1", "100 small files, send #0", "100 small files, send #1");
  }

  @Test
  void whatWasCutOffIsNotRunAgainInThatTest() {
    results.append(result(SMALL, 0, true, ""));

    assertThat(left(Contender.SEND))
        .extracting(TransferCampaign.Task::key)
        .containsExactly("a file of 1 MB, send #0", "a file of 1 MB, send #1");
  }

  private List<TransferCampaign.Task> left(Contender... contenders) {
    return new TransferCampaign(
            List.of(FILE, SMALL),
            List.of(contenders),
            2,
            results,
            new PrintWriter(new StringWriter()))
        .left();
  }

  private static TransferResult result(
      CopyTest test, int repetition, boolean isCutOff, String note) {
    return new TransferResult(
        test, Contender.SEND, repetition, 1.0, isCutOff, 1_000, null, 0.1, note);
  }
}
