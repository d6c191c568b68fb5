package io.cascade.api.control;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cascade.api.client.BoundedExchange.Bounds;
import io.cascade.api.client.BoundedExchange.Response;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.LinkedBlockingQueue;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class ControlCallsTest {
  private static final Bounds BOUNDS = new Bounds(Duration.ofSeconds(30), 100_000);

  private final BlockingQueue<ControlMessage> requests = new LinkedBlockingQueue<>();
  private final ControlMessages arriving = new ControlMessages(8, 1 << 20);
  private final ControlCalls calls = new ControlCalls(this::take);

  private void take(ByteBuffer frame) {
    ControlMessage whole = arriving.add(frame);
    if (whole != null) {
      requests.add(whole);
    }
  }

  @Test
  void eachCallGetsTheAnswerThatHasItsNumber() throws Exception {
    CompletableFuture<Response> first = call("GET", "/first", null);
    ControlMessage one = requests.take();
    CompletableFuture<Response> second = call("PUT", "/second?x=1", "{}");
    ControlMessage two = requests.take();
    assertThat(one.line()).isEqualTo("GET /first");
    assertThat(two).isEqualTo(new ControlMessage(two.number(), "PUT /second?x=1", "{}"));

    answer(two, "404 application/problem+json", "no");
    answer(one, "200 application/json", "yes");

    assertThat(first.join()).isEqualTo(new Response(200, "yes"));
    assertThat(second.join()).isEqualTo(new Response(404, "no"));
  }

  @Test
  void aLongRequestDelaysNoOther() throws Exception {
    List<Integer> sizes = new CopyOnWriteArrayList<>();
    CompletableFuture<Void> gate = new CompletableFuture<>();
    ControlCalls slow =
        new ControlCalls(frame -> {
          sizes.add(frame.remaining());
          gate.join();
        });
    CompletableFuture<?> large = call(slow, "PUT", "/large", "x".repeat(300_000), BOUNDS);
    while (sizes.isEmpty()) {
      Thread.onSpinWait();
    }
    CompletableFuture<?> small = call(slow, "GET", "/small", null, BOUNDS);
    while (slow.waiting() < 2) {
      Thread.onSpinWait();
    }

    gate.complete(null);
    while (sizes.size() < 20) {
      Thread.onSpinWait();
    }

    assertThat(sizes.indexOf(sizes.stream().min(Integer::compare).orElseThrow()))
        .as("the small one goes between frames of the large one")
        .isLessThan(10);
    slow.end("done");
    assertThatThrownBy(large::join).hasRootCauseInstanceOf(IOException.class);
    assertThatThrownBy(small::join).hasRootCauseInstanceOf(IOException.class);
  }

  @Test
  void callsFailWhenTheConnectionEndsAndAfterwards() throws Exception {
    CompletableFuture<Response> waiting = call("GET", "/x", null);
    requests.take();

    calls.end("it ended");

    assertThatThrownBy(waiting::join).hasStackTraceContaining("it ended");
    assertThatThrownBy(() -> calls.send("GET", "/x", null, BOUNDS)).hasMessage("it ended");
    assertThat(calls.waiting()).isZero();
  }

  @Test
  void aCallHasADeadlineAndItsAnswerALimit() throws Exception {
    assertThatThrownBy(() -> calls.send("GET", "/x", null, new Bounds(Duration.ofMillis(20), 100)))
        .hasMessageContaining("no complete answer within 0.02 s");
    answer(requests.take(), "200 application/json", "late");

    CompletableFuture<Response> large = call("GET", "/y", null);
    answer(requests.take(), "200 application/json", "x".repeat(100_001));

    assertThatThrownBy(large::join).hasStackTraceContaining("more than 100000 bytes");
    assertThat(calls.waiting()).isZero();
  }

  @Test
  void whatNobodyAskedForIsNotKept() {
    String body = "x".repeat(1 << 20);
    for (long number = 0; number < 100; number++) {
      begun(1_000 + number, body).forEach(calls::received);
    }
    assertThat(calls.held()).isZero();
  }

  @Test
  void whatIsBegunOfAnAnswerGoesWithItsCall() throws Exception {
    CompletableFuture<Response> call = call("GET", "/x", null);
    ControlMessage request = requests.take();
    begun(request.number(), "x".repeat(50_000)).forEach(calls::received);
    assertThat(calls.held()).isPositive();

    calls.end("replaced");
    assertThatThrownBy(call::join).hasStackTraceContaining("replaced");
    begun(request.number(), "x".repeat(50_000)).forEach(calls::received);

    assertThat(calls.held()).isZero();
  }

  @Test
  void anAnswerThatIsTooLongFailsItsCallBeforeItsEndAndNoOther() throws Exception {
    CompletableFuture<Response> longer = call("GET", "/long", null);
    ControlMessage one = requests.take();
    CompletableFuture<Response> other = call("GET", "/other", null);
    ControlMessage two = requests.take();

    begun(one.number(), "x".repeat(200_000)).forEach(calls::received);

    assertThatThrownBy(longer::join).hasStackTraceContaining("more than 100000 bytes");
    assertThat(calls.held()).isZero();
    answer(two, "200 application/json", "yes");
    assertThat(other.join()).isEqualTo(new Response(200, "yes"));
  }

  @Test
  void answersThatAreNotWholeHaveABoundTogether() throws Exception {
    List<CompletableFuture<Response>> under = new ArrayList<>();
    Bounds large = new Bounds(Duration.ofSeconds(30), 16 << 20);
    for (int i = 0; i < 3; i++) {
      under.add(call(calls, "GET", "/list", null, large));
      begun(requests.take().number(), "x".repeat(15 << 20)).forEach(calls::received);
    }

    assertThatThrownBy(under.get(2)::join).hasStackTraceContaining("bytes of answers at a time");
    assertThat(calls.waiting()).isEqualTo(2);
    assertThat(calls.held()).isBetween(20L << 20, ControlCalls.MOST_HELD_BYTES);
    calls.end("done");
  }

  /** The frames of an answer without the last. */
  private static List<ByteBuffer> begun(long number, String body) {
    List<ByteBuffer> frames = new ControlMessage(number, "200 application/json", body).frames();
    return frames.subList(0, frames.size() - 1);
  }

  private CompletableFuture<Response> call(String method, String path, @Nullable String body) {
    return call(calls, method, path, body, BOUNDS);
  }

  private static CompletableFuture<Response> call(
      ControlCalls by, String method, String path, @Nullable String body, Bounds bounds) {
    CompletableFuture<Response> answer = new CompletableFuture<>();
    Thread.startVirtualThread(() -> {
      try {
        answer.complete(by.send(method, path, body, bounds));
      } catch (IOException e) {
        answer.completeExceptionally(new CompletionException(e));
      }
    });
    return answer;
  }

  private void answer(ControlMessage request, String line, String body) {
    new ControlMessage(request.number(), line, body).frames().forEach(calls::received);
  }
}
