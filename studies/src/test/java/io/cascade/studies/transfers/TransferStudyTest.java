package io.cascade.studies.transfers;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

class TransferStudyTest {
  private static final CopyTest FILE = CopyTest.file(1_000_000);
  private static final CopyTest SMALL = CopyTest.small(100);

  private final List<TransferResult> results = new ArrayList<>();

  @Test
  void contendersTakeTurnsInTestsThatTheyTake() {
    assertThat(left(Contender.SEND, Contender.TAR, Contender.SCP))
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
    results.add(result(FILE, 0, false, ""));
    results.add(result(FILE, 1, false, "no such host"));

    assertThat(left(Contender.SEND))
        .containsExactly(
            "a file of 1 MB, send #1", "100 small files, send #0", "100 small files, send #1");
  }

  @Test
  void whatWasCutOffIsNotRunAgainInThatTest() {
    results.add(result(SMALL, 0, true, ""));

    assertThat(left(Contender.SEND))
        .containsExactly("a file of 1 MB, send #0", "a file of 1 MB, send #1");
  }

  private List<String> left(Contender... contenders) {
    TransferStudy study = new TransferStudy(List.of(contenders));
    Map<String, TransferResult> there =
        results.stream().collect(Collectors.toMap(TransferResult::key, result -> result));
    return TransferStudy.copies(List.of(FILE, SMALL), List.of(contenders), 2, results).stream()
        .filter(copy -> {
          TransferResult result = there.get(study.key(copy));
          return result == null || !study.isAnswered(copy, result);
        })
        .map(study::key)
        .toList();
  }

  private static TransferResult result(
      CopyTest test, int repetition, boolean isCutOff, String note) {
    return new TransferResult(
        test, Contender.SEND, repetition, 1.0, isCutOff, 1_000, null, 0.1, note);
  }
}
