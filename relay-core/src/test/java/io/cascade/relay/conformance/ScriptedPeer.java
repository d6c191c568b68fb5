package io.cascade.relay.conformance;

import java.io.IOException;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/**
 * One side of a connection, doing what its part of a script says and noting what it sees. An action
 * that does not come to its end is noted as such, and what follows it is not done.
 */
final class ScriptedPeer {
  /** Far longer than anything here takes; only what is broken takes so long. */
  static final int PATIENCE_SECONDS = 10;

  private static final int MOST_AT_ONCE = 16 * 1_024;
  private static final int LOOKS_AT_A_STALL = 5;
  private static final long STALL_LOOK_MILLIS = 10;

  private final Content own;
  private final Content others;
  private final Map<String, CountDownLatch> marks = new ConcurrentHashMap<>();
  private final AtomicLong sent = new AtomicLong();
  private final AtomicInteger sending = new AtomicInteger();
  private final AtomicBoolean over = new AtomicBoolean();
  private long read;
  private ScriptedPeer peer = this;

  private ScriptedPeer(Content own, Content others) {
    this.own = own;
    this.others = others;
  }

  /** A client and a server that know each other's marks. */
  static List<ScriptedPeer> pair() {
    ScriptedPeer client = new ScriptedPeer(Content.OF_CLIENT, Content.OF_SERVER);
    ScriptedPeer server = new ScriptedPeer(Content.OF_SERVER, Content.OF_CLIENT);
    client.peer = server;
    server.peer = client;
    return List.of(client, server);
  }

  /** Does all of it and answers what was seen, in order; lanes beside the first one come last. */
  List<String> play(Socket socket, List<Action> actions) {
    List<FutureTask<List<String>>> beside = Collections.synchronizedList(new ArrayList<>());
    List<String> views = new ArrayList<>(lane(socket, actions, beside));
    for (int i = 0; i < beside.size(); i++) {
      views.add("meanwhile " + result(beside.get(i)));
    }
    over.set(true);
    return views;
  }

  private List<String> lane(
      Socket socket, List<Action> actions, List<FutureTask<List<String>>> beside) {
    List<String> views = new ArrayList<>();
    for (Action action : actions) {
      try {
        if (action instanceof Action.Meanwhile meanwhile) {
          FutureTask<List<String>> lane =
              new FutureTask<>(() -> lane(socket, meanwhile.actions(), beside));
          beside.add(lane);
          Thread.startVirtualThread(lane);
        } else {
          String view = act(socket, action);
          if (!view.isEmpty()) {
            views.add(view);
          }
        }
      } catch (SocketTimeoutException e) {
        views.add(action + ": stuck");
        break;
      } catch (IOException e) {
        views.add(action + ": " + (isReset(e) ? "broken" : e.getMessage()));
        break;
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        break;
      }
    }
    return views;
  }

  private String act(Socket socket, Action action) throws IOException, InterruptedException {
    switch (action) {
      case Action.Send send -> send(socket, send);
      case Action.SendUrgent _ -> socket.sendUrgentData(own.at(sent.getAndIncrement()) & 0xff);
      case Action.SendUntilBroken _ -> {
        return sendUntilBroken(socket);
      }
      case Action.HalfClose _ -> socket.shutdownOutput();
      case Action.Close _ -> socket.close();
      case Action.Reset _ -> {
        socket.setSoLinger(true, 0);
        socket.close();
      }
      case Action.Read read -> {
        return read(socket, read);
      }
      case Action.Peek peek -> awaitAvailable(socket, peek.bytes());
      case Action.ReadToEnd toEnd -> {
        return readToEnd(socket, toEnd);
      }
      case Action.Stall _ -> awaitStandstillOfPeer();
      case Action.Mark mark -> latch(mark.name()).countDown();
      case Action.Await await -> {
        if (!peer.latch(await.mark()).await(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
          throw new SocketTimeoutException(await.toString());
        }
      }
      case Action.Meanwhile _ -> throw new IllegalArgumentException("a lane is no action");
    }
    return "";
  }

  private void send(Socket socket, Action.Send send) throws IOException {
    sending.incrementAndGet();
    try {
      for (int left = send.bytes(); left > 0; ) {
        // Never so much at once that nobody could see how far it has got.
        int length = Math.min(left, Math.min(send.piece(), MOST_AT_ONCE));
        socket.getOutputStream().write(own.from(sent.get(), length));
        sent.addAndGet(length);
        left -= length;
      }
    } finally {
      sending.decrementAndGet();
    }
  }

  private String sendUntilBroken(Socket socket) throws IOException {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS);
    sending.incrementAndGet();
    try {
      while (System.nanoTime() < deadline) {
        socket.getOutputStream().write(own.from(sent.get(), MOST_AT_ONCE));
        sent.addAndGet(MOST_AT_ONCE);
      }
    } catch (SocketException e) {
      return "sendUntilBroken: " + (isReset(e) ? "broken" : e.getMessage());
    } finally {
      sending.decrementAndGet();
    }
    return "sendUntilBroken: goes on for ever";
  }

