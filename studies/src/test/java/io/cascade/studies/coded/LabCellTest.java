package io.cascade.studies.coded;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class LabCellTest {
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
