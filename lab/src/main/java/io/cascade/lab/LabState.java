package io.cascade.lab;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * State of a lab that other processes need to use it.
 *
 * @param id in the environment of every process of the lab, which identifies them
 * @param hostPid the process that holds namespaces and links
 * @param unprivileged whether it is in a user namespace
 * @param orchestrator its address from the sites; null for none
 * @param dashboard its address from the machine itself
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
   * @param network the kernel's file of its network namespace
   */
  record SiteState(String name, String address, String network) {}

  /** A process of Cascade that runs at a site. */
  record PartState(String name, String site, long pid, String where) {}
}
