package io.cascade.orchestrator.chains;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.cascade.api.orchestrator.CodedCarrier;
import io.cascade.api.orchestrator.CodedHop;
import io.cascade.api.orchestrator.HopAddress;
import io.cascade.model.calibration.LinkTransfer;
import org.junit.jupiter.api.Test;

class CodedEvidenceTest {

  private static CodedHop hop(String mode, long sources, long repairs, double loss, double base) {
    return CodedHop.builder()
        .hop(new HopAddress(0, 0, 1))
        .carrier(CodedCarrier.UDP)
        .sessions(1)
        .streams(1)
        .lossShare(loss)
        .baseLossShare(base)
        .mode(mode)
        .roundTripMillis(40.0)
        .sourceSymbols(sources)
        .repairSymbols(repairs)
        .capacityBitsPerSecond(193e6)
        .build();
  }

  /**
   * 80,000 packets in 10 s are 92.7 Mbit/s of TCP's payload: what 98.4 Mbit/s on the wire carry.
   */
  @Test
  void theMeanOfWhatPassedIsTheCapacityWhereDataWaitedAndNobodyElseWasThere() {
    LinkTransfer found =
        CodedEvidence.transfer(
                hop("delay", 0, 0, 0.02, 0.02), hop("delay", 78_000, 2_000, 0.02, 0.02), 10, true)
            .orElseThrow();
    assertThat(found.filledBitsPerSecond().orElseThrow()).isCloseTo(92.7e6, within(0.1e6));
    assertThat(found.losses()).isCloseTo(1_600, within(2.0));
    assertThat(found.packets()).isEqualTo(80_000);
    assertThat(found.bitsPerSecond()).isCloseTo(89.0e6, within(0.1e6));
  }

  /** Bunched arrivals make the controller's estimate twice the link's rate for a moment. */
  @Test
  void noRateIsAboveWhatWasSeenToPass() {
    LinkTransfer found =
        CodedEvidence.transfer(
                hop("delay", 0, 0, 0.5, 0.02), hop("delay", 80_000, 0, 0.5, 0.02), 10, true)
            .orElseThrow();
    double arrived = 40_000 * 1_448 * 8 / 10.0;
    assertThat(found.filledBitsPerSecond().orElseThrow())
        .isCloseTo(arrived / 0.98, within(0.01 * arrived));
    assertThat(found.bitsPerSecond()).isLessThanOrEqualTo(arrived);
  }

  @Test
  void aSharedOrIdleHopShowsNoCapacity() {
    CodedHop before = hop("delay", 0, 0, 0.02, 0.02);
    assertThat(
            CodedEvidence.transfer(before, hop("compete", 80_000, 0, 0.02, 0.02), 10, true)
                .orElseThrow()
                .filledBitsPerSecond())
        .isEmpty();
    assertThat(
            CodedEvidence.transfer(before, hop("delay", 80_000, 0, 0.02, 0.02), 10, false)
                .orElseThrow()
                .filledBitsPerSecond())
        .isEmpty();
  }

  @Test
  void aNewSessionOrLittleDataShowsNothing() {
    CodedHop before = hop("delay", 5_000, 0, 0.02, 0.02);
    assertThat(CodedEvidence.transfer(before, hop("delay", 100, 0, 0, 0), 10, true)).isEmpty();
    assertThat(CodedEvidence.transfer(before, hop("delay", 5_100, 0, 0, 0), 10, true)).isEmpty();
    assertThat(CodedEvidence.transfer(null, before, 10, true)).isEmpty();
  }
}
