package io.cascade.relay.hop;

import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Receives throughput tests on the hop port. */
public interface TestArrivals {
  /** Accepts no tests. */
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

  /** Returns the key of an announced test that is not over; null if there is none. */
  @Nullable HopKey key(UUID test);

  /**
   * Reserves a test for the requesting connection, whose header was authentic.
   *
   * @return false if the test already has its connection
   */
  boolean claim(UUID test);

  /**
   * Receives a {@linkplain #claim claimed} test. Called on the connection's event loop.
   *
   * @param early bytes after the header, which the receiver owns
   */
  void arrived(Channel connection, UUID test, ByteBuf early);
}
