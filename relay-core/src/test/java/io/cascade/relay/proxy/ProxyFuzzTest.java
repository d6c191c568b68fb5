package io.cascade.relay.proxy;

import io.cascade.carriage.transport.BudgetedReceive;
import io.cascade.carriage.transport.Connection;
import io.cascade.carriage.transport.Protection;
import io.cascade.testing.FuzzTest;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelPromise;
import io.netty.channel.embedded.EmbeddedChannel;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What clients say to a proxy. The first byte of an input is the protocol and whether a password is
 * wanted, the second one where the rest is cut in two.
 */
class ProxyFuzzTest extends FuzzTest {
  /** The digests of a password. */
  @Override
  protected long mostBytes() {
    return 8 << 20;
  }

  private static final int SOCKS = 0;
  private static final int CONNECT = 1;
  private static final int PASSWORD = 2;
  private static final ProxySettings OPEN =
      new ProxySettings(new InetSocketAddress("127.0.0.1", 0), null, List.of(), List.of("*"), null);
  private static final ProxySettings CLOSED =
      new ProxySettings(
          new InetSocketAddress("127.0.0.1", 0), null, List.of(), List.of("*"), credentials());

  private static Path credentials() {
    try {
      Path file = Files.createTempFile("cascade-fuzz", ".users");
      file.toFile().deleteOnExit();
      // Of a password that no input has.
      return Files.writeString(file, "a:$6$rounds=1000$0000000000000000$" + "0".repeat(86) + "\n");
    } catch (java.io.IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
  }

  @Override
  protected Stream<byte[]> seeds() {
    return Stream.of(
        socks(SOCKS, "050100" + "05010001" + "0a000001" + "0050" + "6869"),
        socks(SOCKS, "050100" + "0501000303" + "612e62" + "0050"),
        socks(SOCKS, "050100" + "05010004" + "20010db8000000000000000000000001" + "0050"),
        socks(SOCKS, "050100" + "05020001" + "0a000001" + "0050"),
        socks(SOCKS | PASSWORD, "050102" + "0101610162" + "05010001" + "0a000001" + "0050"),
        socks(SOCKS, "04010050" + "0a000001" + "6100"),
        socks(SOCKS, "04010050" + "00000001" + "6100" + "612e6200"),
        socks(SOCKS, "0500"),
        http(CONNECT, "CONNECT a.b:80 HTTP/1.1\r\nHost: a.b\r\n\r\nhi"),
        http(CONNECT, "CONNECT [2001:db8::1]:80 HTTP/1.0\r\n\r\n"),
        http(CONNECT, "GET http://a.b/ HTTP/1.1\r\nHost: a.b\r\n\r\n"),
        http(
            CONNECT | PASSWORD,
            "CONNECT a:1 HTTP/1.1\r\nHost: a\r\nProxy-Authorization: Basic YTpi\r\n\r\n"));
  }

  private static byte[] socks(int first, String hex) {
    return HexFormat.of().parseHex(HexFormat.of().toHexDigits((byte) first) + "08" + hex);
  }

  private static byte[] http(int first, String text) {
    return ((char) first + "\t" + text).getBytes(StandardCharsets.ISO_8859_1);
  }

  @Override
  protected void parse(byte[] input) {
    if (input.length < 2) {
      return;
    }
    byte[] said = Arrays.copyOfRange(input, 2, input.length);
    List<String> whole = answers(input[0], said, said.length);
    List<String> cut = answers(input[0], said, Math.min(said.length, input[1] & 0xff));
    same(whole, cut);
  }

  /** What became of a client that says something in two pieces. */
  private static List<String> answers(int first, byte[] said, int cut) {
    List<String> seen = new ArrayList<>();
    ProxyAdmission admission =
        new ProxyAdmission(
            (first & PASSWORD) == 0 ? OPEN : CLOSED,
            Duration.ofSeconds(10),
            8,
            Runnable::run,
            (_, destination, _, early, _) -> {
              seen.add("to " + destination);
              early.release();
              return HandshakeOutcome.DIRECT;
            });
    Client client = new Client();
    client
        .pipeline()
        .addLast(
            (first & CONNECT) == 0
                ? new Socks5Handshake(admission)
                : new ConnectHandshake(admission));
    try {
      client.start();
      client.say(said, 0, cut);
      client.say(said, cut, said.length);
      client.runPendingTasks();
      client.checkException();
      for (Object out = client.readOutbound(); out != null; out = client.readOutbound()) {
        ByteBuf bytes = (ByteBuf) out;
        seen.add(bytes.toString(StandardCharsets.ISO_8859_1));
        bytes.release();
      }
    } finally {
      client.finishAndReleaseAll();
    }
    admission.counted().forEach((outcome, count) -> seen.add(count > 0 ? outcome : ""));
    require(admission.pending() == 0, "a handshake that is over has left");
    return seen;
  }

  /** A connection without a socket. */
  private static final class Client extends EmbeddedChannel implements Connection {
    private final BudgetedReceive receive = new BudgetedReceive();

    Client() {
      super(false, false);
    }

    void start() {
      try {
        register();
      } catch (Exception e) {
        throw new AssertionError(e);
      }
    }

    void say(byte[] said, int from, int to) {
      if (isOpen() && from < to) {
        writeInbound(Unpooled.copiedBuffer(said, from, to - from));
        runPendingTasks();
      }
    }

    @Override
    protected SocketAddress remoteAddress0() {
      return new InetSocketAddress("127.0.0.1", 1);
    }

    @Override
    public BudgetedReceive receive() {
      return receive;
    }

    @Override
    public @Nullable Protection protection() {
      return null;
    }

    @Override
    public void protectBy(Protection protection) {}

    @Override
    public boolean isInputShutdown() {
      return !isOpen();
    }

    @Override
    public boolean isOutputShutdown() {
      return !isOpen();
    }

    @Override
    public ChannelFuture shutdownInput(ChannelPromise promise) {
      return close(promise);
    }

    @Override
    public ChannelFuture shutdown(ChannelPromise promise) {
      return close(promise);
    }

    @Override
    public ChannelFuture shutdownOutput(ChannelPromise promise) {
      return close(promise);
    }
  }
}
