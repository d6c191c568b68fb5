package io.cascade.orchestrator.web;

import io.cascade.orchestrator.security.Strangers;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.Collections;
import java.util.Set;
import java.util.WeakHashMap;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import org.apache.coyote.Constants;
import org.apache.coyote.Processor;
import org.apache.coyote.http11.AbstractHttp11Protocol;
import org.apache.coyote.http11.Http11NioProtocol;
import org.apache.coyote.http11.Http11Processor;
import org.apache.tomcat.util.net.NioEndpoint;
import org.apache.tomcat.util.net.SocketWrapperBase;
import org.jspecify.annotations.Nullable;

/**
 * HTTP/1.1 with a deadline for a request's headers, and one for the rest of a body that no handler
 * reads. Tomcat's own time-out restarts with every byte. {@link BodyLimit} enforces the deadline of
 * a body that is being read.
 */
public final class WholeRequests extends Http11NioProtocol {
  static final Duration DEADLINE = Duration.ofSeconds(30);
  private static final Duration OF_HEADERS = Duration.ofSeconds(8);
  private static final Duration SWEEP = Duration.ofSeconds(2);

  private final Gate gate;
  private final Duration sweep;
  private final int headerSweeps;
  private final int mostSweeps;

  /** Processors of connections; Tomcat reuses some for later ones. */
  private final Set<Watched> processors =
      Collections.synchronizedSet(Collections.newSetFromMap(new WeakHashMap<>()));

  private @Nullable ScheduledFuture<?> sweeps;
  private volatile boolean closing;

  /** Constructor that Tomcat calls by the class's name. */
  public WholeRequests() {
    this(new Gate(), SWEEP, (int) OF_HEADERS.dividedBy(SWEEP), (int) DEADLINE.dividedBy(SWEEP));
  }

  /**
   * @param sweep time between two checks of all connections
   * @param mostSweeps number of checks that may find the same request incomplete
   */
  WholeRequests(Duration sweep, int mostSweeps) {
    this(new Gate(), sweep, mostSweeps, mostSweeps);
  }

  private WholeRequests(Gate gate, Duration sweep, int headerSweeps, int mostSweeps) {
    super(gate);
    this.gate = gate;
    this.sweep = sweep;
    this.headerSweeps = headerSweeps;
    this.mostSweeps = mostSweeps;
  }

  /** Sets the limit of unauthenticated connections; those above it are closed. */
  void admitBy(Strangers strangers) {
    gate.strangers = strangers;
  }

  @Override
  protected Processor createProcessor() {
    Watched processor = new Watched(this);
    processors.add(processor);
    return processor;
  }

  @Override
  public void start() throws Exception {
    closing = false;
    super.start();
    sweeps =
        getUtilityExecutor()
            .scheduleWithFixedDelay(
                this::sweep, sweep.toMillis(), sweep.toMillis(), TimeUnit.MILLISECONDS);
  }

  /**
   * Marks the server as closing: Tomcat pauses its connectors as the first step of closing, and at
   * no other time.
   */
  @Override
  public void pause() throws Exception {
    closing = true;
    super.pause();
  }

  /** Whether the server is closing, which may cause failures of requests. */
  boolean isClosing() {
    return closing;
  }

  @Override
  public void stop() throws Exception {
    if (sweeps != null) {
      sweeps.cancel(false);
    }
    super.stop();
  }

  private void sweep() {
    Set<Watched> all;
    synchronized (processors) {
      all = Set.copyOf(processors);
    }
    all.forEach(processor -> processor.look(headerSweeps, mostSweeps));
  }

  /** Accepts connections. */
  private static final class Gate extends NioEndpoint {
    private volatile @Nullable Strangers strangers;

    @Override
    protected boolean setSocketOptions(SocketChannel connection) {
      Strangers watched = strangers;
      if (watched != null && !watched.admit(connection)) {
        destroySocket(connection); // the caller closes only sockets that were registered
        return false;
      }
      return super.setSocketOptions(connection);
    }
  }

  /** Counts the consecutive checks that found the same request incomplete. */
  private static final class Watched extends Http11Processor {
    private long started = -1;
    private int seen;

    Watched(AbstractHttp11Protocol<?> protocol) {
      super(protocol, protocol.getAdapter());
    }

    void look(int headerSweeps, int mostSweeps) {
      long now = waitsForRest() ? request.getStartTimeNanos() : -1;
      seen = now == started ? seen + 1 : 1;
      started = now;
      SocketWrapperBase<?> connection = getSocketWrapper();
      boolean hasHeaders = request.getRequestProcessor().getStage() == Constants.STAGE_ENDINPUT;
      int most = hasHeaders ? mostSweeps : headerSweeps;
      if (now >= 0 && seen > most && connection != null) {
        connection.close();
      }
    }

    /**
     * Whether the request is incomplete. An answered request passes through these states, too, but
     * no two checks find it there.
     */
    private boolean waitsForRest() {
      return switch (request.getRequestProcessor().getStage()) {
        // Headers are arriving; between two of their packets the processor has ended its turn.
        case Constants.STAGE_PARSE, Constants.STAGE_ENDED -> true;
        // The rest of a body that no handler reads is read and discarded.
        case Constants.STAGE_ENDINPUT -> true;
        default -> false;
      };
    }
  }
}
