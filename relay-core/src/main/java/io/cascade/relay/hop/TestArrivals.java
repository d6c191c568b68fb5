package io.cascade.relay.hop;

import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Receives throughput tests on the hop port. */
public interface TestArrivals {
  /** Receives none. */
  TestArrivals NONE =
      new TestArrivals() {
        @Override
        public @Nullable HopKey key(UUID test) {
          return null;
        }

        @Override
        public boolean claim(UUID test) {
          return false;
        }

        @Override
        public void arrived(Channel connection, UUID test, ByteBuf early) {
          throw new IllegalStateException("no test is expected here");
        }
      };

  /** Returns the key of a test that was announced and is not over; null where there is none. */
  @Nullable HopKey key(UUID test);

  /**
   * Reserves a test for the connection that asks, whose header was authentic.
   *
   * @return false where the test has its connection already
   */
  boolean claim(UUID test);

  /**
   * Receives a test that was {@linkplain #claim claimed}. On the connection's event loop.
   *
   * @param early bytes behind the header, which the receiver owns
   */
  void arrived(Channel connection, UUID test, ByteBuf early);
}
