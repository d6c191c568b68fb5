package io.cascade.client.ways;

import io.cascade.api.orchestrator.CodedIngress;
import io.cascade.carriage.coded.ClientName;
import io.cascade.carriage.coded.CodedPeer;
import io.cascade.client.transfer.FileTransfer;
import io.cascade.client.transfer.coded.CodedEnd;
import io.cascade.client.transfer.coded.SessionDial;
import io.cascade.client.transfer.connection.ByteConnection;
import io.cascade.client.transfer.connection.TcpConnection;
import io.cascade.client.transfer.connection.TransferFailed;
import io.cascade.command.names.NamedPeer;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.Base64;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Coded sessions to the first relay of a chain, beside the TCP connections there. They start when
 * losses on the path slow TCP down and its congestion control cannot be replaced by one that random
 * losses do not slow. Where UDP is blocked, TCP carries alone.
 */
final class CodedFirstHop implements AutoCloseable {
  /** Time to find which of the relay's addresses answers, where its name has several. */
  private static final Duration CHOOSING = Duration.ofSeconds(1);

  private static final Duration BETWEEN_LOOKS = Duration.ofMillis(250);

  private final UUID chain;
  private final CodedIngress at;
  private final Recipient to;
  private final FileTransfer transfer;
  private final KnownPaths paths = KnownPaths.ofThisUser();
  private final SessionDial sessions = new SessionDial(paths.memory());
  private final AtomicLong carriedBytes = new AtomicLong();
  private final AtomicReference<@Nullable TcpConnection> beside = new AtomicReference<>();
  private volatile boolean isClosed;

  /**
   * @param at address at which the first relay accepts sessions
   */
  CodedFirstHop(UUID chain, CodedIngress at, Recipient to, FileTransfer transfer) {
    this.chain = chain;
    this.at = at;
    this.to = to;
    this.transfer = transfer;
  }

  /**
   * Monitors a connection from now on, in place of the previous one, on a thread of its own.
   *
   * @param preferred see {@link FileTransfer#carry}
   */
  void beside(TcpConnection connection, boolean preferred) {
    if (beside.getAndSet(connection) == null) {
      Thread.ofVirtual().name("coded first hop").start(() -> carry(preferred));
    }
  }

  private void carry(boolean preferred) {
    try {
      while (isWanted() && !Objects.requireNonNull(beside.get()).isHeldByLosses()) {
        transfer.pause(BETWEEN_LOOKS);
      }
      SessionsInTurn.carry(
          transfer, RelayedWay.NAME, preferred, this::session, this::isWanted, carriedBytes);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private boolean isWanted() {
    return !isClosed && transfer.canBeJoined();
  }

  private Optional<ByteConnection> session() throws InterruptedException {
    InetSocketAddress address;
    try {
      address = NamedPeer.resolve(at.host(), at.port()).quickest(CHOOSING);
    } catch (UnknownHostException e) {
      return Optional.empty();
    }
    try {
      CodedEnd session =
          new CodedEnd(
              sessions.connect(
                  new CodedPeer(
                      address,
                      Base64.getDecoder().decode(at.key()),
                      new ClientName(chain).encode(),
                      true)));
      return Optional.of(to.access().over(session));
    } catch (TransferFailed e) {
      transfer.failed(e);
      return Optional.empty();
    } catch (IOException e) {
      return Optional.empty();
    }
  }

  /** Bytes that arrived over sessions. */
  long carriedBytes() {
    return carriedBytes.get();
  }

  /** Closes the sessions; their blocks in flight are sent over the transfer's other connections. */
  @Override
  public void close() {
    isClosed = true;
    sessions.close();
    paths.keep();
  }
}
