package io.cascade.api.client;

import io.cascade.api.identity.KeyPins;
import io.cascade.command.names.NamedPeer;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ProtocolException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.WebSocket;
import java.net.http.WebSocketHandshakeException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import javax.net.ssl.SNIHostName;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.TrustManager;
import org.jspecify.annotations.Nullable;

/**
 * HTTP requests with a deadline for the whole exchange, from the connection to the last byte of the
 * body, and a limit for the body. The request time-out of the JDK's client is not used, since it
 * covers only the headers. An exchange that fails closes its connection.
 */
public final class BoundedExchange implements AutoCloseable {
  private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(5);
  private static final Executor THREADS = Executors.newVirtualThreadPerTaskExecutor();
  private static final Duration END_TIMEOUT = Duration.ofMillis(100);
  private static final AtomicReference<@Nullable BoundedExchange> SHARED = new AtomicReference<>();

  /** A process calls one or a few orchestrators, each over its own connections. */
  private static final int MOST_PINNED = 16;

  private static final Map<String, BoundedExchange> PINNED =
      new LinkedHashMap<>(MOST_PINNED, 0.75f, true);

  private static volatile @Nullable PinMemory pinMemory;

  private final boolean shared;
  private final @Nullable PinnedKeys keys;
  private final Duration connectTimeout;
  private final AnsweringAddresses addresses;
  private @Nullable HttpClient client;

  static {
    AnsweringAddresses.allowHost();
  }

  private BoundedExchange(boolean shared, @Nullable PinnedKeys keys) {
    this(shared, keys, NamedPeer::resolve, CONNECT_TIMEOUT);
  }

  BoundedExchange(
      boolean shared,
      @Nullable PinnedKeys keys,
      AnsweringAddresses.Names names,
      Duration connectTimeout) {
    this.shared = shared;
    this.keys = keys;
    this.connectTimeout = connectTimeout;
    this.addresses = new AnsweringAddresses(names, connectTimeout);
  }

  /**
   * Starts a request for {@link #send}; loads this class first, which allows requests to set their
   * Host.
   */
  static HttpRequest.Builder request(URI at) {
    return HttpRequest.newBuilder(at);
  }

  /**
   * Creates the client at the first call, since for a server that is not called only the keys are
   * needed. Creates another one when its selector thread has ended, as after an error in it:
   * otherwise every later call would fail.
   */
  private synchronized HttpClient client() throws IOException {
    HttpClient known = client;
    if (known == null || known.isTerminated()) {
      known = make();
      client = known;
    }
    return known;
  }

