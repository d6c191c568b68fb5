package io.cascade.client.transfer.coded;

import io.cascade.api.HostPort;
import io.cascade.carriage.coded.CodedPeer;
import io.cascade.carriage.coded.PathMemory;
import io.cascade.carriage.socket.UdpPort;
import io.cascade.client.transfer.connection.ByteConnection;
import io.cascade.client.transfer.connection.Connections;
import io.cascade.client.transfer.connection.ReceiverAccess;
import io.cascade.client.transfer.connection.StallGuard;
import io.cascade.client.transfer.connection.TcpConnection;
import io.cascade.client.transfer.connection.TransferFailed;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Optional;

/**
 * Dials coded sessions to a receiver without a relay or an orchestrator: it announces the session
 * to the receiver over TCP ({@link CodedInvitation}), encrypted if files are; then the session
 * begins over UDP. If UDP is blocked there is no session, and the transfer uses its TCP
 * connections.
 */
public final class CodedDial implements AutoCloseable {
  private static final Duration PATIENCE = Duration.ofSeconds(15);

  private final HostPort to;
  private final ReceiverAccess access;
  private final SessionDial sessions;

  /**
   * @param access by which the receiver is told
   * @param paths what is known of the path to the receiver; updated with what the sessions learned
   *     once this is closed
   */
  public CodedDial(HostPort to, ReceiverAccess access, PathMemory paths) {
    this.to = to;
    this.access = access;
    this.sessions = new SessionDial(paths);
  }

  /**
   * Dials a session; blocks until it is established.
   *
   * @return empty where the receiver accepts none, or UDP is blocked
   */
  public Optional<ByteConnection> dial() throws InterruptedException {
    sessions.warmUpOnce(); // While the invitation is in flight.
    CodedInvitation invitation = CodedInvitation.random();
    int port;
    InetAddress host;
    try (TcpConnection telling = TcpConnection.of(Connections.connect(to, PATIENCE));
        StallGuard _ = new StallGuard(telling, PATIENCE)) {
      host = telling.address();
      port = invitation.send(access.over(telling));
    } catch (IOException e) {
      return Optional.empty();
    }
    return port == 0 ? Optional.empty() : session(new InetSocketAddress(host, port), 0, invitation);
  }

  /** Dials connections to the receiver, through a relay. */
  @FunctionalInterface
  public interface Telling {
    /** Connects; blocks. */
    TcpConnection connect() throws TransferFailed;
  }

  /**
   * Dials a session directly to a receiver that a relay joins with this end: both ends exchange
   * their addresses, and search for a path between them for some seconds at most.
   *
   * @param by reports this end's address
   * @param telling connects to the other end
   * @return empty where there is no such path, or the receiver accepts no session
   */
  public Optional<ByteConnection> dial(Observer by, Telling telling) throws InterruptedException {
    sessions.warmUpOnce(); // While the invitation is in flight.
    CodedInvitation invitation = CodedInvitation.random();
    // The session uses the port of the path search, since NATs have mappings for it.
    try (UdpPort port = UdpPort.open(new InetSocketAddress(0))) {
      int number = port.address().getPort();
      DirectPaths paths = new DirectPaths(port::send);
      port.receive("direct-port", paths::received);
      Candidates ours = paths.candidates(by, number);
      Candidates theirs;
      try (TcpConnection connection = telling.connect();
          StallGuard _ = new StallGuard(connection, PATIENCE)) {
        theirs = invitation.exchange(access.over(connection), ours);
      }
      if (theirs.addresses().isEmpty()) {
        return Optional.empty();
      }
      Optional<InetSocketAddress> at = paths.search(invitation, true, theirs);
      return at.isEmpty() ? Optional.empty() : session(at.get(), number, invitation);
    } catch (IOException e) {
      return Optional.empty();
    }
  }

  private Optional<ByteConnection> session(
      InetSocketAddress at, int localPort, CodedInvitation invitation) throws InterruptedException {
    try {
      return Optional.of(
          new CodedEnd(
              sessions.connect(
                  new CodedPeer(at, invitation.key(), invitation.nameBytes(), true, localPort))));
    } catch (IOException e) {
      return Optional.empty();
    }
  }

  /** Closes the session and its streams. */
  @Override
  public void close() {
    sessions.close();
  }
}
