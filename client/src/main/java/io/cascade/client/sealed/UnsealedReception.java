package io.cascade.client.sealed;

import io.cascade.client.transfer.connection.ByteConnection;
import io.cascade.client.transfer.connection.StallGuard;
import io.cascade.client.transfer.receiver.ConnectionReceiver;
import io.cascade.client.transfer.receiver.Outcome;
import io.cascade.client.transfer.wire.Refusal;
import java.io.IOException;
import java.time.Duration;
import java.util.function.BooleanSupplier;

/**
 * Accepts clear-text transfers of any sender, and tells senders with a code that they need none.
 */
public final class UnsealedReception implements ConnectionReceiver {
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  private final ConnectionReceiver files;

  /**
   * @param files is given each connection that begins in clear text
   */
  public UnsealedReception(ConnectionReceiver files) {
    this.files = files;
  }

  @Override
  public Outcome receive(ByteConnection connection, BooleanSupplier admission)
      throws InterruptedException {
    BegunConnection begun;
    try (StallGuard _ = new StallGuard(connection, PATIENCE)) {
      begun = BegunConnection.of(connection);
    } catch (IOException e) {
      return new Outcome.Ignored();
    }
    if (Opening.of(begun.first()) == Opening.EXCHANGE) {
      String why =
          "it is open to anyone and has no code; fix: to send in clear, give --to HOST:PORT instead"
              + " of the code";
      Refusal.say(connection, why);
      return new Outcome.Refused(why, connection.peer());
    }
    return files.receive(begun, admission);
  }
}
