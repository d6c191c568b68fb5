package io.cascade.client.ways;

import io.cascade.client.transfer.FileTransfer;
import io.cascade.client.transfer.connection.ByteConnection;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;

/** A transfer's way over coded sessions, one after the other. */
final class SessionsInTurn {
  private static final Duration PAUSE = Duration.ofSeconds(1);

  /** Attempts after which a peer that accepts no coded session is not tried again. */
  private static final int MOST_REFUSALS = 2;

  private static final Duration PAUSE_AFTER_REFUSAL = Duration.ofSeconds(10);

  private SessionsInTurn() {}

  /** Dials a session; blocks until it is established. */
  @FunctionalInterface
  interface Dial {
    /** Empty where the peer accepts none. */
    Optional<ByteConnection> session() throws InterruptedException;
  }

  /**
   * Carries until the transfer has ended, or no more sessions are wanted or accepted.
   *
   * @param preferred see {@link FileTransfer#carry}
   * @param carried gets the bytes that each session carried
   */
  static void carry(
      FileTransfer transfer,
      String way,
      boolean preferred,
      Dial dial,
      BooleanSupplier wanted,
      AtomicLong carried)
      throws InterruptedException {
    int refusals = 0;
    while (transfer.canBeJoined() && wanted.getAsBoolean() && refusals < MOST_REFUSALS) {
      Optional<ByteConnection> session = dial.session();
      if (session.isPresent()) {
        carried.addAndGet(transfer.carry(session.get(), way, preferred));
        transfer.pause(PAUSE);
      } else {
        refusals++;
        transfer.pause(PAUSE_AFTER_REFUSAL);
      }
    }
  }
}
