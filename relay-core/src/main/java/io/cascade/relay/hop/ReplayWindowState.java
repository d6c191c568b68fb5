package io.cascade.relay.hop;

/**
 * State of a {@link ReplayWindow}, for the process that takes a relay's place.
 *
 * @param highest highest counter seen
 * @param bitmap counters seen within the window: Base64 of its words in little-endian order
 */
public record ReplayWindowState(long highest, String bitmap) {}
