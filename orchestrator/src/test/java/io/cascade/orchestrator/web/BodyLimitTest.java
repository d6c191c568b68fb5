package io.cascade.orchestrator.web;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cascade.orchestrator.problems.ProblemKind;
import io.cascade.orchestrator.problems.Refusal;
import io.cascade.orchestrator.time.Timekeeper;
import jakarta.servlet.ReadListener;
import jakarta.servlet.ServletInputStream;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.lang.reflect.Proxy;
import java.time.Clock;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class BodyLimitTest {
  private final AtomicLong nanos = new AtomicLong();
  private final BodyLimit limit =
      new BodyLimit(new BodyMemory(), new Timekeeper(Clock.systemUTC(), nanos::get));

  @Test
  void aBodyThatTricklesIsGivenUpAtItsDeadline() throws Exception {
    AtomicLong read = new AtomicLong();
    assertThatThrownBy(() -> filter(Duration.ofSeconds(7), read))
        .isInstanceOfSatisfying(
            Refusal.class, refusal -> assertThat(refusal.kind()).isEqualTo(ProblemKind.TOO_SLOW))
        .hasMessage("body (expected: complete within 30 s)");
    assertThat(read).hasValue(4); // seven seconds each
  }

  @Test
  void aBodyWithoutEndIsGivenUpAtItsBound() {
    AtomicLong read = new AtomicLong();
    assertThatThrownBy(() -> filter(Duration.ZERO, read))
        .isInstanceOfSatisfying(
            Refusal.class, refusal -> assertThat(refusal.kind()).isEqualTo(ProblemKind.TOO_LARGE));
    assertThat(read).hasValue(BodyLimit.MOST_BYTES);
  }

  /** Reads a body without end, a byte at a time. */
  private void filter(Duration perByte, AtomicLong read) throws Exception {
    HttpServletRequest request =
        fake(
            HttpServletRequest.class,
            name ->
                switch (name) {
                  case "getContentLengthLong" -> -1L;
                  case "getInputStream" -> new Endless(perByte);
                  default -> throw new UnsupportedOperationException(name);
                });
    limit.doFilterInternal(
        request,
        fake(
            HttpServletResponse.class,
            name -> {
              throw new UnsupportedOperationException(name);
            }),
        (bounded, _) -> {
          ServletInputStream body = bounded.getInputStream();
          while (body.read() >= 0) {
            read.incrementAndGet();
          }
        });
  }

  @FunctionalInterface
  private interface Behaviour {
    Object of(String method);
  }

  private static <T> T fake(Class<T> type, Behaviour behaviour) {
    return type.cast(
        Proxy.newProxyInstance(
            type.getClassLoader(),
            new Class<?>[] {type},
            (_, method, _) -> behaviour.of(method.getName())));
  }

  private final class Endless extends ServletInputStream {
    private final Duration perByte;

    Endless(Duration perByte) {
      this.perByte = perByte;
    }

    @Override
    public int read() {
      nanos.addAndGet(perByte.toNanos());
      return ' ';
    }

    @Override
    public int read(byte[] target, int offset, int length) {
      target[offset] = (byte) read();
      return 1;
    }

    @Override
    public boolean isFinished() {
      return false;
    }

    @Override
    public boolean isReady() {
      return true;
    }

    @Override
    public void setReadListener(ReadListener listener) {
      throw new UnsupportedOperationException();
    }
  }
}
