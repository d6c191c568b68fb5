package io.cascade.client.transfer.coded;

import io.cascade.api.BoundedMap;
import io.cascade.carriage.transport.Transport;
import io.cascade.client.transfer.connection.ByteConnection;
import io.cascade.client.transfer.wire.TransferHeader;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Accepts coded sessions for a receiver, from senders that announced them over TCP ({@link
 * CodedInvitation}), at the UDP port with the number of its TCP port, or at another one where that
 * is taken.
 */
public final class CodedReception implements AutoCloseable {
  /** Most invitations that are remembered: a sender has one, and uses it at once. */
  private static final int MOST_INVITATIONS = 256;

  private final Consumer<ByteConnection> arrived;

  /**
   * Keys by the names of sessions, the latest last. Guarded by this, as are the following fields.
   */
  private final Map<UUID, byte[]> keys = BoundedMap.ofLatest(MOST_INVITATIONS);

  private @Nullable CodedListener listener;
  private final DirectPaths paths = new DirectPaths(this::send);
  private volatile @Nullable Observer observer;
  private boolean isClosed;

  /**
   * @param arrived is given each connection, on an event loop
   */
  public CodedReception(Consumer<ByteConnection> arrived) {
    this.arrived = arrived;
  }

  /**
   * Starts to accept sessions, at the address where the receiver listens. Prepares on a thread of
   * its own: a sender needs the port no earlier than a round trip after its connection.
   */
  public void listenAt(InetSocketAddress address) {
    if (Transport.EPOLL.available()) {
      Thread.ofPlatform().daemon().name("coded-reception").start(() -> open(address));
    }
  }

  /**
   * Reads the rest of an invitation, whose first part is a header, and answers it.
   *
   * @param takes accepts the session; null where this end accepts none
   * @throws IOException where the connection ended or failed before
   */
  public static void answer(
      TransferHeader header, ByteConnection connection, @Nullable CodedReception takes)
      throws IOException, InterruptedException {
    CodedInvitation invitation = CodedInvitation.read(header, connection);
    if (header.purpose() == TransferHeader.Purpose.MEETING_INVITATION) {
      Candidates theirs = Candidates.read(connection);
      CodedInvitation.answer(
          connection, takes == null ? Candidates.NONE : takes.meet(invitation, theirs));
    } else {
      CodedInvitation.answer(connection, takes == null ? 0 : takes.invite(invitation));
    }
  }

  /**
   * Expects a session.
   *
   * @return the UDP port where it is expected; 0 where none can be accepted
   */
  synchronized int invite(CodedInvitation invitation) {
    CodedListener open = listener;
    if (open == null) {
      return 0;
    }
    keys.put(invitation.name(), invitation.key());
    return open.address().getPort();
  }

  /** Also accepts sessions of senders behind NATs that meet this receiver at a relay. */
  public void observedBy(Observer relay) {
    observer = relay;
  }

  /**
   * Expects a session of a sender that this receiver meets at a relay, and searches for a path to
   * it on a thread of its own.
   *
   * @param theirs addresses at which the sender may be reached
   * @return addresses at which this end may be reached; none where no session can be accepted
   */
  Candidates meet(CodedInvitation invitation, Candidates theirs) throws InterruptedException {
    Observer by = observer;
    int number = by == null ? 0 : invite(invitation);
    if (by == null || number == 0) {
      return Candidates.NONE;
    }
    Thread.ofVirtual().name("path search").start(() -> search(invitation, theirs));
    return paths.candidates(by, number);
  }

  private void search(CodedInvitation invitation, Candidates theirs) {
    try {
      Optional<InetSocketAddress> _ = paths.search(invitation, false, theirs);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void send(ByteBuffer datagram, InetSocketAddress to) {
    CodedListener open;
    synchronized (this) {
      open = listener;
    }
    if (open != null) {
      open.send(datagram, to);
    }
  }

  private synchronized void open(InetSocketAddress beside) {
    if (isClosed) {
      return;
    }
    for (int number : new int[] {beside.getPort(), 0}) {
      try {
        listener =
            CodedListener.open(
                new InetSocketAddress(beside.getAddress(), number),
                this::key,
                one -> arrived.accept(new CodedEnd(one)),
                paths::received);
        return;
      } catch (IOException e) {
        // Another port may be available.
      }
    }
  }

  private synchronized byte @Nullable [] key(byte[] name) {
    return name.length == 2 * Long.BYTES ? keys.get(CodedInvitation.name(name)) : null;
  }

  /** Closes all sessions. */
  @Override
  public synchronized void close() {
    isClosed = true;
    CodedListener open = listener;
    if (open != null) {
      open.close();
    }
  }
}
