package io.cascade.relay.hop;

/**
 * State of a {@link ReplayWindow}, for the process that replaces a relay's process.
 *
 * @param highest highest counter received
 * @param bitmap counters received within the window: Base64 of its words in little-endian order
 */
public record ReplayWindowState(long highest, String bitmap) {}
