package io.cascade.studies.bench;

import java.util.List;

/** No proxy: what the ends and the kernel can do without one. */
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
