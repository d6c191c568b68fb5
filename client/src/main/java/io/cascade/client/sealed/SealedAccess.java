package io.cascade.client.sealed;

import io.cascade.client.sealed.ExchangeMessage.Kind;
import io.cascade.client.transfer.connection.ByteConnection;
import io.cascade.client.transfer.connection.ReceiverAccess;
import io.cascade.client.transfer.connection.SilentPeer;
import io.cascade.client.transfer.connection.StallGuard;
import io.cascade.client.transfer.connection.TransferFailed;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.time.Duration;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A sender's access to a receiver whose code or key it has. The first connection authenticates both
 * ends to each other; later ones begin with TLS and present the ticket of the first.
 */
public final class SealedAccess implements ReceiverAccess {
  /** Time-out of each message of the receiver. */
  public static final Duration PATIENCE = Duration.ofSeconds(15);

  /**
   * Most proofs that may remain unanswered: each allows the party that received it one guess of the
   * code.
   */
  private static final int MOST_UNANSWERED = 8;

  private final Secret secret;
  private final AtomicInteger unanswered = new AtomicInteger();
  private final AtomicReference<@Nullable Known> known = new AtomicReference<>();

  /** The first message, prepared while the first connection is made; null once used. */
  private final AtomicReference<@Nullable FutureTask<Hello>> first;

  public SealedAccess(Secret secret) {
    this.secret = secret;
    FutureTask<Hello> ahead = new FutureTask<>(() -> new Hello(secret));
    this.first = new AtomicReference<>(ahead);
    Thread.ofPlatform().daemon().name("first-hello").start(ahead);
  }

  /** A first message, and the key agreement that it begins. */
  private static final class Hello {
    final KeyAgreement agreement;
    final byte[] bytes;

    Hello(Secret secret) {
      agreement = new KeyAgreement(KeyAgreement.Role.SENDER, secret);
      bytes = agreement.round1();
    }
  }

  private Hello takeHello() throws InterruptedIOException {
    FutureTask<Hello> ahead = first.getAndSet(null);
    if (ahead == null) {
      return new Hello(secret);
    }
    try {
      return ahead.get();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("while the first message was made");
    } catch (ExecutionException e) {
      return new Hello(secret); // A second attempt fails the same way, or succeeds.
    }
  }

  /** Whether both ends have a key instead of a code. */
  public boolean isKeyed() {
    return !secret.guessable();
  }

  /**
   * A receiver that has authenticated itself.
   *
   * @param fingerprint of its certificate
   */
  private record Known(Supplier<byte[]> fingerprint, Ticket ticket) {}

  @Override
  public ByteConnection over(ByteConnection connection) throws IOException {
    boolean stands = false;
    try (StallGuard guard = new StallGuard(connection, PATIENCE)) {
      Known receiver = known.get();
      ByteConnection sealed =
          receiver == null ? introduced(connection, guard) : again(connection, receiver);
      stands = !guard.stalled();
      return sealed;
    } finally {
      if (!stands) {
        connection.close();
      }
    }
  }

  private SealedConnection again(ByteConnection connection, Known receiver) throws IOException {
    try {
      SealedConnection sealed =
          SealedConnection.over(connection, TlsEnds.sender(receiver.fingerprint), () -> {});
      receiver.ticket.show(sealed);
      return sealed;
    } catch (IOException e) {
      if (isOther(e)) {
        // Another process may listen there now: it has to authenticate itself.
        known.compareAndSet(receiver, null);
      }
      throw e;
    }
  }

  private static boolean isOther(Throwable failure) {
    for (Throwable one = failure; one != null; one = one.getCause()) {
      if (one instanceof TlsEnds.OtherCertificate) {
        return true;
      }
    }
    return false;
  }

  private SealedConnection introduced(ByteConnection connection, StallGuard guard)
      throws IOException {
    Transcript transcript = new Transcript();
    Hello hello = takeHello();
    KeyAgreement agreement = hello.agreement;
    ExchangeMessage.write(connection, Kind.HELLO, hello.bytes);
    AtomicReference<byte[]> proved = new AtomicReference<>(new byte[0]);
    SealedConnection sealed = SealedConnection.begun(connection, TlsEnds.sender(proved::get));
    ByteBuffer rounds;
    try {
      rounds = ExchangeMessage.read(connection, Kind.ROUNDS);
    } catch (IOException e) {
      throw guard.stalled() ? new SilentPeer(e) : e;
    }
    guard.moved();
    transcript.add(hello.bytes).add(rounds);
    agreement.takeRound1(rounds);
    byte[] second = agreement.round2();
    agreement.takeRound2(rounds);
    transcript.add(second);
    AgreedKeys keys = new AgreedKeys(agreement.material(), transcript.digest());
    if (unanswered.incrementAndGet() > MOST_UNANSWERED && secret.guessable()) {
      throw new TransferFailed(
          ("%d proofs of the code got no answer; an on-path attacker may be guessing it; fix: have"
                  + " the receiver make another code")
              .formatted(MOST_UNANSWERED));
    }
    ExchangeMessage.write(connection, Kind.SENDER_PROOF, second, keys.senderProof());
    // The receiver's proof arrives while TLS begins.
    sealed.handshake(() -> proved.set(fingerprint(connection, keys)));
    keys.ticket().show(sealed);
    known.set(new Known(proved::get, keys.ticket()));
    return sealed;
  }

  private byte[] fingerprint(ByteConnection connection, AgreedKeys keys) throws IOException {
    ByteBuffer answer = ExchangeMessage.read(connection, Kind.RECEIVER_PROOF);
    byte[] fingerprint = new byte[ReceiverIdentity.FINGERPRINT_BYTES];
    byte[] proof = new byte[AgreedKeys.MAC_BYTES];
    answer.get(fingerprint).get(proof);
    if (!MessageDigest.isEqual(proof, keys.receiverProof(fingerprint))) {
      throw new TransferFailed(
          "the peer at %s does not have the %s: it is not the intended receiver"
              .formatted(connection.peer(), secret));
    }
    unanswered.set(0);
    return fingerprint;
  }
}
