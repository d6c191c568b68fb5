package io.cascade.client.rendezvous;

import io.cascade.api.HostPort;
import io.cascade.carriage.rendezvous.MalformedMeeting;
import io.cascade.carriage.rendezvous.MeetingAnswer;
import io.cascade.carriage.rendezvous.MeetingNumber;
import io.cascade.carriage.rendezvous.MeetingRefusal;
import io.cascade.carriage.rendezvous.MeetingRequest;
import io.cascade.client.transfer.connection.Connections;
import io.cascade.client.transfer.connection.TcpConnection;
import io.cascade.client.transfer.connection.TransferFailed;
import java.io.EOFException;
import java.io.IOException;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import jdk.net.ExtendedSocketOptions;
import org.jspecify.annotations.Nullable;

/**
 * A connection to a relay's rendezvous port, until it is joined with that of another end. Calls
 * block; {@link #close} from another thread ends them with an exception.
 */
public final class RendezvousConnection implements AutoCloseable {
  /**
   * Keep-alive detects a dead relay after some 45 s, and refreshes the NAT mapping of this host.
   */
  private static final int KEEP_ALIVE_IDLE_SECONDS = 25;

  private static final int KEEP_ALIVE_INTERVAL_SECONDS = 5;
  private static final int KEEP_ALIVE_PROBES = 4;

  private final HostPort relay;
  private final SocketChannel channel;

  private RendezvousConnection(HostPort relay, SocketChannel channel) {
    this.relay = relay;
    this.channel = channel;
  }

  /**
   * Joins an end that waits under the number.
   *
   * @param patience time-out of each of connecting and the relay's answer
   * @param changesControl as for {@link TcpConnection#connect}
   */
  public static JoinedConnection join(
      HostPort relay, MeetingNumber number, Duration patience, boolean changesControl)
      throws RendezvousFailed {
    RendezvousConnection made = open(relay, MeetingRequest.toJoin(number), patience);
    return made.orClosed(() -> made.joined(made.answer(patience), changesControl));
  }

  /**
   * Begins to wait under the number; returns once the relay has confirmed that.
   *
   * @param places connections that are to wait under the number, this one included
   * @param patience time-out of each of connecting and the relay's answer
   */
  public static RendezvousConnection await(
      HostPort relay, MeetingNumber number, int places, Duration patience) throws RendezvousFailed {
    RendezvousConnection made = open(relay, MeetingRequest.toWait(number, places), patience);
    return made.orClosed(() -> {
      MeetingAnswer answer = made.answer(patience);
      if (!(answer instanceof MeetingAnswer.Waiting)) {
        throw made.unexpected(answer);
      }
      return made;
    });
  }

  /** Waits until another end joins, without a time-out. May be called once. */
  public JoinedConnection awaitJoined() throws RendezvousFailed {
    return orClosed(() -> joined(answer(Duration.ZERO), false));
  }

  @Override
  public void close() {
    try {
      channel.close();
    } catch (IOException e) {
      // The connection has failed already.
    }
  }

  private static RendezvousConnection open(
      HostPort relay, MeetingRequest request, Duration patience) throws RendezvousFailed {
    SocketChannel channel;
    try {
      channel = Connections.connect(relay, patience);
    } catch (TransferFailed e) {
      throw new RendezvousFailed(
          e.getMessage() + ": is the relay up, with --rendezvous, and is that its port?", null, e);
    }
    RendezvousConnection made = new RendezvousConnection(relay, channel);
    return made.orClosed(() -> {
      made.keepAlive();
      ByteBuffer bytes = request.encode();
      while (bytes.hasRemaining()) {
        channel.write(bytes);
      }
      return made;
    });
  }

  private void keepAlive() throws IOException {
    if (channel.supportedOptions().contains(ExtendedSocketOptions.TCP_KEEPIDLE)) {
      channel.setOption(ExtendedSocketOptions.TCP_KEEPIDLE, KEEP_ALIVE_IDLE_SECONDS);
      channel.setOption(ExtendedSocketOptions.TCP_KEEPINTERVAL, KEEP_ALIVE_INTERVAL_SECONDS);
      channel.setOption(ExtendedSocketOptions.TCP_KEEPCOUNT, KEEP_ALIVE_PROBES);
    }
  }

  /**
   * Reads one answer and no byte behind it.
   *
   * @param patience time-out; zero for none
   */
  private MeetingAnswer answer(Duration patience) throws IOException {
    channel.socket().setSoTimeout(Math.toIntExact(patience.toMillis()));
    byte[] head = read(MeetingAnswer.HEAD_BYTES);
    byte[] body = read(MeetingAnswer.bodyBytes(ByteBuffer.wrap(head)));
    return MeetingAnswer.decode(
        ByteBuffer.allocate(head.length + body.length).put(head).put(body).flip());
  }

  private byte[] read(int length) throws IOException {
    byte[] bytes = channel.socket().getInputStream().readNBytes(length);
    if (bytes.length < length) {
      throw new EOFException();
    }
    return bytes;
  }

  private JoinedConnection joined(MeetingAnswer answer, boolean changesControl) throws IOException {
    if (answer instanceof MeetingAnswer.Joined joined) {
      channel.socket().setSoTimeout(0);
      String peer =
          "%s through relay %s"
              .formatted(String.valueOf(joined.peer()).replaceFirst("^/", ""), relay);
      return new JoinedConnection(
          TcpConnection.joined(channel, changesControl, peer), joined.peer());
    }
    throw unexpected(answer);
  }

  private IOException unexpected(MeetingAnswer answer) {
    if (answer instanceof MeetingAnswer.Refused refused) {
      return new RendezvousFailed(
          "relay " + relay + ": " + refused.words() + whatToDo(refused.why()), refused.why(), null);
    }
    return new RendezvousFailed("relay " + relay + ": an unexpected answer", null, null);
  }

  private static String whatToDo(MeetingRefusal why) {
    return switch (why) {
      case NOBODY_WAITS ->
          "; fix: start the receiver first, leave it running, and give the code that it prints";
      case TOO_MANY_WAITING, TOO_MANY_STREAMS -> "; fix: end some, or use another relay";
      case FULL, BUDGET_SPENT -> "; fix: try later, or use another relay";
      case TOO_MANY_REQUESTS, LEAVING, EXPIRED, REPLACED, LATE, OTHER -> "";
      case MALFORMED -> "; fix: use the same version of cascade at both ends";
    };
  }

  /** A step of a conversation. */
  @FunctionalInterface
  private interface Step<T> {
    T run() throws IOException;
  }

  /** Runs a step; if it fails, closes the connection and explains the failure. */
  private <T> T orClosed(Step<T> step) throws RendezvousFailed {
    try {
      return step.run();
    } catch (IOException e) {
      close();
      throw e instanceof RendezvousFailed told ? told : failed(e);
    }
  }

  private RendezvousFailed failed(IOException e) {
    @Nullable String why =
        switch (e) {
          case SocketTimeoutException _ ->
              "no answer: is that the port of the relay's --rendezvous?";
          case EOFException _ ->
              "the connection was ended: is that the port of the relay's --rendezvous?";
          case MalformedMeeting _ -> "the answer is not from a relay's --rendezvous port";
          case SocketException broken -> "the connection broke (" + broken.getMessage() + ")";
          default -> e.getMessage();
        };
    return new RendezvousFailed("relay " + relay + ": " + why, null, e);
  }
}
