package io.cascade.client.verbs;

import io.cascade.api.client.OrchestratorClient;
import io.cascade.api.client.ProblemException;
import io.cascade.api.client.UnreachableException;
import io.cascade.api.orchestrator.Chain;
import io.cascade.api.orchestrator.ChainRequest;
import io.cascade.client.transfer.Connections;
import io.cascade.client.transfer.FileTransfer;
import io.cascade.client.transfer.TransferFailed;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * A transfer's way through relays for as long as the transfer runs: one chain after the other, and
 * over each one connection after the other. What a connection had under way when it broke goes over
 * the transfer's other ways, or over the next one.
 */
final class RelayedWay {
  /** Name of the way in a transfer. */
  static final String NAME = "relays";

  /** Time that connections may carry nothing before another chain is opened. */
  private static final Duration FAILING = Duration.ofSeconds(10);

  private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(5);
  private static final Duration SHORTEST_PAUSE = Duration.ofMillis(250);
  private static final Duration LONGEST_PAUSE = Duration.ofSeconds(2);

  private final OrchestratorClient client;
  private final FileTransfer transfer;
  private final Function<String, ChainRequest> request;
  private final boolean exact;
  private final boolean preferred;
  private final Consumer<Chain> opened;
  private final Output output;

  private boolean everOpened;

  /**
   * @param request makes the request of a chain, given the name that it must have
   * @param exact whether its relays were named: others cannot take their place
   * @param preferred whether a direct connection is to stand by while this way carries
   * @param opened told of each chain before anything goes over it
   */
  RelayedWay(
      OrchestratorClient client,
      FileTransfer transfer,
      Function<String, ChainRequest> request,
      boolean exact,
      boolean preferred,
      Consumer<Chain> opened,
      Output output) {
    this.client = client;
    this.transfer = transfer;
    this.request = request;
    this.exact = exact;
    this.preferred = preferred;
    this.opened = opened;
    this.output = output;
  }

  /**
   * Carries until the transfer is over, and closes the chain.
   *
   * @throws Exception where not even a first chain could be opened and connected to
   */
  void run() throws Exception {
    while (true) {
      try {
        Optional<String> why = TemporaryChain.with(client, "send", request, this::through);
        if (why.isEmpty()) {
          return;
        }
        output.note("the way through relays: %s; opening another chain".formatted(why.get()));
      } catch (UnreachableException | ProblemException | TransferFailed e) {
        if (!everOpened) {
          throw e;
        }
      }
      transfer.pause(LONGEST_PAUSE);
      if (!transfer.canBeJoined()) {
        return;
      }
    }
  }

  /**
   * Carries over one chain.
   *
   * @return why another one is to take its place; empty where the transfer is over
   */
  private Optional<String> through(Chain first) throws TransferFailed, InterruptedException {
    Chain chain = first;
    long carriedNanos = System.nanoTime();
    boolean broken = false;
    Duration pause = SHORTEST_PAUSE;
    while (transfer.canBeJoined()) {
      if (connectAndCarry(chain) > 0) {
        carriedNanos = System.nanoTime();
        pause = SHORTEST_PAUSE;
      }
      if (!transfer.canBeJoined()) {
        return Optional.empty();
      }
      if (!broken) {
        broken = true;
        output.note("lost the way via %s; trying again".formatted(relays(chain)));
      }
      transfer.pause(pause);
      pause =
          pause.multipliedBy(2).compareTo(LONGEST_PAUSE) < 0
              ? pause.multipliedBy(2)
              : LONGEST_PAUSE;
      try {
        Chain now = client.chain(chain.id());
        if (!ChainSelection.isLive(now)) {
          return Optional.of("the chain is " + now.state());
        }
        if (now.ingress() != null) {
          chain = now; // It may have been led elsewhere.
        }
      } catch (ProblemException e) {
        return Optional.of("the orchestrator has no such chain");
      } catch (UnreachableException e) {
        continue; // What is there may still work.
      }
      if (!exact && System.nanoTime() - carriedNanos > FAILING.toNanos()) {
        return Optional.of("nothing came through for %d s".formatted(FAILING.toSeconds()));
      }
    }
    return Optional.empty();
  }

  /** Returns how much was carried. */
  private long connectAndCarry(Chain chain) throws TransferFailed, InterruptedException {
    SocketChannel connection;
    try {
      connection = Connections.connect(OpenVerb.ingress(chain), CONNECT_TIMEOUT);
    } catch (TransferFailed e) {
      if (everOpened) {
        return 0;
      }
      throw e;
    }
    everOpened = true;
    opened.accept(chain);
    return transfer.carry(connection, NAME, preferred);
  }

  private static String relays(Chain chain) {
    return String.join(", ", chain.relays());
  }
}
