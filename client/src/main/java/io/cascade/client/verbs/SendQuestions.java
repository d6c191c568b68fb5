package io.cascade.client.verbs;

import io.cascade.api.client.OrchestratorClient;
import io.cascade.api.orchestrator.ChainRequest;
import io.cascade.api.orchestrator.PlanRequest;
import io.cascade.api.orchestrator.Source;
import io.cascade.client.ways.MeasuredQuestions;
import io.cascade.client.ways.Recipient;
import io.cascade.client.ways.SharedSend;
import io.cascade.client.ways.TemporaryChain;
import org.jspecify.annotations.Nullable;

/** Questions of {@code send} to the orchestrator, from its options. */
record SendQuestions(PathOptions path, ChainShape shape, PipeCount pipes, Recipient to) {

  PlanRequest plan(
      @Nullable Long bytes, @Nullable Source source, double measureSeconds, boolean trial) {
    return PlanRequest.builder()
        .destination(to.toString())
        .bytes(bytes)
        .source(source)
        .avoid(path.avoidOrNull())
        .maxRelays(path.maxRelays())
        .measureSeconds(measureSeconds)
        .controls(path.controlsOrNull())
        .transport(shape.transport())
        .trial(trial)
        .build();
  }

  /**
   * @param trial whether everything is sent directly as well
   */
  ChainRequest chain(String name, @Nullable Long bytes, @Nullable Source source, boolean trial) {
    PlanRequest question = plan(bytes, source, 0, trial);
    return TemporaryChain.asked(name, question)
        .via(path.viaOrNull())
        .options(shape.options())
        .parallel(pipes.parallel())
        .routes(pipes.routes())
        .question(path.via().isEmpty() || path.controlsOrNull() != null ? question : null)
        .build();
  }

  /** Questions of a transfer that has begun directly, for which this host measures meanwhile. */
  SharedSend.Questions measured(OrchestratorClient client, @Nullable Long bytes, Output output) {
    return new MeasuredQuestions(
        client,
        new MeasuredQuestions.Wording() {
          @Override
          public @Nullable Source source() throws InterruptedException {
            return path.quickSource(client, to.at(), output);
          }

          @Override
          public PlanRequest question(@Nullable Source source) {
            return SendQuestions.this.plan(bytes, source, 0, true);
          }

          @Override
          public ChainRequest chain(String name, @Nullable Source source) {
            return SendQuestions.this.chain(name, bytes, source, true);
          }
        });
  }
}
