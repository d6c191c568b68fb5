package io.cascade.client.entries;

/**
 * What a stream created below its destination.
 *
 * @param files present there now
 * @param folders created or found
 * @param links symbolic links present there now
 * @param bytes content of those files
 * @param refused entries of the stream that were not created
 */
public record Extracted(long files, long folders, long links, long bytes, Troubles refused) {}
