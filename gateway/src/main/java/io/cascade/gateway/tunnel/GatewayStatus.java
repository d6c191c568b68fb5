package io.cascade.gateway.tunnel;

import io.cascade.packets.forward.ForwardCounts;
import io.cascade.packets.offload.Segmenter;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Counters and state of a gateway.
 *
 * @param tun its TUN device; null without
 * @param refusedByTun packets that the kernel rejected
 * @param segmented long TCP packets that the kernel handed over to be segmented
 * @param refusedHandshakes of gateways without a key, or with other settings
 */
public record GatewayStatus(
    String name,
    @Nullable String tun,
    int mtu,
    String deliveryMode,
    double upSeconds,
    ForwardCounts packets,
    long refusedByTun,
    Segmenter.Counts segmented,
    long refusedHandshakes,
    List<LinkStatus> links) {}
