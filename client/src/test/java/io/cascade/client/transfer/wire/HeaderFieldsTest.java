package io.cascade.client.transfer.wire;

import static org.assertj.core.api.Assertions.assertThat;

import io.cascade.client.transfer.connection.TransferFailed;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class HeaderFieldsTest {
  private static final Duration PATIENCE = Duration.ofMinutes(5);

  @Test
  void aReceiverWaitsAsLongAsItsSenderGoesOnTrying() throws Exception {
    assertThat(awaited(HeaderFields.NONE)).isEqualTo(PATIENCE);
    assertThat(awaited(HeaderFields.NONE.retryingFor(Duration.ofDays(2))))
        .isEqualTo(Duration.ofDays(2));
    assertThat(awaited(HeaderFields.NONE.retryingFor(Duration.ofSeconds(20))))
        .as("not less than for others")
        .isEqualTo(PATIENCE);
    assertThat(awaited(HeaderFields.NONE.retryingFor(Duration.ofDays(40_000))))
        .as("not for ever")
        .isEqualTo(Duration.ofDays(7));
  }

  /** Until senders said for how long, the field was empty. */
  @Test
  void anEarlierSenderOfEntriesReturnsAsWell() throws Exception {
    HeaderFields earlier =
        HeaderFields.decode(
            ByteBuffer.allocate(22)
                .put((byte) 1)
                .putShort((short) 16)
                .putLong(1)
                .putLong(2)
                .put((byte) 7)
                .putShort((short) 0)
                .flip());
    TransferHeader header = new TransferHeader("photos", TransferHeader.UNKNOWN_SIZE).with(earlier);

    assertThat(earlier.origin()).isEqualTo(new UUID(1, 2));
    assertThat(header.returns()).isTrue();
    assertThat(header.awaited(PATIENCE)).isEqualTo(PATIENCE);
  }

  private static Duration awaited(HeaderFields fields) throws TransferFailed {
    HeaderFields heard = HeaderFields.decode(ByteBuffer.wrap(fields.encode()));
    return new TransferHeader("file", 1).with(heard).asResumable().awaited(PATIENCE);
  }
}
