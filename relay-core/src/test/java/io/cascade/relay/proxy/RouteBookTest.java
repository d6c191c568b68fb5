package io.cascade.relay.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class RouteBookTest {
  private static final UUID CHAIN = UUID.randomUUID();
  private static final Duration VALID = Duration.ofSeconds(60);

  private final AtomicLong now = new AtomicLong();
  private final Queue<Runnable> questions = new ArrayDeque<>();
  private final List<String> asked = new ArrayList<>();
  private Route answer = new Route(CHAIN, VALID);

  private final RouteBook book =
      new RouteBook(
          destination -> {
            asked.add(destination);
            return answer;
          },
          2,
          questions::add,
          now::get);

  @Test
  void theFirstStreamGoesDirectlyAndLaterOnesThroughTheChainOnceItIsThere() {
    assertThat(book.chainTo("a:1")).isNull();
    assertThat(book.chainTo("a:1")).isNull();
    plan();
    assertThat(book.chainTo("a:1")).isEqualTo(CHAIN);
    assertThat(asked).containsExactly("a:1");
  }

  @Test
  void anOldRouteIsGoodUntilANewOneIsKnown() {
    book.chainTo("a:1");
    plan();
    now.addAndGet(VALID.toNanos());
    answer = new Route(null, VALID);
    assertThat(book.chainTo("a:1")).isEqualTo(CHAIN);
    assertThat(book.chainTo("a:1")).isEqualTo(CHAIN);
    plan();
    assertThat(book.chainTo("a:1")).isNull();
    assertThat(asked).hasSize(2);
  }

  @Test
  void aChainThatFailedIsNotTakenUntilThePlannerNamesOneAgain() {
    book.chainTo("a:1");
    plan();
    book.failed("a:1", CHAIN);
    assertThat(book.chainTo("a:1")).isNull();
    assertThat(questions).isEmpty();
    now.addAndGet(RouteBook.RETRY.toNanos());
    book.chainTo("a:1");
    plan();
    assertThat(book.chainTo("a:1")).isEqualTo(CHAIN);
  }

  @Test
  void aPlannerThatCannotSayIsAskedAgainAfterAWhile() {
    RouteBook unanswered =
        new RouteBook(
            _ -> {
              throw new IllegalStateException("away");
            },
            2,
            questions::add,
            now::get);
    unanswered.chainTo("a:1");
    plan();
    assertThat(unanswered.chainTo("a:1")).isNull();
    assertThat(questions).isEmpty();
    now.addAndGet(RouteBook.RETRY.toNanos());
    unanswered.chainTo("a:1");
    assertThat(questions).hasSize(1);
  }

  @Test
  void aKnownRouteIsUsedOnWhileThePlannerIsAway() {
    AtomicBoolean away = new AtomicBoolean();
    RouteBook sometimes =
        new RouteBook(
            _ -> {
              if (away.get()) {
                throw new IllegalStateException("away");
              }
              return answer;
            },
            2,
            questions::add,
            now::get);
    sometimes.chainTo("a:1");
    plan();
    away.set(true);
    for (int minute = 0; minute < 10; minute++) {
      now.addAndGet(VALID.toNanos());
      assertThat(sometimes.chainTo("a:1")).isEqualTo(CHAIN);
      plan();
    }
    assertThat(sometimes.chainTo("a:1")).isEqualTo(CHAIN);
    assertThat(questions).as("asked again after a while, and not before").isEmpty();
    away.set(false);
    answer = new Route(null, VALID);
    now.addAndGet(RouteBook.RETRY.toNanos());
    sometimes.chainTo("a:1");
    plan();
    assertThat(sometimes.chainTo("a:1")).isNull();
  }

  @Test
  void theRoutesThatWereUsedLeastLatelyAreForgotten() {
    for (String destination : List.of("a:1", "b:1", "c:1")) {
      book.chainTo(destination);
      plan();
    }
    assertThat(book.chainTo("b:1")).isEqualTo(CHAIN);
    assertThat(book.chainTo("a:1")).isNull();
    assertThat(questions).hasSize(1);
  }

  private void plan() {
    for (Runnable question = questions.poll(); question != null; question = questions.poll()) {
      question.run();
    }
  }
}
