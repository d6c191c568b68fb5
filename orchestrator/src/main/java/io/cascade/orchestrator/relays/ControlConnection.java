package io.cascade.orchestrator.relays;

import io.cascade.api.control.ControlCalls;
import io.cascade.api.control.ControlMessages;
import io.cascade.orchestrator.time.Timekeeper;
import jakarta.websocket.CloseReason;
import jakarta.websocket.CloseReason.CloseCodes;
import jakarta.websocket.MessageHandler;
import jakarta.websocket.PongMessage;
import jakarta.websocket.Session;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;

/** The control connection of an instance of a relay. */
final class ControlConnection {
  /** Longest silence; a relay sends three pings in that time. */
  private static final Duration MOST_SILENCE = Duration.ofMinutes(1);

  private final Session session;
  private final UUID instance;
  private final Timekeeper time;
  private final ControlCalls calls;
  private final AtomicLong numbers = new AtomicLong();
  private final Map<Long, Ping> pings = new ConcurrentHashMap<>();

  ControlConnection(Session session, UUID instance, Timekeeper time) {
    this.session = session;
    this.instance = instance;
    this.time = time;
    this.calls = new ControlCalls(frame -> send(session, frame));
    session.setMaxIdleTimeout(MOST_SILENCE.toMillis());
    session.setMaxBinaryMessageBufferSize(ControlMessages.MOST_FRAME_BYTES);
    session.addMessageHandler(ByteBuffer.class, (MessageHandler.Whole<ByteBuffer>) this::received);
    // Without a handler the server would discard text messages, in any number.
    session.addMessageHandler(
        String.class,
        (MessageHandler.Partial<String>)
            (_, _) -> close(CloseCodes.CANNOT_ACCEPT, "a text (expected: binary messages)"));
    session.addMessageHandler(PongMessage.class, (MessageHandler.Whole<PongMessage>) this::pong);
  }

  UUID instance() {
    return instance;
  }

  ControlCalls calls() {
    return calls;
  }

  /** Measures a round trip, in milliseconds; empty if no answer came in time. Blocks. */
  OptionalDouble roundTripMillis(Duration timeout) {
    long number = numbers.getAndIncrement();
    Ping ping = new Ping(time.mark(), new CompletableFuture<>());
    pings.put(number, ping);
    try {
      session.getAsyncRemote().sendPing(ByteBuffer.allocate(Long.BYTES).putLong(number).flip());
      return OptionalDouble.of(ping.millis.get(timeout.toNanos(), TimeUnit.NANOSECONDS));
    } catch (IOException
        | ExecutionException
        | TimeoutException
        | IllegalArgumentException
        | IllegalStateException e) {
      return OptionalDouble.empty(); // the connection has ended, or is about to
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return OptionalDouble.empty();
    } finally {
      pings.remove(number);
    }
  }

  /**
   * Sends a frame. After a failed send the server lets later ones fail as if they were called
   * wrongly.
   */
  private static void send(Session session, ByteBuffer frame) throws IOException {
    try {
      session.getBasicRemote().sendBinary(frame);
    } catch (IllegalStateException e) {
      throw new IOException("the control connection has ended", e);
    }
  }

  /** Closes the connection with a reason for its relay. */
  void close(CloseCodes code, String reason) {
    calls.end(reason);
    close(session, code, reason);
  }

  static void close(Session session, CloseCodes code, String reason) {
    try {
      session.close(new CloseReason(code, reason));
    } catch (IOException e) {
      // The connection has ended already.
    }
  }

  private void received(ByteBuffer frame) {
    try {
      calls.received(frame);
    } catch (IllegalArgumentException e) {
      close(CloseCodes.PROTOCOL_ERROR, String.valueOf(e.getMessage()));
    }
  }

  private void pong(PongMessage pong) {
    ByteBuffer data = pong.getApplicationData();
    if (data.remaining() == Long.BYTES) {
      Ping asked = pings.get(data.getLong());
      if (asked != null) {
        asked.millis.complete(time.millisSince(asked.start));
      }
    }
  }

  /** A ping whose pong is awaited. */
  private record Ping(long start, CompletableFuture<Double> millis) {}
}
