package io.cascade.carriage.transport;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.channel.ChannelConfig;
import io.netty.channel.ChannelOption;
import io.netty.channel.DefaultChannelConfig;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** When a relay's connection takes another congestion control. */
class ConnectionLossesTest {
  private static final Duration ROUND_TRIP = Duration.ofMillis(40);
  private static final Duration QUEUED = ROUND_TRIP.multipliedBy(2);
  private static final Duration LOOK = Duration.ofMillis(500);

  private final CountedConnection connection = new CountedConnection();
  private final ConnectionLosses losses = new ConnectionLosses(connection, true);
  private long nowNanos = Long.MAX_VALUE - Duration.ofSeconds(1).toNanos();
  private long retransmitted;

  @Test
  void aQueueOfTheBeginningIsForgottenOnceItIsGone() {
    look(0, QUEUED);
    for (int i = 0; i < 3; i++) {
      look(1, ROUND_TRIP);
    }
    assertThat(connection.changes).as("right behind the queue").isZero();

    look(1, ROUND_TRIP);
    look(1, ROUND_TRIP);

    assertThat(connection.changes).isEqualTo(1);
  }

  @Test
  void lossesBehindAStandingQueueChangeNothing() {
    for (int i = 0; i < 10; i++) {
      look(1, QUEUED);
    }

    assertThat(connection.changes).isZero();
  }

  private void look(int lost, Duration roundTrip) {
    retransmitted += lost;
    connection.info =
        new TcpInfo(
            1,
            0,
            0,
            0,
            roundTrip,
            roundTrip,
            ROUND_TRIP,
            Duration.ZERO,
            10,
            1_000,
            retransmitted,
            1_000_000,
            0,
            LOOK,
            Duration.ZERO,
            Duration.ZERO,
            0);
    losses.look(nowNanos);
    nowNanos += LOOK.toNanos();
  }

  /** A connection whose counters the test sets, and that counts changes of its options. */
  private static final class CountedConnection extends EmbeddedConnection {
    private @Nullable TcpInfo info;
    private int changes;
    private final ChannelConfig config =
        new DefaultChannelConfig(this) {
          @Override
          public <T> boolean setOption(ChannelOption<T> option, T value) {
            changes++;
            return true;
          }
        };

    @Override
    public @Nullable TcpInfo tcpInfo() {
      return info;
    }

    @Override
    public boolean hasSocketOptions() {
      return true;
    }

    @Override
    public ChannelConfig config() {
      return changes >= 0 && config != null ? config : super.config();
    }
  }
}
