/**
 * Coded sessions over UDP between the two ends of a transfer: the invitation over TCP, the search
 * for a path between two ends behind NATs, and the session as a connection.
 */
@NullMarked
package io.cascade.client.transfer.coded;

import org.jspecify.annotations.NullMarked;
