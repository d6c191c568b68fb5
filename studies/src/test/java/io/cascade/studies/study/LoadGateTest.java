package io.cascade.studies.study;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class LoadGateTest {

  @Test
  void whatIsTooMuchForTheProcessorsRunsAlone() throws Exception {
    LoadGate gate = new LoadGate(1);
    CompletableFuture<Void> second = new CompletableFuture<>();
    try (LoadGate.Pass first = gate.enter(1e9)) {
      Thread.ofVirtual()
          .start(() -> {
            try (LoadGate.Pass pass = gate.enter(1e6)) {
              second.complete(null);
            } catch (InterruptedException e) {
              second.completeExceptionally(e);
            }
          });
      assertThat(second).isNotDone();
    }
    second.get(1, TimeUnit.MINUTES);
  }
}
