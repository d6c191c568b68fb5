package io.cascade.relay.hop;

/**
 * Which counters of a key were seen, to be remembered by another process.
 *
 * @param highest of them
 * @param bitmap of those within the window, Base64 of its words in little-endian order
 */
public record SeenCounters(long highest, String bitmap) {}
