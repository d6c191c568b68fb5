package io.cascade.relay.throughput;

import io.cascade.api.relay.PacketTrain;
import io.cascade.api.relay.PacketTrainReflection;
import io.cascade.api.relay.PacketTrainReport;
import io.cascade.api.relay.ThroughputReport;
import io.cascade.api.relay.ThroughputSink;
import io.cascade.api.relay.ThroughputTest;
import java.net.UnknownHostException;
import java.util.UUID;

/** Tests as requested through the control endpoint. Calls come from virtual threads. */
public interface ThroughputTesting {

  /**
   * Runs a test to another relay. Blocks until it is over: for its duration and at most 5 s.
   *
   * @throws UnknownHostException if the other relay's name does not resolve here
   */
  ThroughputReport run(ThroughputTest test) throws TestRefused, TestFailed, UnknownHostException;

  /** Expects a test on the hop port for 5 s. */
  void expect(UUID test, ThroughputSink sink) throws TestRefused;

  /**
   * Sends a packet train to another relay. Blocks until it is over: for its duration and at most 5
   * s.
   *
   * @throws UnknownHostException if the other relay's name does not resolve here
   */
  PacketTrainReport runTrain(PacketTrain train)
      throws TestRefused, TestFailed, UnknownHostException;

  /** Reflects a packet train at the hop port if it begins within 5 s. */
  void expectTrain(UUID test, PacketTrainReflection train) throws TestRefused;
}
