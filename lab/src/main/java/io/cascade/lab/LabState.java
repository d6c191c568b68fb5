package io.cascade.lab;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * State of a lab that one must know to speak to it.
 *
 * @param id in the environment of every process of the lab, so that they can be told from all
 *     others
 * @param hostPid the process that holds namespaces and links
 * @param unprivileged whether it is in a user namespace
 * @param orchestrator where it serves, as sites see it; null for none
 * @param dashboard the same as the machine itself sees it
 */
record LabState(
    String id,
    long hostPid,
    boolean unprivileged,
    boolean realTime,
    String token,
    @Nullable String orchestrator,
    @Nullable String dashboard,
    List<SiteState> sites,
    List<PartState> parts) {
  LabState {
    sites = List.copyOf(sites);
    parts = List.copyOf(parts);
  }

  LabState withParts(List<PartState> started) {
    return new LabState(
        id, hostPid, unprivileged, realTime, token, orchestrator, dashboard, sites, started);
  }

  /**
   * @param network the kernel's file that stands for its network
   */
  record SiteState(String name, String address, String network) {}

  /** A process of Cascade that runs at a site. */
  record PartState(String name, String site, long pid, String where) {}
}
