package io.cascade.carriage.transport;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.channel.embedded.EmbeddedChannel;
import java.util.ArrayList;
import java.util.List;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A connection that breaks when nobody uses it any more: no warning, and no stack trace. */
class ConnectionPipelineTest {
  private static final Logger LOG = Logger.getLogger(ConnectionPipeline.class.getName());

  private final List<LogRecord> logged = new ArrayList<>();
  private final Handler handler =
      new Handler() {
        @Override
        public void publish(LogRecord entry) {
          logged.add(entry);
        }

        @Override
        public void flush() {}

        @Override
        public void close() {}
      };

  @BeforeEach
  void listen() {
    LOG.setLevel(Level.ALL);
    LOG.addHandler(handler);
  }

  @AfterEach
  void listenNoMore() {
    LOG.removeHandler(handler);
    LOG.setLevel(null);
  }

  @Test
  void aFailureOfTheConnectionIsALineForThoseWhoLookForIt() {
    new ConnectionPipeline(new EmbeddedChannel())
        .onUnhandledInboundException(
            new ConnectionFailure(ConnectionError.BROKEN, "segment: no such stream"));

    assertThat(logged)
        .singleElement()
        .satisfies(entry -> {
          assertThat(entry.getLevel()).isEqualTo(Level.FINE);
          assertThat(entry.getThrown()).isNull();
          assertThat(entry.getParameters()).contains("segment: no such stream");
        });
  }

  @Test
  void whatIsNoneGoesNettysWay() {
    new ConnectionPipeline(new EmbeddedChannel())
        .onUnhandledInboundException(new IllegalStateException("a fault"));

    assertThat(logged).isEmpty();
  }
}
