package io.cascade.client.entries;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cascade.client.entries.Entry.Kind;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.BitSet;
import java.util.Deque;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What the receiver has is not sent again, and asking for it costs few round trips. */
@Timeout(60)
class OffersTest {
  @TempDir Path temporary = Path.of("");
  private Path source = Path.of("");
  private Path destination = Path.of("");

  @BeforeEach
  void folders() throws IOException {
    source = Files.createDirectory(temporary.resolve("tree"));
    destination = Files.createDirectory(temporary.resolve("received"));
  }

  /** A wire on which an answer arrives a round trip after its manifest. Its time is virtual. */
  private static final class DelayedWire implements Offers.Wire {
    private record Sent(Wanted answer, long arrives) {}

    private final Holdings holdings;
    private final Deque<Sent> under = new ArrayDeque<>();
    private long now;
    private int most;

    DelayedWire(Holdings holdings) {
      this.holdings = holdings;
    }

    @Override
    public void offer(Manifest manifest) throws IOException {
      under.add(new Sent(holdings.answer(manifest), now + 160));
      most = Math.max(most, under.size());
    }

    @Override
    public Wanted await() {
      Sent first = under.remove();
      now = Math.max(now, first.arrives());
      return first.answer();
    }
  }

  private Extracted update() throws IOException {
    try (Holdings holdings = new Holdings(destination);
        Offers offers = new Offers(Trees.walk(source), new DelayedWire(holdings));
        FolderStream stream = new FolderStream(Trees.walk(source), offers, EntryListener.SILENT)) {
      return Trees.extract(Trees.drain(stream), destination, true);
    }
  }

  @Test
  void whatIsThereIsNotSentAgain() throws IOException {
    Trees.fill(source, new Random(5), 4);
    assertThat(update().files()).isPositive();
    Extracted again = update();
    assertThat(again.files()).isZero();
    assertThat(again.links()).isZero();
    assertThat(Trees.look(destination.resolve("tree"))).isEqualTo(Trees.look(source));
  }

  @Test
  void whatChangedOrIsNewIsSent() throws IOException {
    for (String name : List.of("a", "b", "c")) {
      Files.writeString(source.resolve(name), name);
    }
    update();
    Files.writeString(source.resolve("b"), "longer");
    Files.writeString(source.resolve("d"), "new");
    Extracted again = update();
    assertThat(again.files()).isEqualTo(2);
    assertThat(again.refused().lines()).isEmpty();
    assertThat(Trees.look(destination.resolve("tree"))).isEqualTo(Trees.look(source));
  }

  @Test
  void manyFilesCostFewRoundTripsAndABoundedNumberIsUnderWay() throws IOException {
    for (int i = 0; i < 10_000; i++) {
      Files.createFile(source.resolve("f" + i));
    }
    try (Holdings holdings = new Holdings(destination)) {
      DelayedWire wire = new DelayedWire(holdings);
      int wanted = 0;
      try (Offers offers = new Offers(Trees.walk(source), wire);
          EntryWalk walk = Trees.walk(source)) {
        for (Entry entry = walk.next(); entry != null; entry = walk.next()) {
          if (entry.kind() != Kind.FOLDER && offers.wants(entry)) {
            wanted++;
          }
        }
      }
      assertThat(wanted).isEqualTo(10_000);
      assertThat(wire.most).isEqualTo(Offers.MOST_OPEN);
      assertThat(wire.now).isLessThanOrEqualTo(2 * 160);
    }
  }

  @Test
  void whatAppearsOrVanishesBetweenTheWalksIsNoError() throws IOException {
    for (String name : List.of("b", "c", "e")) {
      Files.writeString(source.resolve(name), name);
    }
    update();
    try (Holdings holdings = new Holdings(destination);
        Offers offers = new Offers(Trees.walk(source), new DelayedWire(holdings))) {
      BitSet sent = new BitSet();
      List<String> now = List.of("a", "b", "d", "e", "f");
      for (int i = 0; i < now.size(); i++) {
        Path path = source.resolve(now.get(i));
        Instant modified =
            Files.exists(path) ? Files.getLastModifiedTime(path).toInstant() : Instant.EPOCH;
        sent.set(
            i, offers.wants(new Entry("tree/" + now.get(i), Kind.FILE, 1, modified, 0644, "")));
      }
      assertThat(sent).hasToString("{0, 2, 4}");
    }
  }

  @Test
  void anAnswerToAnotherManifestIsRefused() throws IOException {
    Files.writeString(source.resolve("a"), "a");
    Offers.Wire wrong =
        new Offers.Wire() {
          @Override
          public void offer(Manifest manifest) {}

          @Override
          public Wanted await() {
            return new Wanted(7, new BitSet());
          }
        };
    try (Offers offers = new Offers(Trees.walk(source), wrong)) {
      Entry entry = new Entry("tree/a", Kind.FILE, 1, Instant.EPOCH, 0644, "");
      assertThatThrownBy(() -> offers.wants(entry)).hasMessageContaining("was not asked");
    }
  }

  @Test
  void manifestsDoNotAskForWhatIsOutside() throws IOException {
    Files.writeString(temporary.resolve("secret"), "s");
    Files.createSymbolicLink(destination.resolve("l"), temporary);
    Instant modified = Files.getLastModifiedTime(temporary.resolve("secret")).toInstant();
    try (Holdings holdings = new Holdings(destination)) {
      Wanted answer =
          holdings.answer(
              new Manifest(0, List.of(new Entry("l/secret", Kind.FILE, 1, modified, 0644, ""))));
      assertThat(answer.entries().cardinality()).isEqualTo(1);
      for (String path : List.of("../secret", "/secret", "..", "a/../../secret")) {
        assertThatThrownBy(() ->
                holdings.answer(
                    new Manifest(1, List.of(new Entry(path, Kind.FILE, 1, modified, 0644, "")))))
            .isInstanceOf(EntriesFailed.class);
      }
    }
  }
}
