package io.cascade.relay.chain;

import io.cascade.carriage.transport.CongestionControls;
import io.cascade.relay.balancer.Balancers;
import io.cascade.relay.pump.PumpMode;
import java.net.InetAddress;
import java.nio.file.Path;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Settings of a relay that hold for all its chains.
 *
 * @param listen address of ingress ports, unless a part says otherwise
 * @param everyAddress whether ingress ports may listen on other addresses than loopback; not where
 *     the control port asks for no token
 * @param advertised the host that clients are told to connect to
 * @param ingressPorts the only ones that chains may open, and from which free ones are taken; null
 *     for any
 * @param balancers that say who their clients are
 * @param spoolFolder for store-and-forward
 * @param pump how streams' bytes are moved
 * @param installTimeout time that the next relay has to answer a greeting
 * @param tlsAllowed whether parts with encrypted hops are taken
 * @param plainAllowed whether parts with hops that are not encrypted are taken
 * @param serveAlone how long parts whose lease has run out go on taking streams; 0 not at all
 * @param controls congestion controls that parts may ask for
 */
public record ChainSettings(
    InetAddress listen,
    boolean everyAddress,
    String advertised,
    @Nullable PortRange ingressPorts,
    Balancers balancers,
    Path spoolFolder,
    PumpMode pump,
    Duration installTimeout,
    boolean tlsAllowed,
    boolean plainAllowed,
    Duration serveAlone,
    CongestionControls controls) {}
