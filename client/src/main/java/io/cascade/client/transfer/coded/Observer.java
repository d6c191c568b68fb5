package io.cascade.client.transfer.coded;

import io.cascade.api.HostPort;
import io.cascade.carriage.rendezvous.MeetingNumber;

/**
 * A relay that joins both ends, and tells each the observed source address of its datagrams.
 *
 * @param relay its rendezvous port, over UDP
 * @param meeting the number under which they meet
 */
public record Observer(HostPort relay, MeetingNumber meeting) {}
