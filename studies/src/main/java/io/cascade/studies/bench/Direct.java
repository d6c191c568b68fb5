package io.cascade.studies.bench;

import java.util.List;

/** No proxy: the limit of the ends and the kernel. */
record Direct() implements BenchContender {
  @Override
  public String name() {
    return "direct";
  }

  @Override
  public String description() {
    return "no proxy";
  }

  @Override
  public Running start(ProxyProcesses processes, int destinationPort) {
    return new Running(destinationPort, List.of());
  }
}
