package io.cascade.orchestrator;

import static org.assertj.core.api.Assertions.assertThat;

import io.cascade.api.Json;
import io.cascade.api.control.ControlMessage;
import io.cascade.api.identity.ControlProof;
import io.cascade.api.relay.Limits;
import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketException;
import java.net.URLEncoder;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.FutureTask;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * A relay's end of the control connection that breaks the WebSocket protocol (RFC 6455) or that of
 * the messages in it. The connection ends with a close code, and the relay may open the next one.
 */
@NullUnmarked
@Timeout(120)
class ControlFrameFaultsTest {
  private static final int CONTINUATION = 0;
  private static final int TEXT = 1;
  private static final int BINARY = 2;
  private static final int CLOSE = 8;
  private static final int PING = 9;
  private static final int PONG = 10;
  private static final int FIN = 0x80;

  private static final int PROTOCOL_ERROR = 1002;
  private static final int CANNOT_ACCEPT = 1003;
  private static final int NOT_CONSISTENT = 1007;
  private static final int TOO_BIG = 1009;

  private static Rig rig;
  private static FakeRelay relay;

  @BeforeAll
  static void start(@TempDir Path state) {
    rig = Rig.start(state);
    relay = rig.relay("r1").withoutControlPort().register();
  }

  @AfterAll
  static void stop() {
    rig.close();
  }

  /** Whatever was sent before, the relay is called over its next connection. */
  @AfterEach
  void isServedAgain() throws Exception {
    String limits = Json.lenient().writeValueAsString(Limits.builder().maxStreams(7).build());
    try (Peer peer = new Peer()) {
      peer.awaitPing();
      FutureTask<Void> answering = background(() -> peer.answer("200 application/json", limits));
      assertThat(rig.client().limits("r1").maxStreams()).isEqualTo(7);
      answering.get();
    }
  }

  static Stream<Arguments> faults() {
    byte[] small = new byte[20];
    byte[] part = new byte[10_000];
    return Stream.of(
        fault("a frame without a mask", PROTOCOL_ERROR, unmasked(FIN | BINARY, small)),
        fault("a reserved bit", PROTOCOL_ERROR, frame(FIN | 0x40 | BINARY, small)),
        fault("a kind of frame that there is not", PROTOCOL_ERROR, frame(FIN | 3, small)),
        fault("a control frame that there is not", PROTOCOL_ERROR, frame(FIN | 11, small)),
        fault("a ping in parts", PROTOCOL_ERROR, frame(PING, small)),
        fault("a ping that is too long", PROTOCOL_ERROR, frame(FIN | PING, new byte[126])),
        fault("a part of nothing", PROTOCOL_ERROR, frame(FIN | CONTINUATION, small)),
        fault(
            "a message within another one",
            PROTOCOL_ERROR,
            frame(BINARY, small),
            frame(FIN | BINARY, small)),
        fault("a negative length", PROTOCOL_ERROR, head(FIN | BINARY, -1)),
        fault("the beginning of a TiB", TOO_BIG, head(FIN | BINARY, 1L << 40), new byte[40_000]),
        fault("a frame that is too long", TOO_BIG, frame(FIN | BINARY, new byte[40_000])),
        fault(
            "parts that are too long together",
            TOO_BIG,
            frame(BINARY, part),
            frame(CONTINUATION, part),
            frame(CONTINUATION, part)),
        fault("a text", CANNOT_ACCEPT, frame(FIN | TEXT, "{}".getBytes(StandardCharsets.US_ASCII))),
        fault("a text that is none", NOT_CONSISTENT, frame(FIN | TEXT, new byte[] {(byte) 0xff})),
        fault("a close of one byte", PROTOCOL_ERROR, frame(FIN | CLOSE, new byte[1])),
        fault("an empty message", PROTOCOL_ERROR, frame(FIN | BINARY, new byte[0])),
        fault(
            "an empty message of many parts",
            PROTOCOL_ERROR,
            Stream.concat(
                    Stream.of(frame(BINARY, new byte[0])),
                    Stream.concat(
                        IntStream.range(0, 20_000).mapToObj(_ -> frame(0, new byte[0])),
                        Stream.of(frame(FIN | CONTINUATION, new byte[0]))))
                .toArray(byte[][]::new)),
        fault("a negative number", PROTOCOL_ERROR, frame(FIN | BINARY, message(-1, 1, "", 0))),
        fault("neither last nor not", PROTOCOL_ERROR, frame(FIN | BINARY, message(1, 2, "", 0))));
  }

