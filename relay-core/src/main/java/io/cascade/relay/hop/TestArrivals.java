package io.cascade.relay.hop;

import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Who receives throughput tests on the hop port. */
public interface TestArrivals {
  /** For a relay that receives none. */
  TestArrivals NONE =
      new TestArrivals() {
        @Override
        public @Nullable HopKey key(UUID test) {
          return null;
        }

        @Override
        public boolean arrived(Channel connection, UUID test, ByteBuf early) {
          return false;
        }
      };

  /** The key of a test that was announced and is not over; null where there is none such. */
  @Nullable HopKey key(UUID test);

  /**
   * Takes the test's connection, whose header was authentic. On the connection's event loop.
   *
   * @param early bytes behind the header; handed over where the connection is taken
   * @return false where the test has its connection already
   */
  boolean arrived(Channel connection, UUID test, ByteBuf early);
}
