package io.cascade.lab.soak;

import io.cascade.command.Digests;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import java.util.random.RandomGenerator;

/** One connection through a chain, from the client's side. */
record SoakConnection(Request request) {
  private static final int CONNECT_MILLIS = 10_000;
  private static final int PATIENCE_MILLIS = 120_000;
  private static final int MOST_MESSAGES = 500;
  private static final int SLOW_PIECES = 50;
  private static final long SLOW_PAUSE_MILLIS = 40;

  /** Outcome of a visit. */
  enum Outcome {
    /** All bytes and the correct end. */
    HELD,
    /** A reset that the visit intended. */
    RESET_AS_WISHED,
    /** A reset or a time-out that must be explained. */
    BROKEN,
    /** Wrong bytes, or a premature clean end: never explained. */
    WRONG
  }

  /** A visit of a random kind and size. */
  static SoakConnection random(RandomGenerator random, boolean mayConverse) {
    Request.Kind[] kinds = Request.Kind.values();
    Request.Kind kind = kinds[random.nextInt(kinds.length)];
    if (!mayConverse && (kind == Request.Kind.CONVERSATION || kind == Request.Kind.IDLE)) {
      kind = Request.Kind.TRANSFER;
    }
    return new SoakConnection(new Request(kind, random.nextLong(), size(random), size(random)));
  }

  /** A size from some bytes to 16 MiB, small ones as likely as large ones. */
  private static long size(RandomGenerator random) {
    return 16L + random.nextInt(1 << random.nextInt(6, 25));
  }

  /**
   * @param pauseSeconds pause of an idle visit
   */
  Outcome visit(InetSocketAddress way, int pauseSeconds) throws InterruptedException {
    try (Socket socket = new Socket()) {
      socket.connect(way, CONNECT_MILLIS);
      socket.setTcpNoDelay(true);
      socket.setSoTimeout(PATIENCE_MILLIS);
      socket.getOutputStream().write(request.encoded());
      return switch (request.kind()) {
        case TRANSFER, SLOW_READER -> transfer(socket);
        case CONVERSATION -> converse(socket, (int) (request.upload() % MOST_MESSAGES), 0);
        case IDLE -> converse(socket, 2, pauseSeconds);
        case RESET_BY_VISITOR -> reset(socket);
        case RESET_BY_HOST -> awaitReset(socket);
      };
    } catch (SocketTimeoutException e) {
      return Outcome.BROKEN;
    } catch (IOException e) {
      return request.kind() == Request.Kind.RESET_BY_HOST
          ? Outcome.RESET_AS_WISHED
          : Outcome.BROKEN;
    }
  }

  private Outcome transfer(Socket socket) throws IOException, InterruptedException {
    MessageDigest digest = Digests.sha256();
    send(socket.getOutputStream(), request.upload(), digest);
    byte[] uploaded = digest.digest();
    socket.shutdownOutput();
    InputStream in = socket.getInputStream();
    if (!Arrays.equals(in.readNBytes(uploaded.length), uploaded)) {
      return Outcome.WRONG;
    }
    Request.Blocks contents = request.downloads();
    boolean slow = request.kind() == Request.Kind.SLOW_READER;
    int pauses = 0;
    for (int length = contents.next(); length > 0; length = contents.next()) {
      byte[] got = in.readNBytes(length);
      if (got.length < length || !Arrays.equals(got, 0, length, contents.bytes(), 0, length)) {
        return Outcome.WRONG;
      }
      if (slow && pauses++ < SLOW_PIECES) {
        TimeUnit.MILLISECONDS.sleep(SLOW_PAUSE_MILLIS);
      }
    }
    return in.read() == -1 ? Outcome.HELD : Outcome.WRONG;
  }

  private static Outcome converse(Socket socket, int messages, int pauseSeconds)
      throws IOException, InterruptedException {
    byte[] message = new byte[Host.MESSAGE_BYTES];
    InputStream in = socket.getInputStream();
    for (int i = 0; i < messages; i++) {
      Arrays.fill(message, (byte) i);
      socket.getOutputStream().write(message);
      byte[] answer = in.readNBytes(message.length);
      if (!Arrays.equals(answer, message)) {
        return Outcome.WRONG;
      }
      TimeUnit.SECONDS.sleep(pauseSeconds);
    }
    socket.shutdownOutput();
    return in.read() == -1 ? Outcome.HELD : Outcome.WRONG;
  }

  private Outcome reset(Socket socket) throws IOException {
    send(socket.getOutputStream(), request.upload() / 2, Digests.sha256());
    socket.setSoLinger(true, 0);
    return Outcome.RESET_AS_WISHED;
  }

  /** Ends with the exception of a reset; everything else is wrong. */
  private Outcome awaitReset(Socket socket) throws IOException {
    send(socket.getOutputStream(), request.upload(), Digests.sha256());
    socket.shutdownOutput();
    long ignored = socket.getInputStream().skip(Long.MAX_VALUE);
    return Outcome.WRONG;
  }

  /** Sends so many bytes of the contents, and adds them to a digest. */
  private void send(OutputStream out, long bytes, MessageDigest digest) throws IOException {
    Request.Blocks contents = request.uploads();
    long left = bytes;
    for (int length = contents.next(); length > 0 && left > 0; length = contents.next()) {
      int part = (int) Math.min(left, length);
      out.write(contents.bytes(), 0, part);
      digest.update(contents.bytes(), 0, part);
      left -= part;
    }
  }
}
