package io.cascade.client.transfer;

import java.time.Duration;

/**
 * A file that the receiver holds, verified.
 *
 * @param bytes of the file
 * @param wireBytes that the connection carried towards the receiver, header and block lengths
 *     included
 * @param sha256 as both ends computed it
 * @param elapsed from the first byte to the receiver's answer
 */
public record Sent(long bytes, long wireBytes, Sha256 sha256, Duration elapsed) {}
