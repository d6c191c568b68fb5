package io.cascade.client.rendezvous;

import io.cascade.api.HostPort;
import io.cascade.carriage.rendezvous.MeetingNumber;
import io.cascade.carriage.rendezvous.MeetingRefusal;
import io.cascade.client.transfer.coded.Observer;
import io.cascade.client.transfer.connection.TcpConnection;
import io.cascade.client.transfer.connection.TransferFailed;
import io.cascade.coding.crypto.Hkdf;
import java.nio.charset.StandardCharsets;
import java.time.Duration;

/** The relay and the number by which two ends meet. */
public final class Meeting {
  /** Time for a receiver to reconnect, or for a relay to be replaced. */
  private static final Duration RECONNECTING = Duration.ofSeconds(5);

  private static final Duration LEAST_PAUSE = Duration.ofMillis(250);
  private static final Duration LONGEST_PAUSE = Duration.ofSeconds(1);

  private final HostPort relay;
  private final MeetingNumber number;

  private Meeting(HostPort relay, MeetingNumber number) {
    this.relay = relay;
    this.number = number;
  }

  /** The meeting of a code: a hash of its name, which is independent of the code's secret. */
  public static Meeting named(HostPort relay, String name) {
    return new Meeting(relay, number("name", name.getBytes(StandardCharsets.US_ASCII)));
  }

  /**
   * The meeting of ends that share a key.
   *
   * @param key of at least 128 random bits: a party that sees the number can test guesses of the
   *     key against it
   */
  public static Meeting ofKey(HostPort relay, byte[] key) {
    return new Meeting(relay, number("key", key));
  }

  private static MeetingNumber number(String of, byte[] material) {
    byte[] key = Hkdf.extract(new byte[0], material);
    return MeetingNumber.of(Hkdf.expand(key, "meeting 1 " + of, new byte[0], MeetingNumber.BYTES));
  }

  /** The relay as a source of this end's observed address. */
  public Observer observer() {
    return new Observer(relay, number);
  }

  /**
   * Keeps connections of a receiver waiting.
   *
   * @param places how many, 1 to 64
   * @throws RendezvousFailed when the first connection cannot wait
   */
  public WaitingLine await(int places, WaitingLine.Listener listener) throws RendezvousFailed {
    return WaitingLine.open(relay, number, places, listener);
  }

  /**
   * Connects to the receiver. If it does not wait at the relay, it has some seconds to reconnect.
   * Callers connect one after the other: a receiver keeps few connections waiting, and a relay
   * limits the rate of requests.
   *
   * @param timeout for each of connecting and the relay's answer
   * @param changesControl as for {@link TcpConnection#connect}
   * @throws TransferFailed naming the relay, why, and what to do
   */
  public synchronized TcpConnection join(Duration timeout, boolean changesControl)
      throws TransferFailed {
    long since = System.nanoTime();
    Duration pause = LEAST_PAUSE;
    while (true) {
      try {
        return RendezvousConnection.join(relay, number, timeout, changesControl).connection();
      } catch (RendezvousFailed e) {
        boolean passes =
            e.refusal() == MeetingRefusal.NOBODY_WAITS || e.refusal() == MeetingRefusal.LEAVING;
        if (!passes || System.nanoTime() - since > RECONNECTING.toNanos()) {
          throw new TransferFailed(String.valueOf(e.getMessage()), e);
        }
      }
      pause(pause);
      pause = pause.compareTo(LONGEST_PAUSE) < 0 ? pause.multipliedBy(2) : LONGEST_PAUSE;
    }
  }

  private void pause(Duration pause) throws TransferFailed {
    try {
      Thread.sleep(pause);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new TransferFailed("interrupted while joining at relay " + relay, e);
    }
  }
}
