package io.cascade.relay.conformance;

import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;

/**
 * One side does one thing, and the other looks for it.
 *
 * @param bytes how many are sent, where that is what is done
 */
record ScriptStep(boolean byClient, Deed deed, int bytes, WayBack back) {
  /** What is done. */
  enum Deed {
    SENDS,
    ENDS,
    RESETS
  }

  /** What the way back is like meanwhile. */
  enum WayBack {
    SILENT,
    ENDED,
    FULL
  }

  private static final int[] SIZES = {1, 1_000, 65_537};

  static List<ScriptStep> all() {
    List<ScriptStep> moments = new ArrayList<>();
    for (boolean byClient : new boolean[] {true, false}) {
      for (WayBack back : WayBack.values()) {
        for (int bytes : SIZES) {
          moments.add(new ScriptStep(byClient, Deed.SENDS, bytes, back));
        }
        moments.add(new ScriptStep(byClient, Deed.ENDS, 0, back));
        moments.add(new ScriptStep(byClient, Deed.RESETS, 0, back));
      }
    }
    return moments;
  }

  /**
   * @param way to the destination: itself, or where a chain to it begins
   * @param silence after which nothing is taken to come by itself
   */
  ObservedDelay seen(InetSocketAddress way, ServerSocket destination, Duration silence)
      throws Exception {
    try (Socket client = new Socket()) {
      client.connect(way);
      try (Socket server = destination.accept()) {
        return byClient ? seen(client, server, silence) : seen(server, client, silence);
      }
    }
  }

  private ObservedDelay seen(Socket doer, Socket looker, Duration silence) throws Exception {
    doer.setTcpNoDelay(true);
    looker.setTcpNoDelay(true);
    if (deed == Deed.RESETS) {
      // Before any byte has come through, it need not be heard of.
      exchangeBytes(doer, looker);
    }
    switch (back) {
      case SILENT -> {}
      case ENDED -> {
        looker.shutdownOutput();
        see(doer, "the end", () -> doer.getInputStream().read() == -1).get();
      }
      case FULL -> fill(looker);
    }
    CompletableFuture<Void> seen;
    switch (deed) {
      case SENDS -> {
        doer.getOutputStream().write(Content.OF_CLIENT.from(0, bytes));
        seen =
            see(
                looker,
                bytes + " bytes",
                () -> {
                  byte[] came = looker.getInputStream().readNBytes(bytes);
                  return came.length == bytes && Content.OF_CLIENT.firstWrong(came, bytes, 0) < 0;
                });
      }
      case ENDS -> {
        doer.shutdownOutput();
        seen = see(looker, "the end", () -> looker.getInputStream().read() == -1);
      }
      case RESETS -> {
        doer.setSoLinger(true, 0);
        doer.close();
        seen = see(looker, "the reset", () -> isReset(looker));
      }
      default -> throw new IllegalStateException(toString());
    }
    for (ObservedDelay sight :
        List.of(
            ObservedDelay.BY_ITSELF, ObservedDelay.AFTER_ITS_END, ObservedDelay.AFTER_BOTH_ENDS)) {
      if (sight == ObservedDelay.AFTER_ITS_END && deed == Deed.SENDS) {
        doer.shutdownOutput();
      } else if (sight == ObservedDelay.AFTER_BOTH_ENDS && back == WayBack.SILENT) {
        looker.shutdownOutput();
      }
      if (isDone(seen, silence)) {
        return sight;
      }
    }
    return ObservedDelay.NOT_AT_ALL;
  }

  private static void exchangeBytes(Socket one, Socket other) throws IOException {
    one.getOutputStream().write(1);
    other.getOutputStream().write(1);
    other.getInputStream().readNBytes(1);
    one.getInputStream().readNBytes(1);
  }

  /** Sends until no more can be sent; the rest is sent when somebody reads, or breaks off. */
  private static void fill(Socket sender) {
    AtomicLong sent = new AtomicLong();
    byte[] piece = new byte[16 * 1_024];
    Thread.startVirtualThread(() -> {
      try {
        while (true) {
          sender.getOutputStream().write(piece);
          sent.addAndGet(piece.length);
        }
      } catch (IOException e) {
        // over
      }
    });
    long[] last = {0};
    await()
        .atMost(Duration.ofSeconds(2L * ScriptedPeer.PATIENCE_SECONDS))
        .pollInterval(Duration.ofMillis(100))
        .until(() -> {
          long now = sent.get();
          boolean full = now > 0 && now == last[0];
          last[0] = now;
          return full;
        });
  }

  /** A look that waits for as long as it takes; what is seen and is something else fails it. */
  private static CompletableFuture<Void> see(Socket looker, String what, Look look) {
    CompletableFuture<Void> seen = new CompletableFuture<>();
    Thread.startVirtualThread(() -> {
      try {
        if (look.sees()) {
          seen.complete(null);
        } else {
          seen.completeExceptionally(new AssertionError("not " + what + " at " + looker));
        }
      } catch (IOException e) {
        seen.completeExceptionally(new AssertionError("not " + what + " at " + looker, e));
      }
    });
    return seen;
  }

  private boolean isReset(Socket socket) {
    try {
      if (socket.getInputStream().read() == -1 && back == WayBack.FULL) {
        // The kernel tells a reset once, and here perhaps to the write that it interrupted.
        socket.getOutputStream().write(1);
      }
      return false;
    } catch (IOException e) {
      return true;
    }
  }

  private static boolean isDone(CompletableFuture<Void> seen, Duration silence)
      throws InterruptedException, ExecutionException {
    try {
      seen.get(silence.toMillis(), TimeUnit.MILLISECONDS);
      return true;
    } catch (TimeoutException e) {
      return false;
    }
  }

  private interface Look {
    boolean sees() throws IOException;
  }

  @Override
  public String toString() {
    return (byClient ? "the client " : "the server ")
        + deed.name().toLowerCase(Locale.ROOT)
        + (deed == Deed.SENDS ? " " + bytes + " bytes" : "")
        + ", the way back is "
        + back.name().toLowerCase(Locale.ROOT);
  }
}
