package io.cascade.relay.control;

import io.cascade.api.client.OrchestratorClient;
import io.cascade.api.client.UnreachableException;
import io.cascade.api.control.ControlFrames;
import io.cascade.api.control.ControlMessage;
import io.cascade.api.control.ControlMessages;
import io.cascade.api.identity.ControlProof;
import io.cascade.relay.thread.LastingThread;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.InetAddress;
import java.net.URI;
import java.net.http.WebSocket;
import java.net.http.WebSocketHandshakeException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * The connection over which the orchestrator calls this relay. The relay opens it, so that the
 * relay needs no port that the orchestrator can reach. It is kept while the relay is registered,
 * and opened again when it ends; running streams do not depend on it.
 */
public final class ControlConnection implements AutoCloseable {
  private static final Logger LOG = Logger.getLogger(ControlConnection.class.getName());

  private static final Duration SENDS_WITHIN = Duration.ofSeconds(20);

  /** NATs forget an idle connection after some minutes (RFC 5382 demands two hours). */
  private static final Duration BETWEEN_PINGS = Duration.ofSeconds(20);

  /** Checks per ping interval whether another orchestrator leads. */
  private static final int LOOKS = 20;

  /** Time without any message after which the connection counts as lost: two pings unanswered. */
  private static final Duration MOST_SILENCE = Duration.ofSeconds(45);

  private static final Duration LOOK = Duration.ofSeconds(1);
  private static final Duration LEAST_PAUSE = Duration.ofMillis(100);
  private static final Duration MOST_PAUSE = Duration.ofSeconds(5);

  /** Most unanswered requests; the orchestrator has no more concurrent calls. */
  private static final int MOST_REQUESTS = 512;

  /**
   * Most bytes that incomplete requests may hold together. The longest request renews ten thousand
   * leases.
   */
  private static final long MOST_HELD_BYTES = 8L << 20;

  private final OrchestratorClient orchestrator;
  private final String relay;
  private final Supplier<ControlProof> proof;
  private final BooleanSupplier isRegistered;
  private final ControlRequests requests;
  private final ExecutorService threads =
      Executors.newThreadPerTaskExecutor(Thread.ofVirtual().name("control-call-", 0).factory());
  private final Thread keeper = LastingThread.virtual("control-connection", this::keep);
  private Duration pause = LEAST_PAUSE;
  private @Nullable String complaint;

  /**
   * @param relay its name
   * @param proof supplies a new proof at each call
   * @param isRegistered whether the orchestrator answers and knows this instance
   */
  public ControlConnection(
      OrchestratorClient orchestrator,
      String relay,
      Supplier<ControlProof> proof,
      BooleanSupplier isRegistered,
      ControlRequests requests) {
    this.orchestrator = orchestrator;
    this.relay = relay;
    this.proof = proof;
    this.isRegistered = isRegistered;
    this.requests = requests;
  }

  /** Starts connecting, as soon as the relay is registered. */
  public void start() {
    keeper.start();
  }

  /** Closes the connection and cancels running calls. */
  @Override
  public void close() {
    keeper.interrupt();
    threads.shutdownNow();
  }

  /**
   * Opens a connection and answers calls until it ends. After any failure the caller tries again.
   */
  private boolean keep() throws InterruptedException {
    awaitRegistered();
    long start = System.nanoTime();
    try {
      serve();
      complaint = null;
    } catch (IOException e) {
      complain(String.valueOf(e.getMessage()));
    }
    boolean lasted = System.nanoTime() - start > MOST_PAUSE.toNanos();
    pause = lasted ? LEAST_PAUSE : min(pause.multipliedBy(2), MOST_PAUSE);
    Thread.sleep(ThreadLocalRandom.current().nextLong(pause.toMillis() / 2, pause.toMillis()));
    return true;
  }

  /** Polls often at first, since a relay that starts is called at once, then seldom. */
  private void awaitRegistered() throws InterruptedException {
    Duration pause = LEAST_PAUSE.dividedBy(5);
    while (!isRegistered.getAsBoolean()) {
      Thread.sleep(pause);
      pause = min(pause.multipliedBy(2), LOOK);
    }
  }

  /** Opens a connection and answers calls until it ends. */
  private void serve() throws IOException, InterruptedException {
    Served served = new Served();
    URI leader = orchestrator.address();
    WebSocket socket = open(served);
    try {
      int looks = 0;
      LOG.log(Level.FINE, "{0} calls over a connection of this relay", orchestrator.address());
      while (!served.awaitEnd(BETWEEN_PINGS.dividedBy(LOOKS))) {
        if (!orchestrator.address().equals(leader) && isRegistered.getAsBoolean()) {
          return; // The next connection goes to the new leader, which has answered a heartbeat.
        }
        if (++looks % LOOKS > 0) {
          continue;
        }
        if (served.silence().compareTo(MOST_SILENCE) > 0) {
          throw new IOException("the control connection is silent");
        }
        socket.sendPing(ByteBuffer.allocate(0));
      }
    } finally {
      socket.abort();
    }
  }

