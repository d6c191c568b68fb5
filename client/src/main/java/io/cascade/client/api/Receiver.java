package io.cascade.client.api;

import io.cascade.api.HostPort;
import io.cascade.client.rendezvous.JoinedConnection;
import io.cascade.client.rendezvous.Meeting;
import io.cascade.client.rendezvous.WaitingLine;
import io.cascade.client.sealed.Code;
import io.cascade.client.sealed.ReceiverIdentity;
import io.cascade.client.sealed.SealedReception;
import io.cascade.client.sealed.Secret;
import io.cascade.client.transfer.Received;
import io.cascade.client.transfer.TransferListener;
import io.cascade.client.transfer.coded.CodedReception;
import io.cascade.client.transfer.connection.TransferFailed;
import io.cascade.client.transfer.receiver.FileReceiver;
import io.cascade.client.transfer.receiver.Outcome;
import io.cascade.client.transfer.receiver.OutputTarget;
import io.cascade.client.transfer.receiver.ReceivingPort;
import io.cascade.client.ways.ReceiveAddress;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Receives what a {@link Sender} or a {@code ./cascade send} sends, until it is closed: any number
 * of files and folders, up to 16 at a time. Each file is verified by its SHA-256 before it gets its
 * name. The received bytes of an interrupted transfer are kept for the sender's next attempt.
 */
public final class Receiver implements AutoCloseable {
  /**
   * Connections that wait at a relay: while one is joined to a sender, another is ready for the
   * next sender.
   */
  private static final int WAITING = 2;

  private static final String EVERYWHERE = "0.0.0.0";

  private final SecureRandom random = new SecureRandom();
  private final Consumer<String> codes;
  private final FileReceiver files;
  private final ReceivingPort port;
  private final CodedReception sessions;
  private @Nullable WaitingLine line;

  /** Null where senders prove a key. */
  private volatile @Nullable Code code;

  private Receiver(Builder made, byte @Nullable [] key) throws IOException {
    codes = made.codes;
    files =
        new FileReceiver(
            new OutputTarget(made.output, made.overwrites, false), made.patience, made.listener);
    HostPort relay = made.relay;
    port =
        relay == null
            ? ReceivingPort.open(
                made.listen, Long.MAX_VALUE, at -> gate(reached(made, at), false, key))
            : ReceivingPort.withoutPort(Long.MAX_VALUE, gate(relay, true, key));
    sessions = new CodedReception(one -> port.begin(one, files));
    if (relay == null) {
      sessions.listenAt(new InetSocketAddress(made.listen.getAddress(), port.address().port()));
      files.takes(sessions);
    } else {
      waitAt(relay, key);
    }
    Code first = code;
    if (first != null) {
      codes.accept(first.toString());
    }
  }

  /**
   * Creates a builder of a receiver.
   *
   * @param output a file, or a folder that receives everything under the senders' names
   */
  public static Builder into(Path output) {
    return new Builder(output);
  }

  private static HostPort reached(Builder made, HostPort at) {
    String host = made.host;
    if (host == null) {
      host = at.host().equals(EVERYWHERE) ? ReceiveAddress.outwards() : at.host();
    }
    return new HostPort(host, at.port());
  }

  private SealedReception gate(HostPort found, boolean met, byte @Nullable [] key) {
    ReceiverIdentity identity = ReceiverIdentity.create();
    if (key != null) {
      Secret secret = Secret.ofKey(key);
      return new SealedReception(identity, secret, _ -> secret, files);
    }
    Code made = met ? Code.randomMeeting(found, random) : Code.random(found, random);
    code = made;
    return new SealedReception(identity, Secret.of(made), _ -> another(made), files);
  }

  /** Replaces the secret after a sender tried a wrong code. */
  private Secret another(Code first) {
    Code next = first.another(random);
    code = next;
    codes.accept(next.toString());
    return Secret.of(next);
  }

  private void waitAt(HostPort relay, byte @Nullable [] key) throws IOException {
    Code made = code;
    Meeting meeting =
        made == null
            ? Meeting.ofKey(relay, Objects.requireNonNull(key))
            : Meeting.named(relay, made.meeting());
    try {
      line =
          meeting.await(
              WAITING,
              new WaitingLine.Listener() {
                @Override
                public void joined(JoinedConnection connection) {
                  port.begin(connection.connection());
                }
              });
    } catch (IOException e) {
      close();
      throw e;
    }
  }

