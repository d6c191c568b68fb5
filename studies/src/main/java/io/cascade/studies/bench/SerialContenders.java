package io.cascade.studies.bench;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Several instances of a contender, each of which connects to the next. */
record SerialContenders(BenchContender one, int count) implements BenchContender {
  @Override
  public String name() {
    return count + " x " + one.name();
  }

  @Override
  public String description() throws IOException, InterruptedException {
    return one.description() + "; " + count + " in a row";
  }

  @Override
  public Optional<String> missing() {
    return one.missing();
  }

  @Override
  public Running start(ProxyProcesses proxies, int destinationPort)
      throws IOException, InterruptedException {
    List<Process> processes = new ArrayList<>();
    int port = destinationPort;
    for (int i = 0; i < count; i++) {
      Running last = one.start(proxies, port);
      port = last.port();
      processes.addAll(last.processes());
    }
    return new Running(port, processes);
  }
}