  private String read(Socket socket, Action.Read wanted) throws IOException {
    byte[] buffer = new byte[Math.min(64 * 1_024, wanted.piece())];
    for (int left = wanted.bytes(); left > 0; ) {
      int got;
      try {
        got = socket.getInputStream().read(buffer, 0, Math.min(left, buffer.length));
      } catch (SocketTimeoutException e) {
        return wanted + ": stuck with " + left + " to come";
      } catch (SocketException e) {
        return wanted + ": reset before";
      }
      if (got < 0) {
        return wanted + ": the end came after " + (wanted.bytes() - left);
      }
      String wrong = wrong(buffer, got);
      if (!wrong.isEmpty()) {
        return wrong;
      }
      left -= got;
    }
    return wanted + ": read";
  }

  private static void awaitAvailable(Socket socket, int bytes)
      throws IOException, InterruptedException {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS);
    while (socket.getInputStream().available() < bytes) {
      if (System.nanoTime() > deadline) {
        throw new SocketTimeoutException("available");
      }
      TimeUnit.MILLISECONDS.sleep(1);
    }
  }

  private String readToEnd(Socket socket, Action.ReadToEnd wanted) throws IOException {
    byte[] buffer = new byte[64 * 1_024];
    long before = read;
    while (true) {
      int got;
      try {
        got = socket.getInputStream().read(buffer);
      } catch (SocketTimeoutException e) {
        return wanted + ": stuck after " + (read - before);
      } catch (SocketException e) {
        if (!isReset(e)) {
          return wanted + ": " + e.getMessage();
        }
        return read - before < wanted.least()
            ? wanted + ": reset after " + (read - before)
            : wanted + ": reset";
      }
      if (got < 0) {
        return wanted + ": the end after " + (read - before);
      }
      String wrong = wrong(buffer, got);
      if (!wrong.isEmpty()) {
        return wrong;
      }
    }
  }

  private String wrong(byte[] bytes, int length) {
    long place = others.firstWrong(bytes, length, read);
    read += length;
    return place < 0 ? "" : "byte " + place + " is wrong";
  }

  private void awaitStandstillOfPeer() throws InterruptedException {
    long last = -1;
    int still = 0;
    while (still < LOOKS_AT_A_STALL && !peer.over.get()) {
      long now = peer.sent.get();
      still = now == last && (now > 0 || peer.sending.get() == 0) ? still + 1 : 0;
      last = now;
      TimeUnit.MILLISECONDS.sleep(STALL_LOOK_MILLIS);
    }
  }

  private CountDownLatch latch(String mark) {
    return marks.computeIfAbsent(mark, _ -> new CountDownLatch(1));
  }

  private static List<String> result(FutureTask<List<String>> lane) {
    try {
      return lane.get(2L * PATIENCE_SECONDS, TimeUnit.SECONDS);
    } catch (TimeoutException e) {
      return List.of("stuck");
    } catch (ExecutionException e) {
      return List.of(String.valueOf(e.getCause()));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return List.of("interrupted");
    }
  }

  private static boolean isReset(IOException e) {
    String message = String.valueOf(e.getMessage());
    return message.contains("reset") || message.contains("Broken pipe");
  }
}