  /**
   * The code that senders need now; empty where they need the key. One wrong guess invalidates the
   * code, and a new one replaces it ({@link Builder#tellingCodes}).
   */
  public Optional<String> code() {
    return Optional.ofNullable(code).map(Code::toString);
  }

  /**
   * The address at which the receiver listens; the host is 0.0.0.0 where it listens on every
   * address of this host.
   *
   * @throws IllegalStateException where senders meet the receiver at a relay
   * @throws IOException where the receiver is closed
   */
  public HostPort address() throws IOException {
    return port.address();
  }

  /**
   * Waits until the next transfer ends.
   *
   * @return what arrived and was verified
   * @throws TransferFailed where the transfer failed: why, and what is kept of it; the receiver
   *     stays open, and this method may be called again
   * @throws InterruptedException where the thread was interrupted; no transfer is affected
   */
  public Received next() throws TransferFailed, InterruptedException {
    return switch (port.next()) {
      case Outcome.Arrived(Received received) -> received;
      case Outcome.Broken(String reason, _) -> throw new TransferFailed(reason);
    };
  }

  /** Closes the receiver. The received bytes of unfinished transfers are kept. */
  @Override
  public void close() throws IOException {
    WaitingLine waiting = line;
    if (waiting != null) {
      waiting.close();
    }
    sessions.close();
    port.close();
  }

  /** Settings of a receiver before it is opened. Not thread-safe. */
  public static final class Builder {
    private final Path output;
    private InetSocketAddress listen = new InetSocketAddress(0);
    private @Nullable String host;
    private @Nullable HostPort relay;
    private boolean overwrites;
    private Duration patience = Duration.ofMinutes(5);
    private TransferListener listener = TransferListener.SILENT;
    private Consumer<String> codes = _ -> {};

    private Builder(Path output) {
      this.output = output;
    }

    /**
     * Sets the address to listen at; the default is every address of this host, at a free port.
     *
     * @param address port 0 for any free port
     */
    public Builder listeningAt(InetSocketAddress address) {
      listen = address;
      return this;
    }

    /**
     * Sets the host in the code: this host as senders know it. The default is the address at which
     * the receiver listens, or the source address of this host's default route; without such a
     * route, the address of a device that is up.
     */
    public Builder knownAs(String name) {
      host = name;
      return this;
    }

    /**
     * Does not listen, and lets a relay join senders to the receiver.
     *
     * @param meeting the relay's address for meetings of ends, by default its port 7414
     */
    public Builder through(HostPort meeting) {
      relay = meeting;
      return this;
    }

    /** Replaces files that exist already; by default a transfer to an existing file is refused. */
    public Builder overwriting() {
      overwrites = true;
      return this;
    }

    /**
     * Sets the time-out, five minutes by default.
     *
     * @param longest how long nothing may arrive before a transfer fails
     * @throws IllegalArgumentException where it is not positive
     */
    public Builder waiting(Duration longest) {
      patience = Checked.patience(longest);
      return this;
    }

    /**
     * Reports all transfers to a listener.
     *
     * @param progress called on threads that move bytes: must not block
     */
    public Builder heardBy(TransferListener progress) {
      listener = progress;
      return this;
    }

    /**
     * Reports codes: the first one before the receiver is opened, and each one that replaces a code
     * after a wrong guess.
     *
     * @param told called on threads of connections: must not block
     */
    public Builder tellingCodes(Consumer<String> told) {
      codes = told;
      return this;
    }

    /**
     * Opens the receiver for senders that have its {@link Receiver#code code}.
     *
     * @throws IOException where the receiver cannot listen, or the relay refuses it
     */
    public Receiver openWithCode() throws IOException {
      return new Receiver(this, null);
    }

    /**
     * Opens the receiver for senders that have a key. Wrong guesses do not invalidate a key.
     *
     * @param key at least {@value Checked#LEAST_KEY_BYTES} random bytes
     * @throws IllegalArgumentException where it has fewer
     * @throws IOException where the receiver cannot listen, or the relay refuses it
     */
    public Receiver openWithKey(byte[] key) throws IOException {
      return new Receiver(this, Checked.key(key));
    }
  }
}