  private HttpClient make() throws IOException {
    HttpClient.Builder builder =
        HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).connectTimeout(connectTimeout);
    if (shared) {
      builder.executor(THREADS);
    }
    if (keys != null) {
      builder.sslContext(trusting(keys)).sslParameters(tls(keys.host()));
    }
    try {
      return builder.build();
    } catch (UncheckedIOException e) {
      throw e.getCause(); // no descriptor is left for its selector
    }
  }

  /** The handshake names the server, even if the client knows only an address of it. */
  private static SSLParameters tls(String host) {
    SSLParameters tls = new SSLParameters(null, new String[] {"TLSv1.3"});
    if (AnsweringAddresses.isName(host)) {
      tls.setServerNames(List.of(new SNIHostName(host)));
    }
    return tls;
  }

  private static SSLContext trusting(PinnedKeys keys) {
    try {
      SSLContext context = SSLContext.getInstance("TLS");
      context.init(null, new TrustManager[] {keys}, null);
      return context;
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("every JDK has TLS", e);
    }
  }

  /** Accepts the pins of all servers from another server that is trusted like this one. */
  void toldOfAll(String pinsOfAll) {
    if (keys != null) {
      keys.toldOfAll(pinsOfAll);
    }
  }

  /** Keys that are accepted at present; null if none are pinned. */
  @Nullable KeyPins accepted() {
    return keys == null ? null : keys.accepted();
  }

  /** Sets the memory in which announced keys are kept for later processes of this user. */
  public static void keepPins(PinMemory memory) {
    pinMemory = memory;
  }

  /**
   * The exchange for calls to a server. If its keys are pinned, it accepts no other key and serves
   * this pin alone; all others are shared.
   */
  static BoundedExchange to(ServerAddress server) {
    KeyPins pins = server.pins();
    if (pins == null) {
      return shared();
    }
    synchronized (PINNED) {
      BoundedExchange known = PINNED.get(server.toString());
      if (known == null) {
        known = new BoundedExchange(true, new PinnedKeys(server, pins, pinMemory));
        PINNED.put(server.toString(), known);
        if (PINNED.size() > MOST_PINNED) {
          String eldest = PINNED.keySet().iterator().next();
          Objects.requireNonNull(PINNED.remove(eldest)).end(HttpClient::shutdown);
        }
      }
      return known;
    }
  }

  /**
   * An exchange that keeps connections for later requests of the whole process. Closing it does
   * nothing.
   */
  public static BoundedExchange shared() {
    BoundedExchange known = SHARED.get();
    if (known != null) {
      return known;
    }
    BoundedExchange made = new BoundedExchange(true, null);
    BoundedExchange before = SHARED.compareAndExchange(null, made);
    if (before == null) {
      return made;
    }
    return before;
  }

  /** Ends the client, if there is one; the next call creates another. */
  synchronized void end(Consumer<HttpClient> how) {
    if (client != null) {
      how.accept(client);
    }
  }

  /**
   * Ends the threads and connections of {@link #shared} and of pinned servers, for a process that
   * is about to exit: the virtual machine would wait 0.3 s for a thread that waits for network
   * events. Later requests create new ones.
   */
  public static void endShared() {
    List<BoundedExchange> ended = new ArrayList<>();
    BoundedExchange known = SHARED.getAndSet(null);
    if (known != null) {
      ended.add(known);
    }
    synchronized (PINNED) {
      ended.addAll(PINNED.values());
      PINNED.clear();
    }
    List<HttpClient> clients = new ArrayList<>();
    ended.forEach(one -> one.end(clients::add));
    clients.forEach(HttpClient::shutdownNow);
    try {
      for (HttpClient one : clients) {
        one.awaitTermination(END_TIMEOUT);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /**
   * An exchange with its own threads and connections, which end when it is closed. They are in the
   * network namespace of the thread that creates it and sends with it.
   */
  public static BoundedExchange alone() {
    return new BoundedExchange(false, null);
  }

  /**
   * Limits of an exchange.
   *
   * @param deadline deadline of the whole exchange, more than zero
   * @param bodyBytes the longest body of an answer
   */
  public record Bounds(Duration deadline, int bodyBytes) {}

  /** A complete answer; the body is decoded as UTF-8. */
  public record Response(int status, String body) {}

  /**
   * Sends a request and waits for the complete answer.
   *
   * @throws IncompleteAnswerException if the answer took too long or was too large
   * @throws IOException if the connection could not be opened or broke
   */
  public Response send(HttpRequest request, Bounds bounds) throws IOException {
    try (Open open = open(request, bounds.deadline())) {
      return new Response(open.status(), open.text(bounds.bodyBytes()));
    }
  }

  /** Waits for the headers; the body is read from the result, which has to be closed. */
  Open open(HttpRequest request, Duration deadline) throws IOException {
    long end = System.nanoTime() + deadline.toNanos();
    AnswerBody body = new AnswerBody();
    HttpClient asked = client();
    // Not sendAsync, which completes on the common pool, where other tasks may occupy all threads.
    FutureTask<HttpResponse<AnswerBody>> headers =
        new FutureTask<>(() -> exchange(request, one -> asked.send(one, _ -> body)));
    threads().start(headers);
    try {
      HttpResponse<AnswerBody> answer = headers.get(deadline.toNanos(), TimeUnit.NANOSECONDS);
      if (keys != null) {
        answer.headers().firstValue(KeyPins.HEADER).ifPresent(keys::told);
      }
      return new Open(
          answer.statusCode(),
          body,
          end,
          deadline,
          answer.headers().firstValue(KeyPins.CLUSTER_HEADER).orElse(""));
    } catch (TimeoutException e) {
      abandon(headers, body);
      throw IncompleteAnswerException.late(deadline);
    } catch (InterruptedException e) {
      abandon(headers, body);
      throw interrupted();
    } catch (ExecutionException e) {
      body.close();
      if (e.getCause() instanceof ProtocolException) {
        replace(asked);
      }
      throw e.getCause() instanceof IOException cause ? cause : new IOException(e.getCause());
    }
  }

  private <T> T exchange(HttpRequest request, AnsweringAddresses.Sending<T> sending)
      throws IOException, InterruptedException {
    return choosesAddress(request.uri()) ? addresses.send(request, sending) : sending.send(request);
  }

  /**
   * Whether calls use the address that answers. A server that is verified by authorities has to be
   * called by its name: called at an address, it might send a certificate of that address instead.
   * The threads that find an address run outside any network namespace.
   */
  private boolean choosesAddress(URI at) {
    return shared && (keys != null || !AnsweringAddresses.isEncrypted(at));
  }

  /**
   * Opens a WebSocket, whose use has no limits of its own.
   *
   * @param token for {@code Authorization}, if any
   * @throws WebSocketHandshakeException if the server refuses
   * @throws IOException if there is no connection by the deadline
   */
  WebSocket webSocket(
      URI at, @Nullable String token, WebSocket.Listener listener, Duration deadline)
      throws IOException {
    long end = System.nanoTime() + deadline.toNanos();
    WebSocket.Builder builder = client().newWebSocketBuilder().connectTimeout(connectTimeout);
    if (token != null) {
      builder.header("Authorization", "Bearer " + token);
    }
    FutureTask<@Nullable InetAddress> choice =
        new FutureTask<>(() -> choosesAddress(at) ? addresses.quickest(at) : null);
    threads().start(choice);
    InetAddress address = awaited(choice, deadline.toNanos(), deadline);
    if (address != null) {
      builder.header("Host", AnsweringAddresses.host(at));
    }
    CompletableFuture<WebSocket> opening =
        builder.buildAsync(address == null ? at : AnsweringAddresses.at(address, at), listener);
    return awaited(opening, Math.max(0, end - System.nanoTime()), deadline);
  }

  /**
   * Connects to a server and closes the connection, see {@link AnsweringAddresses#reach}.
   *
   * @param deadline for the name look-up and the connection
   */
  void reach(URI server, Duration deadline) throws IOException {
    FutureTask<Void> reaching =
        new FutureTask<>(() -> {
          addresses.reach(server);
          return null;
        });
    threads().start(reaching);
    awaited(reaching, deadline.toNanos(), deadline);
  }

  /**
   * Waits for a result, and cancels it if it is not there in time.
   *
   * @param nanos that are left of the deadline
   * @param deadline of the whole exchange, for the message
   */
  private static <T extends @Nullable Object> T awaited(
      Future<T> result, long nanos, Duration deadline) throws IOException {
    try {
      return result.get(nanos, TimeUnit.NANOSECONDS);
    } catch (TimeoutException e) {
      result.cancel(true);
      throw IncompleteAnswerException.late(deadline);
    } catch (InterruptedException e) {
      result.cancel(true);
      throw interrupted();
    } catch (ExecutionException e) {
      throw e.getCause() instanceof IOException cause ? cause : new IOException(e.getCause());
    }
  }

  /**
   * Platform threads unless shared: they are in the network namespace of the thread that starts
   * them.
   */
  private Thread.Builder threads() {
    return shared ? Thread.ofVirtual() : Thread.ofPlatform().daemon();
  }

  /** Closes the connection, whether or not the headers have arrived meanwhile. */
  private static void abandon(FutureTask<?> headers, AnswerBody body) {
    headers.cancel(true);
    body.close();
  }

  /**
   * Replaces the client. The JDK's client leaves a connection open whose headers it could not
   * parse, and closes it only with itself when its other exchanges are over.
   */
  private synchronized void replace(HttpClient broken) {
    if (broken.equals(client)) {
      client = null;
    }
    broken.shutdown();
  }

  static InterruptedIOException interrupted() {
    Thread.currentThread().interrupt();
    return new InterruptedIOException("interrupted");
  }

  @Override
  public void close() {
    if (!shared) {
      end(HttpClient::shutdownNow);
    }
  }

  /**
   * An answer whose headers have arrived.
   *
   * @param end on the clock of {@link System#nanoTime}
   * @param pinsOfAll pins of all orchestrators of a cluster, in the header's form; empty for none
   */
  record Open(int status, AnswerBody body, long end, Duration deadline, String pinsOfAll)
      implements AutoCloseable {

    /**
     * The whole body.
     *
     * @throws IncompleteAnswerException if it is too long, or not complete by the deadline
     */
    String text(int mostBytes) throws IOException {
      ByteArrayOutputStream bytes = new ByteArrayOutputStream();
      try {
        for (List<ByteBuffer> piece = next(); !piece.isEmpty(); piece = next()) {
          for (ByteBuffer buffer : piece) {
            if (buffer.remaining() > mostBytes - bytes.size()) {
              throw IncompleteAnswerException.tooLarge(mostBytes);
            }
            byte[] copy = new byte[buffer.remaining()];
            buffer.get(copy);
            bytes.writeBytes(copy);
          }
        }
      } catch (TimeoutException e) {
        throw IncompleteAnswerException.late(deadline);
      }
      return bytes.toString(StandardCharsets.UTF_8);
    }

    private List<ByteBuffer> next() throws IOException, TimeoutException {
      return body.next(end - System.nanoTime());
    }

    /** Closes the connection unless the whole body was read. */
    @Override
    public void close() {
      body.close();
    }
  }
}
