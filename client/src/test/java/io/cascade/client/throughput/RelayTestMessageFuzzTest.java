package io.cascade.client.throughput;

import io.cascade.testing.FuzzTest;
import java.io.IOException;
import java.util.UUID;
import java.util.stream.Stream;

/** Messages of a relay's test. */
class RelayTestMessageFuzzTest extends FuzzTest {
  private static final UUID ID = new UUID(1, 2);
  private static final byte[] KEY = new byte[32];

  @Override
  protected Stream<byte[]> seeds() {
    return Stream.of(new RelayTestMessage(RelayTestMessage.Kind.TEST, ID, 7).encode(KEY));
  }

  @Override
  protected void parse(byte[] input) throws Exception {
    if (input.length != RelayTestMessage.LENGTH) {
      return;
    }
    RelayTestMessage message;
    try {
      message = RelayTestMessage.decode(input, ID, KEY);
    } catch (IOException e) {
      return; // As declared.
    }
    same(message, RelayTestMessage.decode(message.encode(KEY), ID, KEY));
  }
}
