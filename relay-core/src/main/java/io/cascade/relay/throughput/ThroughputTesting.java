package io.cascade.relay.throughput;

import io.cascade.api.relay.PacketTrain;
import io.cascade.api.relay.PacketTrainReflection;
import io.cascade.api.relay.PacketTrainReport;
import io.cascade.api.relay.ThroughputReport;
import io.cascade.api.relay.ThroughputSink;
import io.cascade.api.relay.ThroughputTest;
import java.net.UnknownHostException;
import java.util.UUID;

/** Tests as the control endpoint asks for them. Calls come from virtual threads. */
public interface ThroughputTesting {

  /**
   * Runs a test to another relay. Blocks until it is over: for its time and 5 s at most.
   *
   * @throws UnknownHostException where the other relay's name does not resolve here
   */
  ThroughputReport run(ThroughputTest test) throws TestRefused, TestFailed, UnknownHostException;

  /** Expects a test on the hop port from now on, for 5 s. */
  void expect(UUID test, ThroughputSink sink) throws TestRefused;

  /**
   * Sends a train of packets to another relay. Blocks until it is over: for its time and 5 s at
   * most.
   *
   * @throws UnknownHostException where the other relay's name does not resolve here
   */
  PacketTrainReport runTrain(PacketTrain train)
      throws TestRefused, TestFailed, UnknownHostException;

  /** Reflects a train of packets at the hop port from now on, for 5 s until it begins. */
  void expectTrain(UUID test, PacketTrainReflection train) throws TestRefused;
}
