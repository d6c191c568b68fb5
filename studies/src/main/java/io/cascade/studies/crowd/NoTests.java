package io.cascade.studies.crowd;

import io.cascade.api.relay.PacketTrain;
import io.cascade.api.relay.PacketTrainReflection;
import io.cascade.api.relay.PacketTrainReport;
import io.cascade.api.relay.ThroughputReport;
import io.cascade.api.relay.ThroughputSink;
import io.cascade.api.relay.ThroughputTest;
import io.cascade.relay.throughput.TestRefused;
import io.cascade.relay.throughput.ThroughputTesting;
import java.util.UUID;

/** A relay that refuses all tests, because it has no data plane. */
final class NoTests implements ThroughputTesting {
  @Override
  public ThroughputReport run(ThroughputTest test) throws TestRefused {
    throw refused();
  }

  @Override
  public void expect(UUID test, ThroughputSink sink) throws TestRefused {
    throw refused();
  }

  @Override
  public PacketTrainReport runTrain(PacketTrain train) throws TestRefused {
    throw refused();
  }

  @Override
  public void expectTrain(UUID test, PacketTrainReflection train) throws TestRefused {
    throw refused();
  }

  private static TestRefused refused() {
    return new TestRefused(TestRefused.Reason.UNSUPPORTED, "a simulated relay takes no test");
  }
}
