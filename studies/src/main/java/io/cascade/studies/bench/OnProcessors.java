package io.cascade.studies.bench;

import java.io.IOException;
import java.util.Optional;

/** A contender on given processors, with one event loop or thread for each. */
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
