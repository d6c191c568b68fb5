package io.cascade.gateway.tunnel;

import io.cascade.packets.forward.ForwardCounts;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Counts and state of a gateway.
 *
 * @param tun its TUN device; null without
 * @param refusedByTun packets that the kernel did not take
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
    long refusedHandshakes,
    List<LinkStatus> links) {}
