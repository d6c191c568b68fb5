package io.cascade.orchestrator.chains;

import static org.assertj.core.api.Assertions.assertThat;

import io.cascade.api.orchestrator.HopTransport;
import io.cascade.api.orchestrator.SetupMode;
import io.cascade.api.orchestrator.SetupReport;
import io.cascade.contract.RouteHops;
import io.cascade.orchestrator.links.PathEnds;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** The links of a chain that was set up are tested, where nothing was seen of them lately. */
class FirstUseTestsTest {
  private final Map<UUID, RouteHops> live = new HashMap<>();
  private final Set<PathEnds> seen = new HashSet<>();
  private final List<PathEnds> tested = new ArrayList<>();
  private final Queue<Runnable> later = new ArrayDeque<>();
  private final FirstUseTests tests =
      new FirstUseTests(
          id -> Optional.ofNullable(live.get(id)),
          new FirstUseTests.Links() {
            @Override
            public boolean isUntested(PathEnds link) {
              return !seen.contains(link);
            }

            @Override
            public void test(PathEnds link) {
              tested.add(link);
            }
          },
          later::add);

  @Test
  void linksOfWhichNothingWasSeenAreTestedLater() {
    seen.add(new PathEnds("r2", "r3"));
    setUp(true, "r1", "r2", "r3", "r4");
    assertThat(tested).as("before its time").isEmpty();

    later.remove().run();

    assertThat(tested).containsExactly(new PathEnds("r1", "r2"), new PathEnds("r3", "r4"));
  }

  @Test
  void whatItsFirstStreamHasShownIsNotTested() {
    setUp(true, "r1", "r2");
    seen.add(new PathEnds("r1", "r2"));
    later.remove().run();

    assertThat(tested).isEmpty();
  }

  @Test
  void aChainThatHasEndedByThenIsLeftAlone() {
    UUID chain = setUp(true, "r1", "r2");
    live.remove(chain);
    later.remove().run();

    assertThat(tested).isEmpty();
  }

  @Test
  void aSetUpThatFailedCallsForNothing() {
    setUp(false, "r1", "r2");

    assertThat(later).isEmpty();
  }

  private UUID setUp(boolean ready, String... relays) {
    UUID chain = UUID.randomUUID();
    live.put(chain, RouteHops.cascade(List.of(relays), HopTransport.TCP));
    tests.on(
        new ChainFact.SetUp(
            chain,
            SetupReport.builder()
                .mode(SetupMode.PARALLEL)
                .attempt(1)
                .elapsedMillis(1.0)
                .sequentialMillis(1.0)
                .relays(List.of())
                .build(),
            ready));
    return chain;
  }
}
