package io.cascade.command.names;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.ConnectException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class AddressRaceTest {
  private final Attempts attempts = new Attempts();

  @Test
  void theNextAddressIsTriedAfterAHeadStartWhileTheFirstIsSilent() {
    CompletableFuture<String> connecting = race(3);
    assertThat(attempts.begun()).containsExactly("192.0.2.1");

    attempts.passHeadStart();

    assertThat(attempts.begun()).containsExactly("192.0.2.1", "192.0.2.2");
    attempts.of("192.0.2.2").complete("second");
    assertThat(connecting).isCompletedWithValue("second");
    assertThat(attempts.of("192.0.2.1")).isCancelled();
    attempts.passHeadStart();
    assertThat(attempts.begun()).as("no third one").hasSize(2);
  }

  @Test
  void theNextAddressIsTriedAtOnceWhereTheFirstFails() {
    CompletableFuture<String> connecting = race(2);

    attempts.of("192.0.2.1").completeExceptionally(new ConnectException("refused"));

    assertThat(attempts.begun()).containsExactly("192.0.2.1", "192.0.2.2");
    attempts.passHeadStart();
    attempts.of("192.0.2.2").complete("second");
    assertThat(connecting).isCompletedWithValue("second");
  }

  @Test
  void theFirstMayStillWin() {
    CompletableFuture<String> connecting = race(2);
    attempts.passHeadStart();

    attempts.of("192.0.2.1").complete("first");

    assertThat(connecting).isCompletedWithValue("first");
    assertThat(attempts.of("192.0.2.2")).isCancelled();
  }

  @Test
  void failsWithTheLastFailureWhereAllFail() {
    CompletableFuture<String> connecting = race(2);
    attempts.passHeadStart();
    attempts.of("192.0.2.2").completeExceptionally(new ConnectException("refused"));
    assertThat(connecting).as("the first may still connect").isNotDone();

    attempts.of("192.0.2.1").completeExceptionally(new ConnectException("no route"));

    assertThatThrownBy(connecting::get).cause().hasMessage("no route");
  }

  @Test
  void triesNoFurtherAddressThatNobodyWaitsFor() {
    CompletableFuture<String> connecting = race(3);
    attempts.wanted = false;

    attempts.passHeadStart();
    attempts.of("192.0.2.1").completeExceptionally(new ConnectException("refused"));

    assertThat(attempts.begun()).hasSize(1);
    assertThat(connecting).isCompletedExceptionally();
  }

  @Test
  void cancellingEndsAllAttempts() {
    CompletableFuture<String> connecting = race(2);
    attempts.passHeadStart();

    connecting.cancel(false);

    assertThat(attempts.dialled.values()).allMatch(CompletableFuture::isCancelled);
  }

  @Test
  void familiesTakeTurnsBeginningWithTheResolversFirst() {
    assertThat(AddressRace.ordered(addresses("2001:db8::1", "2001:db8::2", "192.0.2.1")))
        .isEqualTo(addresses("2001:db8::1", "192.0.2.1", "2001:db8::2"));
    assertThat(AddressRace.ordered(addresses("192.0.2.1", "2001:db8::1", "192.0.2.2")))
        .isEqualTo(addresses("192.0.2.1", "2001:db8::1", "192.0.2.2"));
    assertThat(AddressRace.ordered(List.of())).isEmpty();
  }

  private CompletableFuture<String> race(int addresses) {
    List<InetSocketAddress> all =
        Stream.of("192.0.2.1", "192.0.2.2", "192.0.2.3")
            .limit(addresses)
            .map(each -> new InetSocketAddress(each, 7))
            .toList();
    return new AddressRace<>(all, attempts).begin();
  }

  private static List<InetAddress> addresses(String... literals) {
    return Stream.of(literals).map(InetAddress::ofLiteral).toList();
  }

  /** Attempts that end when told to, and time that passes when told to. */
  private static final class Attempts implements AddressRace.Dialler<String> {
    final Map<String, CompletableFuture<String>> dialled = new LinkedHashMap<>();
    final Deque<Runnable> waiting = new ArrayDeque<>();
    boolean wanted = true;

    List<String> begun() {
      return List.copyOf(dialled.keySet());
    }

    CompletableFuture<String> of(String address) {
      return dialled.getOrDefault(address, new CompletableFuture<>());
    }

    void passHeadStart() {
      List<Runnable> due = new ArrayList<>(waiting);
      waiting.clear();
      due.forEach(Runnable::run);
    }

    @Override
    public CompletableFuture<String> dial(InetSocketAddress to) {
      return dialled.computeIfAbsent(to.getHostString(), _ -> new CompletableFuture<>());
    }

    @Override
    public void later(Duration time, Runnable then) {
      waiting.add(then);
    }

    @Override
    public void discard(String connection) {}

    @Override
    public boolean isWanted() {
      return wanted;
    }
  }
}
