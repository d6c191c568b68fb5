package io.cascade.lab;

import io.cascade.lab.LabState.PartState;
import io.cascade.lab.Topology.SiteSpec;
import io.cascade.lab.process.CascadeProcess;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Starts the processes of Cascade that a topology names, each at its site. */
final class LabParts {
  private final Lab lab;

  LabParts(Lab lab) {
    this.lab = lab;
  }

  /** Starts the orchestrator, then all relays at once, and waits until each serves. */
  List<PartState> start(String orchestratorSite) {
    List<PartState> ready = new ArrayList<>();
    CascadeProcess orchestrator =
        start(
            "orchestrator",
            orchestratorSite,
            CascadeProcess.ORCHESTRATOR_READY,
            List.of(
                "orchestrator",
                "--listen",
                "0.0.0.0:" + LabHost.ORCHESTRATOR_PORT,
                "--tls",
                "off", // The lab's networks are isolated.
                "--state-dir",
                lab.folder().resolve("state").toString()));
    var _ = orchestrator.awaitReady();
    String url = lab.orchestrator().orElseThrow().toString();
    ready.add(new PartState("orchestrator", orchestratorSite, orchestrator.process().pid(), url));
    Map<CascadeProcess, String> relays = new LinkedHashMap<>();
    for (SiteSpec site : lab.topology().sites()) {
      for (int i = 0; i < site.relays().size(); i++) {
        relays.put(startRelay(site, i, url), site.name());
      }
    }
    relays.forEach((relay, site) -> {
      Matcher served = relay.awaitReady();
      String where = "control %s, hop %s".formatted(served.group(2), served.group(3));
      ready.add(new PartState(relay.name(), site, relay.process().pid(), where));
    });
    return ready;
  }

  private CascadeProcess startRelay(SiteSpec site, int index, String orchestrator) {
    String name = site.relays().get(index);
    return start(
        name,
        site.name(),
        CascadeProcess.RELAY_READY,
        List.of(
            "relay",
            "--name",
            name,
            "--site",
            site.name(),
            "--orchestrator",
            orchestrator,
            "--listen",
            "0.0.0.0",
            "--advertise",
            lab.site(site.name()).address(),
            "--hop-port",
            Integer.toString(7411 + 10 * index),
            "--control-listen",
            "0.0.0.0",
            "--control-port",
            Integer.toString(7412 + 10 * index),
            "--identity",
            lab.folder().resolve(name + ".identity").toString(),
            "--allow-destination",
            LabHost.ADDRESSES,
            "--spool-dir",
            lab.folder().resolve("spool-" + name).toString()));
  }

  private CascadeProcess start(String name, String site, Pattern readyLine, List<String> verb) {
    return CascadeProcess.start(
        name, lab.site(site).verb(verb), lab.folder().resolve(name + ".log"), readyLine);
  }
}
