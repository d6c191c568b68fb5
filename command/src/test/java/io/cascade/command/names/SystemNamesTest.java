package io.cascade.command.names;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.net.spi.InetAddressResolver;
import java.net.spi.InetAddressResolverProvider;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.ServiceLoader;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class SystemNamesTest {
  private static final InetAddressResolver.LookupPolicy ANY =
      InetAddressResolver.LookupPolicy.of(
          InetAddressResolver.LookupPolicy.IPV4 | InetAddressResolver.LookupPolicy.IPV6);
  private static final InetAddress FOUND = InetAddress.ofLiteral("192.0.2.7");

  private final CountDownLatch answers = new CountDownLatch(1);
  private final AtomicInteger asked = new AtomicInteger();
  private final ThreadPoolExecutor threads = LookupThreads.pool("test-names", 2, 4);

  @AfterEach
  void stop() {
    answers.countDown();
    threads.shutdownNow();
  }

  @Test
  void theJdkUsesIt() {
    assertThat(ServiceLoader.load(InetAddressResolverProvider.class))
        .hasAtLeastOneElementOfType(SystemNames.class);
  }

  @Test
  void looksUpForVirtualThreadsOnPlatformThreads() throws Exception {
    answers.countDown();
    assertThat(onVirtualThread(() -> addresses("a.example"))).containsExactly(FOUND);
    assertThat(onVirtualThread(() -> resolver().lookupByAddress(FOUND.getAddress())))
        .isEqualTo("on a platform thread: true");
    assertThat(addresses("b.example")).containsExactly(FOUND);
  }

  /** Virtual threads that wait for names leave their carriers to others. */
  @Test
  void whatIsNotAnsweredStopsNoOtherVirtualThread() throws Exception {
    SystemNames.Resolver patient = resolver(Duration.ofMinutes(1));
    try (ExecutorService virtual = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Future<?>> waiting = new ArrayList<>();
      for (int i = 0; i < 6; i++) {
        String host = "slow" + i + ".example";
        waiting.add(virtual.submit(() -> patient.lookupByName(host, ANY)));
      }
      assertThat(virtual.submit(() -> 42).get()).isEqualTo(42);
      answers.countDown();
      for (Future<?> each : waiting) {
        each.get();
      }
    }
  }

  @Test
  void aLookUpHasADeadlineAndOnlySoManyWait() throws Exception {
    for (int i = 0; i < 2; i++) {
      assertThatThrownBy(() -> onVirtualThread(() -> addresses("slow.example")))
          .hasRootCauseInstanceOf(java.util.concurrent.TimeoutException.class);
    }
    for (int i = 0; i < 10; i++) { // those that gave up leave their places
      assertThatThrownBy(() -> onVirtualThread(() -> addresses("next.example")))
          .hasRootCauseInstanceOf(java.util.concurrent.TimeoutException.class);
    }
    assertThat(asked).hasValue(2);
  }

  @Test
  void aNameThatThereIsNotIsUnknown() {
    answers.countDown();
    assertThatThrownBy(() -> onVirtualThread(() -> addresses("gone.invalid")))
        .hasRootCauseInstanceOf(UnknownHostException.class)
        .hasRootCauseMessage("gone.invalid");
  }

  private List<InetAddress> addresses(String host) throws UnknownHostException {
    return resolver().lookupByName(host, ANY).toList();
  }

  private SystemNames.Resolver resolver() {
    return resolver(Duration.ofMillis(20));
  }

  private SystemNames.Resolver resolver(Duration deadline) {
    return new SystemNames.Resolver(new Slow(), threads, deadline);
  }

  private static <T> T onVirtualThread(Callable<T> call) throws Exception {
    FutureTask<T> task = new FutureTask<>(call);
    Thread.startVirtualThread(task);
    return task.get();
  }

  /** Answers when it may. */
  private final class Slow implements InetAddressResolver {
    @Override
    public Stream<InetAddress> lookupByName(String host, LookupPolicy policy)
        throws UnknownHostException {
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
      return Stream.of(FOUND);
    }

    @Override
    public String lookupByAddress(byte[] address) {
      return "on a platform thread: " + !Thread.currentThread().isVirtual();
    }
  }
}
