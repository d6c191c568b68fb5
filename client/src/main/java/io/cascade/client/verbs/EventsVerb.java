package io.cascade.client.verbs;

import io.cascade.api.client.OrchestratorClient;
import io.cascade.api.orchestrator.Event;
import io.cascade.command.Printable;
import io.cascade.command.StandardOutput;
import io.cascade.kernel.PipeReader;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

@Command(
    name = "events",
    mixinStandardHelpOptions = true,
    description =
        "Show what happened to relays and chains; with --follow also what happens from now on.")
public final class EventsVerb implements Callable<Integer> {
  /** The stream does not mark the end of past events: this much silence is taken for it. */
  private static final long QUIET_MILLIS = 500;

  @Mixin private OrchestratorOption orchestrator = new OrchestratorOption();
  @Mixin private Output output = new Output();

  @Option(
      names = {"-f", "--follow"},
      description = "Keep printing new events until Ctrl-C; with --json one document a line.")
  private boolean follow;

  @Option(
      names = "--after",
      paramLabel = "ID",
      description =
          "Show only events after this one (default: all that the orchestrator still holds).")
  private @Nullable Long after;

  @Override
  public Integer call() throws InterruptedException {
    OrchestratorClient client = orchestrator.client();
    long start = after == null ? 0 : after;
    if (follow) {
      follow(client, start);
      output.note(client.address() + " ended the stream of events");
      return 1;
    }
    List<Event> past = past(client, start);
    if (output.json()) {
      output.document(Map.of("events", past));
    } else if (past.isEmpty()) {
      output.note("nothing has happened yet");
    } else {
      past.forEach(this::print);
    }
    return 0;
  }

  /**
   * Continues until the orchestrator ends the stream or, between two events, the reader of the
   * output has ended.
   */
  private void follow(OrchestratorClient client, long start) throws InterruptedException {
    CompletableFuture<Void> ended = new CompletableFuture<>();
    Thread.ofPlatform()
        .daemon()
        .name("reader of the output")
        .start(() -> {
          try {
            PipeReader.awaitGone(PipeReader.STANDARD_OUTPUT);
            ended.completeExceptionally(new StandardOutput.ReaderGone());
          } catch (IOException | NoSuchElementException e) {
            // The next event will show it.
          }
        });
    Thread.ofVirtual()
        .start(() -> {
          try {
            client.follow(start, this::told);
            ended.complete(null);
          } catch (RuntimeException | Error e) {
            ended.completeExceptionally(e);
          }
        });
    try {
      ended.get();
    } catch (ExecutionException e) {
      switch (e.getCause()) {
        case RuntimeException failure -> throw failure;
        case Error failure -> throw failure;
        case null, default -> throw new IllegalStateException(e);
      }
    }
  }

  private boolean told(Event event) {
    if (output.json()) {
      output.documentLine(event);
    } else {
      print(event);
    }
    return true;
  }

  private List<Event> past(OrchestratorClient client, long start) throws InterruptedException {
    client.relays(); // Fails at once, with an explanation, if no orchestrator answers.
    BlockingQueue<Event> arriving = new LinkedBlockingQueue<>();
    Thread listener =
        Thread.ofVirtual()
            .start(() -> {
              try {
                client.follow(start, arriving::add);
              } catch (RuntimeException e) {
                // The following silence ends the list.
              }
            });
    List<Event> past = new ArrayList<>();
    for (Event event = arriving.poll(2 * QUIET_MILLIS, TimeUnit.MILLISECONDS);
        event != null;
        event = arriving.poll(QUIET_MILLIS, TimeUnit.MILLISECONDS)) {
      past.add(event);
    }
    listener.interrupt();
    return past;
  }

  private void print(Event event) {
    output
        .out()
        .println(
            "%d  %s  %s  %s"
                .formatted(event.id(), event.at(), event.type(), Printable.line(event.message())));
    output.out().flush();
  }
}
