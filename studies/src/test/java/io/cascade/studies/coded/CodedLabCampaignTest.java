package io.cascade.studies.coded;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class CodedLabCampaignTest {
  private static final LabCell ONE = new LabCell(10, 50, 1, "0%", LabCell.CODED, "cubic");
  private static final LabCell OTHER = new LabCell(10, 50, 1, "5%", LabCell.CODED, "");

  @Test
  void runsAreInterleavedAndThoseThatAreThereAreNotRepeated() {
    List<LabRun> there =
        List.of(Runs.of(ONE, 1, 0.5, 0.5), LabRun.failed(OTHER, 1, "the emulator"));
    assertThat(CodedLabCampaign.missing(List.of(ONE, OTHER), 2, there))
        .extracting(LabRun::key)
        .containsExactly(LabRun.key(OTHER, 1), LabRun.key(ONE, 2), LabRun.key(OTHER, 2));
  }

  @Test
  void theGateHasEveryCellOnceAndAllKeysDiffer() {
    List<LabCell> all = new ArrayList<>(LabCell.gate());
    assertThat(all.stream().filter(LabCell::isGate)).hasSize(120);
    assertThat(all).as("with a second flow of TCP instead").hasSize(144);
    all.addAll(LabCell.alone());
    assertThat(all).doesNotHaveDuplicates();
    assertThat(all.stream().map(LabCell::key)).doesNotHaveDuplicates();
  }
}
