package io.cascade.client.sealed;

import io.cascade.api.BoundedMap;
import io.cascade.client.sealed.ExchangeMessage.Kind;
import io.cascade.client.transfer.connection.ByteConnection;
import io.cascade.client.transfer.connection.StallGuard;
import io.cascade.client.transfer.connection.TransferFailed;
import io.cascade.client.transfer.receiver.ConnectionReceiver;
import io.cascade.client.transfer.receiver.Outcome;
import io.cascade.client.transfer.wire.Refusal;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.function.BooleanSupplier;

/**
 * Authenticates connections of senders by the code or the key, and encrypts them. One wrong guess
 * invalidates a code.
 */
public final class SealedReception implements ConnectionReceiver {
  /** Time in which a sender must have authenticated itself. */
  private static final Duration PATIENCE = Duration.ofSeconds(15);

  /** Most unauthenticated connections; one more closes the oldest. */
  private static final int MOST_UNPROVED = 128;

  /** Most senders that are remembered. */
  private static final int MOST_TICKETS = 4_096;

  private static final String NEEDED =
      "it accepts files only with its code; fix: ./cascade send FILE CODE, with the code that"
          + " receive prints, or --key-file if receive was given a key";

  private final ReceiverIdentity identity;
  private final Codes codes;
  private final ConnectionReceiver files;
  private final ExchangeBudget budget = new ExchangeBudget(System.nanoTime());
  private final LinkedHashSet<ByteConnection> unproved = new LinkedHashSet<>();

  /** Digests of tickets, the least recently used first. */
  private final Map<String, Boolean> tickets = BoundedMap.ofLatestUsed(MOST_TICKETS);

  private Secret secret;

  /** Makes codes. */
  @FunctionalInterface
  public interface Codes {
    /**
     * Replaces a code that a sender guessed wrongly.
     *
     * @param from the address of that sender
     * @return the new secret
     */
    Secret next(String from);
  }

  /**
   * @param secret that senders must have
   * @param codes asked for a new code after a wrong guess
   * @param files is given each connection, encrypted
   */
  public SealedReception(
      ReceiverIdentity identity, Secret secret, Codes codes, ConnectionReceiver files) {
    this.identity = identity;
    this.secret = secret;
    this.codes = codes;
    this.files = files;
    Rehearsal.start(identity);
  }

  @Override
  public Outcome receive(ByteConnection connection, BooleanSupplier admission)
      throws InterruptedException {
    SealedConnection sealed;
    begins(connection);
    try (StallGuard _ = new StallGuard(connection, PATIENCE)) {
      sealed = sealed(connection);
    } catch (WrongCode e) { // The source of codes was told.
      Refusal.say(connection, String.valueOf(e.getMessage()));
      return new Outcome.Ignored();
    } catch (TransferFailed e) {
      String why = String.valueOf(e.getMessage());
      Refusal.say(connection, why);
      return new Outcome.Refused(why, connection.peer());
    } catch (IOException e) {
      return new Outcome.Ignored();
    } finally {
      ends(connection);
    }
    return files.receive(sealed, admission);
  }

  private void begins(ByteConnection connection) {
    ByteConnection oldest = null;
    synchronized (unproved) {
      if (unproved.size() == MOST_UNPROVED) {
        oldest = unproved.removeFirst();
      }
      unproved.add(connection);
    }
    if (oldest != null) {
      oldest.reset();
    }
  }

  private void ends(ByteConnection connection) {
    synchronized (unproved) {
      unproved.remove(connection);
    }
  }

  /**
   * Waits until the sender has authenticated itself.
   *
   * @throws TransferFailed why it is refused
   */
  private SealedConnection sealed(ByteConnection connection)
      throws IOException, InterruptedException {
    BegunConnection begun = BegunConnection.of(connection);
    return switch (Opening.of(begun.first())) {
      case null -> throw new IOException("a stranger");
      case CLEAR -> throw new TransferFailed(NEEDED);
      case EXCHANGE -> {
        introduce(begun);
        yield ticketed(begun);
      }
      case TLS -> ticketed(begun);
    };
  }

  private SealedConnection ticketed(ByteConnection connection) throws IOException {
    SealedConnection sealed = SealedConnection.over(connection, identity.engine(), () -> {});
    Ticket shown = Ticket.read(sealed);
    synchronized (tickets) {
      if (tickets.get(shown.digest()) == null) {
        throw new IOException("an unknown ticket");
      }
    }
    return sealed;
  }

  private void introduce(ByteConnection connection) throws IOException, InterruptedException {
    Secret tried;
    synchronized (this) {
      tried = secret;
    }
    Transcript transcript = new Transcript();
    ByteBuffer hello = ExchangeMessage.read(connection, Kind.HELLO);
    transcript.add(hello);
    if (!budget.await(System.nanoTime())) {
      // Closed without a message, which would take time.
      throw new IOException("too many exchanges at once");
    }
    KeyAgreement agreement = new KeyAgreement(KeyAgreement.Role.RECEIVER, tried);
    Rounds own = budget.<Rounds, IOException>compute(() -> new Rounds(agreement, hello));
    transcript.add(own.first).add(own.second);
    ExchangeMessage.write(connection, Kind.ROUNDS, own.first, own.second);

    ByteBuffer last = ExchangeMessage.read(connection, Kind.SENDER_PROOF);
    byte[] second = new byte[KeyAgreement.ROUND_2_BYTES];
    byte[] proof = new byte[AgreedKeys.MAC_BYTES];
    last.get(second).get(proof);
    transcript.add(second);
    AgreedKeys keys =
        budget.<AgreedKeys, IOException>compute(() -> {
          agreement.takeRound2(ByteBuffer.wrap(second));
          return new AgreedKeys(agreement.material(), transcript.digest());
        });
    judge(tried, MessageDigest.isEqual(proof, keys.senderProof()), connection.peer());
    synchronized (tickets) {
      tickets.put(keys.ticket().digest(), true);
    }
    byte[] fingerprint = identity.fingerprint();
    ExchangeMessage.write(
        connection, Kind.RECEIVER_PROOF, fingerprint, keys.receiverProof(fingerprint));
  }

  /** This end's two messages. */
  private static final class Rounds {
    final byte[] first;
    final byte[] second;

    Rounds(KeyAgreement agreement, ByteBuffer hello) throws IOException {
      first = agreement.round1();
      agreement.takeRound1(hello);
      second = agreement.round2();
    }
  }

  /**
   * Judges a proof under the lock, so that one code allows a single guess, however many connections
   * try concurrently.
   *
   * @throws WrongCode where the guess invalidated the code
   * @throws TransferFailed where the sender failed to authenticate otherwise
   */
  private synchronized void judge(Secret tried, boolean right, String from)
      throws TransferFailed, WrongCode {
    if (tried != secret) {
      throw new TransferFailed(
          "the code was invalidated after a wrong guess; fix: use the new code that receive"
              + " printed");
    }
    if (right) {
      return;
    }
    if (tried.guessable()) {
      secret = codes.next(from);
      throw new WrongCode(
          "wrong code, which invalidated the receiver's code; fix: use the new code that receive"
              + " printed");
    }
    throw new TransferFailed("wrong key; fix: use the same --key-file at both ends");
  }

  /** A guess that invalidated the code. */
  private static final class WrongCode extends IOException {
    private static final long serialVersionUID = 1;

    WrongCode(String message) {
      super(message);
    }
  }
}
