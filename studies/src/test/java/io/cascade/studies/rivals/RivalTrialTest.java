package io.cascade.studies.rivals;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.cascade.studies.rivals.RivalPath.Hop;
import io.cascade.studies.rivals.RivalPath.Udp;
import io.cascade.studies.rivals.RivalResult.Run;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Rivals that need no program, over a network of two links. */
@Tag("slow")
class RivalTrialTest {
  @BeforeAll
  static void needsNetworksOfItsOwn() throws Exception {
    boolean root = Files.getAttribute(Path.of("/proc/self"), "unix:uid").equals(0);
    assumeTrue(root, "SKIPPED: needs root");
    assumeTrue(Files.exists(Path.of("/dev/net/tun")), "SKIPPED: needs /dev/net/tun");
    assumeTrue(Files.exists(Path.of("/usr/sbin/nft")), "SKIPPED: needs nft");
  }

  @Test
  void everyRivalMovesTheFileInEveryRepetition() throws Exception {
    List<Competitor> rivals =
        Competitor.atHand().stream()
            .filter(List.of(Competitor.TCP, Competitor.BBR, Competitor.EIGHT)::contains)
            .toList();
    RivalPath path =
        new RivalPath(
            "some",
            1,
            300_000,
            Udp.POLICED,
            5,
            List.of(
                new Hop("s1", false, 4, 100, 0.01, 1, 100_000),
                new Hop(RivalPath.SERVER, false, 4, 50, 0, 1, 100_000)));

    RivalResult result =
        new RivalTrial(path, 2, rivals).run("rivals-" + ProcessHandle.current().pid());

    assertThat(result.runs()).hasSize(2 * rivals.size());
    assertThat(result.runs()).noneMatch(Run::isCutOff);
    for (Run run : result.runs()) {
      assertThat(run.seconds()).as(run.toString()).isNotNull();
      // No path is quicker than light, nor is its measurement.
      assertThat(run.seconds()).isGreaterThan(path.rttSeconds());
    }
  }
}
