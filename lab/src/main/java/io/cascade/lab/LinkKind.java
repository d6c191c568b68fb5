package io.cascade.lab;

/** Mechanism that carries a lab's packets. */
public enum LinkKind {
  /** The project's own emulator, between TUN devices. Works everywhere and has everything. */
  USER_SPACE,
  /**
   * The kernel's netem and token bucket, between virtual Ethernet devices, where it has them. Has
   * neither jitter, because netem's reorders, nor reordering, queues over time and seeds.
   */
  NETEM
}