  @Test
  void dropsAnswersThatNobodyWaitsFor() throws Exception {
    String limits = Json.lenient().writeValueAsString(Limits.builder().maxStreams(8).build());
    try (Peer peer = new Peer()) {
      peer.awaitPing();
      for (int number = 1_000; number < 1_600; number++) {
        peer.send(frame(FIN | BINARY, message(number, 0, "200", 5)));
        peer.send(frame(FIN | BINARY, message(number, 0, "200", 5)));
      }
      FutureTask<Void> answering = background(() -> peer.answer("200 application/json", limits));

      assertThat(rig.client().limits("r1").maxStreams()).isEqualTo(8);
      answering.get();
    }
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("faults")
  void endsTheConnectionWithACloseCode(String what, int code, byte[] bytes) throws Exception {
    try (Peer peer = new Peer()) {
      peer.awaitPing();
      FutureTask<Void> sending = background(() -> peer.send(bytes));

      assertThat(peer.awaitClose()).as(what).isEqualTo(code);
      peer.sendQuietly(frame(FIN | CLOSE, new byte[0]));
      peer.awaitEnd();
      sending.get();
    }
  }

  /** Each input has a seed of its own; most are refused by a close code, some wait for the rest. */
  @Test
  void whateverBytesComeOthersAreServed() throws Exception {
    for (int seed = 0; seed < 100; seed++) {
      Random random = new Random(seed);
      byte[] bytes = new byte[1 + random.nextInt(400)];
      random.nextBytes(bytes);
      bytes[0] = (byte) (FIN | random.nextInt(16));
      try (Peer peer = new Peer()) {
        peer.sendQuietly(bytes);
      }
      assertThat(rig.client().relays().relays()).as("seed %s", seed).hasSize(1);
    }
  }

  /** The orchestrator hears that the connection is gone, and calls fail at once. */
  @Test
  void aConnectionThatEndsWithinAFrameIsOver() throws Exception {
    for (byte[] half : List.of(head(FIN | BINARY, 1_000), frame(BINARY, new byte[20]))) {
      try (Peer peer = new Peer()) {
        peer.awaitPing();
        peer.send(half);
      }
    }
  }

  private static Arguments fault(String what, int code, byte[]... frames) {
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    for (byte[] frame : frames) {
      all.writeBytes(frame);
    }
    return Arguments.of(what, code, all.toByteArray());
  }

  private static byte[] message(long number, int last, String line, int body) {
    byte[] text = line.getBytes(StandardCharsets.US_ASCII);
    return ByteBuffer.allocate(11 + text.length + body)
        .putLong(number)
        .put((byte) last)
        .putShort((short) text.length)
        .put(text)
        .array();
  }

  private static byte[] unmasked(int first, byte[] payload) {
    return ByteBuffer.allocate(2 + payload.length)
        .put((byte) first)
        .put((byte) payload.length)
        .put(payload)
        .array();
  }

  /** Masked by zeros. */
  private static byte[] frame(int first, byte[] payload) {
    byte[] head = head(first, payload.length);
    return ByteBuffer.allocate(head.length + payload.length).put(head).put(payload).array();
  }

  private static byte[] head(int first, long length) {
    ByteBuffer head = ByteBuffer.allocate(14).put((byte) first);
    if (length >= 0 && length < 126) {
      head.put((byte) (0x80 | length));
    } else if (length >= 0 && length < 1 << 16) {
      head.put((byte) (0x80 | 126)).putShort((short) length);
    } else {
      head.put((byte) (0x80 | 127)).putLong(length);
    }
    head.putInt(0);
    return java.util.Arrays.copyOf(head.array(), head.position());
  }

  private static FutureTask<Void> background(Steps steps) {
    FutureTask<Void> task =
        new FutureTask<>(() -> {
          steps.run();
          return null;
        });
    Thread.ofVirtual().start(task);
    return task;
  }

  private interface Steps {
    void run() throws Exception;
  }

  /** A relay's end of a control connection, by hand. */
  private static final class Peer implements AutoCloseable {
    private final Socket socket;
    private final OutputStream out;
    private final DataInputStream in;

    Peer() throws IOException {
      ControlProof proof = relay.signer().sign(relay.name(), relay.instance());
      socket = new Socket(InetAddress.getLoopbackAddress(), rig.address().getPort());
      socket.setTcpNoDelay(true);
      socket.setSoTimeout(20_000);
      out = socket.getOutputStream();
      in = new DataInputStream(new BufferedInputStream(socket.getInputStream()));
      String request =
          """
          GET /api/v1/relays/r1/control?instance=%s&sequence=%d&signature=%s HTTP/1.1
          Host: localhost
          Connection: Upgrade
          Upgrade: websocket
          Sec-WebSocket-Version: 13
          Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==

          """
              .formatted(
                  proof.instance(),
                  proof.sequence(),
                  URLEncoder.encode(proof.signature(), StandardCharsets.UTF_8));
      out.write(request.replace("\n", "\r\n").getBytes(StandardCharsets.US_ASCII));
      List<String> answer = new ArrayList<>();
      do {
        answer.add(line());
      } while (!answer.getLast().isEmpty());
      assertThat(answer.getFirst()).startsWith("HTTP/1.1 101");
    }

    private String line() throws IOException {
      StringBuilder line = new StringBuilder();
      for (int next = in.readUnsignedByte(); next != '\n'; next = in.readUnsignedByte()) {
        line.append((char) next);
      }
      return line.toString().strip();
    }

    void send(byte[] bytes) throws IOException {
      try {
        out.write(bytes);
      } catch (SocketException e) {
        // The orchestrator has closed it before it took everything.
      }
    }

    void sendQuietly(byte[] bytes) {
      try {
        send(bytes);
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }

    /** The orchestrator sends one as soon as it has taken the connection. */
    void awaitPing() throws IOException {
      Frame next = next();
      while (next.kind != PING) {
        next = next();
      }
      send(frame(FIN | PONG, next.payload));
    }

    int awaitClose() throws IOException {
      Frame next = next();
      while (next.kind != CLOSE) {
        next = next();
      }
      return ByteBuffer.wrap(next.payload).getShort();
    }

    void awaitEnd() throws IOException {
      try {
        while (in.read() >= 0) {
          // What was on its way.
        }
      } catch (SocketException e) {
        // It was reset: it had more to read.
      }
    }

    /** Answers the next request. */
    void answer(String line, String body) throws IOException {
      Frame next = next();
      while (next.kind != BINARY) {
        next = next();
      }
      long number = ByteBuffer.wrap(next.payload).getLong();
      ByteBuffer answer = new ControlMessage(number, line, body).frames().getFirst();
      byte[] bytes = new byte[answer.remaining()];
      answer.get(bytes);
      send(frame(FIN | BINARY, bytes));
    }

    private Frame next() throws IOException {
      int kind = in.readUnsignedByte() & 0xf;
      int length = in.readUnsignedByte();
      byte[] payload = new byte[length == 126 ? in.readUnsignedShort() : length];
      in.readFully(payload);
      return new Frame(kind, payload);
    }

    @Override
    public void close() throws IOException {
      socket.close();
    }
  }

  @SuppressWarnings("ArrayRecordComponent")
  private record Frame(int kind, byte[] payload) {}
}
