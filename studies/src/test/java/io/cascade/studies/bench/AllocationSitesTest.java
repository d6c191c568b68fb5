package io.cascade.studies.bench;

import static org.assertj.core.api.Assertions.assertThat;

import io.cascade.studies.bench.AllocationSites.Site;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import jdk.jfr.Recording;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Allocation sites of a recording of this very process. */
class AllocationSitesTest {
  private static final int MIB = 1 << 20;
  private static final Site OWN = new Site("byte[]", "AllocationSitesTest.own", "");
  private static final Site COPIED =
      new Site("long[]", "Arrays.copyOf", "AllocationSitesTest.copies");

  @TempDir Path folder;

  /** Objects that no compiler can do without. */
  private final Object[] escaped = new Object[1];

  @Test
  void namesWhoAllocatesAndHowMuch() throws IOException {
    own(64); // Before the recording, so of no account.
    Path file = folder.resolve("allocations.jfr");
    Instant from;
    Instant to;
    try (Recording recording = new Recording()) {
      recording.enable(AllocationSites.EVENT).withStackTrace().with("throttle", "off");
      recording.start();
      own(8);
      from = Instant.now();
      own(32);
      copies(16);
      to = Instant.now();
      copies(64);
      recording.dump(file);
    }

    AllocationSites sites = AllocationSites.read(file, from, to);

    assertThat(sites.samples()).isPositive();
    List<Site> greatest = sites.greatest(2).stream().map(Map.Entry::getKey).toList();
    assertThat(greatest).containsExactly(OWN, COPIED);
    // A sample is taken where a thread's buffer is full, which may be some MiB later.
    assertThat(sites.bytesBySite().get(OWN)).isBetween(24L * MIB, 40L * MIB);
    assertThat(sites.bytesBySite().get(COPIED)).isBetween(8L * MIB, 24L * MIB);
  }

  @Test
  void classesAreNamedAsInSource() {
    assertThat(AllocationSites.simple("[B")).isEqualTo("byte[]");
    assertThat(AllocationSites.simple("[[Ljava.lang.String;")).isEqualTo("String[][]");
    assertThat(AllocationSites.simple("io.cascade.relay.pump.Pump$Chunk")).isEqualTo("Pump$Chunk");
    assertThat(AllocationSites.simple("java.lang.invoke.LambdaForm$MH/0x00007f1c01004400"))
        .isEqualTo("LambdaForm$MH");
  }

  @Test
  void countsTheBytesOfPlacesThatAreNotNamed() {
    AllocationSites sites =
        new AllocationSites(
            12, 1_200, Map.of(new Site("A", "a", ""), 900L, new Site("B", "b", ""), 300L));

    assertThat(sites.greatest(1)).extracting(Map.Entry::getValue).containsExactly(900L);
    AllocationProfile profile =
        AllocationProfile.of("bulk, 1 stream", "cascade copy", "GiB", 4, sites);
    assertThat(profile.described())
        .isEqualTo("bulk, 1 stream, cascade copy: 300 bytes per GiB in all (12 samples, 4.0 GiB)");
    assertThat(profile.places())
        .containsExactly(
            new AllocationProfile.Place("A", "a", "", 225, 0.75),
            new AllocationProfile.Place("B", "b", "", 75, 0.25));
  }

  private void own(int mebibytes) {
    for (int i = 0; i < mebibytes * 1_024; i++) {
      escaped[0] = new byte[1_024];
    }
  }

  private void copies(int mebibytes) {
    long[] original = new long[127]; // A copy of the same length would be a clone.
    for (int i = 0; i < mebibytes * 1_024; i++) {
      escaped[0] = Arrays.copyOf(original, 128);
    }
  }
}
