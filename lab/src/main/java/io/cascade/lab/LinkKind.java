package io.cascade.lab;

/** Mechanism that carries a lab's packets. */
public enum LinkKind {
  /**
   * The project's own emulator, between TUN devices. Works everywhere and supports every parameter.
   */
  USER_SPACE,
  /**
   * The kernel's netem and token bucket, between virtual Ethernet devices, where available.
   * Supports neither jitter, because netem's reorders, nor reordering, queue statistics over time
   * and seeds.
   */
  NETEM
}
