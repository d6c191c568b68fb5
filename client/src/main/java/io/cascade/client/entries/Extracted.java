package io.cascade.client.entries;

/**
 * What a stream left below its destination.
 *
 * @param files that stand there now
 * @param folders that were made or found
 * @param links symbolic links that stand there now
 * @param bytes content of those files
 * @param refused entries of the stream that do not stand there
 */
public record Extracted(long files, long folders, long links, long bytes, Troubles refused) {}
