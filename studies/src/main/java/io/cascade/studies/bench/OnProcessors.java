package io.cascade.studies.bench;

import java.io.IOException;
import java.util.Optional;

/** One that runs on processors of its own choice, with as many event loops or threads. */
record OnProcessors(BenchContender one, Processors division) implements BenchContender {
  int count() {
    return division.proxies().size();
  }

  @Override
  public String name() {
    return nameOn(count());
  }

  /** Name of the contender with another number of processors. */
  String nameOn(int count) {
    return one.name() + " on " + count;
  }

  @Override
  public String description() throws IOException, InterruptedException {
    return one.description() + "; " + division.described();
  }

  @Override
  public Optional<String> missing() {
    return one.missing();
  }

  @Override
  public Optional<String> sitsOut(Trial trial) {
    return one.sitsOut(trial);
  }

  @Override
  public Running start(ProxyProcesses processes, int destinationPort)
      throws IOException, InterruptedException {
    return one.start(processes.on(division), destinationPort);
  }
}