  private WebSocket open(WebSocket.Listener served) throws IOException {
    try {
      return orchestrator.connectControl(relay, proof.get(), served);
    } catch (UnreachableException e) {
      throw new IOException(
          e.getCause() instanceof WebSocketHandshakeException refused
              ? "the control connection is answered with " + refused.getResponse().statusCode()
              : "no control connection: " + e.getMessage(),
          e);
    }
  }

  private void complain(String text) {
    if (!text.equals(complaint)) {
      LOG.log(Level.WARNING, "{0}: {1}; retrying", new Object[] {orchestrator.address(), text});
    }
    complaint = text;
  }

  private static Duration min(Duration one, Duration other) {
    return one.compareTo(other) < 0 ? one : other;
  }

  /** One connection. The JDK calls it from one thread at a time. */
  private final class Served implements WebSocket.Listener {
    private final ControlMessages messages = new ControlMessages(MOST_REQUESTS, MOST_HELD_BYTES);
    private final AtomicInteger underWay = new AtomicInteger();
    private final CompletableFuture<String> ended = new CompletableFuture<>();
    private final ByteBuffer frame = ByteBuffer.allocate(ControlMessages.MOST_FRAME_BYTES);
    private volatile long heardAt = System.nanoTime();
    private @Nullable ControlFrames answers;

    /**
     * @return whether it has ended with a normal close by the orchestrator
     * @throws IOException if it ended otherwise
     */
    boolean awaitEnd(Duration timeout) throws IOException, InterruptedException {
      try {
        String refused = ended.get(timeout.toNanos(), TimeUnit.NANOSECONDS);
        if (!refused.isEmpty()) {
          throw new IOException(refused);
        }
        return true;
      } catch (TimeoutException e) {
        return false;
      } catch (ExecutionException e) {
        throw new IOException("the control connection ended: " + e.getCause(), e);
      }
    }

    Duration silence() {
      return Duration.ofNanos(System.nanoTime() - heardAt);
    }

    @Override
    public void onOpen(WebSocket socket) {
      answers = new ControlFrames(bytes -> send(socket, bytes));
      socket.request(1);
    }

    @Override
    public @Nullable CompletionStage<?> onBinary(
        WebSocket socket, ByteBuffer part, boolean isLast) {
      heardAt = System.nanoTime();
      if (part.remaining() > frame.remaining()) {
        return fail(socket, "a frame of more than " + frame.capacity() + " bytes");
      }
      frame.put(part);
      if (isLast) {
        ControlMessage request;
        try {
          request = messages.add(frame.flip());
        } catch (IllegalArgumentException e) {
          return fail(socket, String.valueOf(e.getMessage()));
        } finally {
          frame.clear();
        }
        if (request != null) {
          take(socket, request);
        }
      }
      socket.request(1);
      return null;
    }

    @Override
    public @Nullable CompletionStage<?> onPong(WebSocket socket, ByteBuffer data) {
      heardAt = System.nanoTime();
      socket.request(1);
      return null;
    }

    @Override
    public @Nullable CompletionStage<?> onPing(WebSocket socket, ByteBuffer data) {
      heardAt = System.nanoTime();
      socket.request(1); // The JDK answers the ping.
      return null;
    }

    @Override
    public @Nullable CompletionStage<?> onClose(WebSocket socket, int code, String reason) {
      ended.complete(
          code == WebSocket.NORMAL_CLOSURE || code == 1_001 // "going away"
              ? ""
              : "the control connection was closed: " + reason + " (" + code + ")");
      return null;
    }

    @Override
    public void onError(WebSocket socket, Throwable failure) {
      ended.completeExceptionally(failure);
    }

    private void take(WebSocket socket, ControlMessage request) {
      if (underWay.incrementAndGet() > MOST_REQUESTS) {
        fail(socket, "more than " + MOST_REQUESTS + " requests at a time");
        return;
      }
      try {
        threads.execute(() -> {
          try {
            answer(request);
          } finally {
            underWay.decrementAndGet();
          }
        });
      } catch (RejectedExecutionException e) {
        LOG.log(Level.FINE, "a call arrived while the relay was stopping");
      }
    }

    private void answer(ControlMessage request) {
      String line = request.line();
      int space = line.indexOf(' ');
      ControlResponse response =
          requests.respond(
              space < 0 ? line : line.substring(0, space),
              space < 0 ? "" : line.substring(space + 1),
              request.body(),
              InetAddress.getLoopbackAddress());
      ControlFrames to = answers;
      if (to == null) {
        return;
      }
      try {
        to.send(
            new ControlMessage(
                request.number(),
                (response.status() + " " + response.contentType()).strip(),
                response.body()),
            System.nanoTime() + SENDS_WITHIN.toNanos());
      } catch (IOException e) {
        ended.completeExceptionally(e);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }

    private static void send(WebSocket socket, ByteBuffer bytes) throws IOException {
      try {
        socket.sendBinary(bytes, true).get(SENDS_WITHIN.toNanos(), TimeUnit.NANOSECONDS);
      } catch (ExecutionException | TimeoutException e) {
        throw new IOException("the orchestrator does not accept the answer", e);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new InterruptedIOException("interrupted");
      }
    }

    private @Nullable CompletionStage<?> fail(WebSocket socket, String why) {
      ended.completeExceptionally(new IOException(why));
      socket.abort();
      return null;
    }
  }
}
