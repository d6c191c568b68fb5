package io.cascade.relay.names;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class NameLookupsTest {
  private static final InetAddress FOUND = InetAddress.ofLiteral("192.0.2.7");
  private static final Duration LONG = Duration.ofMinutes(1);

  private final CountDownLatch answers = new CountDownLatch(1);
  private final AtomicInteger asked = new AtomicInteger();
  private final NameLookups names = new NameLookups(this::slowly);

  @AfterEach
  void answer() {
    answers.countDown();
  }

  @Test
  void lookUpsOfOneNameAreOne() throws Exception {
    List<CompletableFuture<List<InetAddress>>> all = new ArrayList<>();
    for (int i = 0; i < 100; i++) {
      all.add(names.lookUp("slow.example", LONG));
    }
    answers.countDown();
    for (CompletableFuture<List<InetAddress>> each : all) {
      assertThat(each.get()).containsExactly(FOUND);
    }
    assertThat(asked).hasValue(1);
    assertThat(names.lookUp("slow.example", LONG).get()).containsExactly(FOUND);
    assertThat(asked).hasValue(2);
  }

  @Test
  void whatIsNotAnsweredFailsInTimeAndItsPlaceIsKeptUntilItIs() {
    for (int i = 0; i < 3; i++) {
      assertThatThrownBy(() -> names.lookUp("slow.example", Duration.ofMillis(10)).get())
          .hasCauseInstanceOf(TimeoutException.class);
    }
    assertThat(asked).hasValue(1);
  }

  @Test
  void aNameThatNobodyWaitsForAnyMoreIsNotLookedUp() throws Exception {
    for (int i = 0; i < NameLookups.MOST; i++) {
      var _ = names.lookUp("slow" + i + ".example", LONG);
    }
    CompletableFuture<List<InetAddress>> behind =
        names.lookUp("behind.example", Duration.ofMillis(10));
    assertThatThrownBy(behind::get).hasCauseInstanceOf(TimeoutException.class);
    answers.countDown();
    assertThat(names.lookUp("last.example", LONG).get()).containsExactly(FOUND);
    await().untilAsserted(() -> assertThat(asked).hasValue(NameLookups.MOST + 1));
  }

  @Test
  void onlySoManyNamesWait() {
    int most = NameLookups.MOST + NameLookups.WAITING;
    for (int i = 0; i < most; i++) {
      assertThat(names.lookUp("slow" + i + ".example", LONG)).isNotDone();
    }
    assertThatThrownBy(() -> names.lookUp("more.example", LONG).get())
        .hasCauseInstanceOf(RejectedExecutionException.class);
    assertThat(names.lookUp("slow1.example", LONG)).isNotDone();
    assertThat(names.lookUp("2001:db8::1", LONG)).isCompleted();
  }

  @Test
  void aNameWithoutAddressIsUnknown() {
    answers.countDown();
    assertThatThrownBy(() -> names.lookUp("gone.invalid", LONG).get())
        .hasCauseInstanceOf(UnknownHostException.class);
  }

  /** The threads under the virtual ones are for all other work. */
  private List<InetAddress> slowly(String host) throws UnknownHostException {
    asked.incrementAndGet();
    assertThat(Thread.currentThread().isVirtual()).isFalse();
    try {
      answers.await();
    } catch (InterruptedException e) {
      throw new UnknownHostException("interrupted");
    }
    if (host.endsWith(".invalid")) {
      throw new UnknownHostException(host);
    }
    return List.of(FOUND);
  }
}
