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
 * @param listen address of ingress ports, unless a part names another one
 * @param everyAddress whether ingress ports may listen on addresses other than loopback; false
 *     where the control port requires no token
 * @param advertised the host that clients are told to connect to
 * @param ingressPorts the only ports that chains may open; free ones are chosen among them; null
 *     for any
 * @param balancers load balancers that send their clients' addresses
 * @param spoolFolder for store-and-forward
 * @param pump how streams' bytes are moved
 * @param installTimeout time within which the next relay must answer a greeting
 * @param tlsAllowed whether parts with encrypted hops are accepted
 * @param plainAllowed whether parts with unencrypted hops are accepted
 * @param serveAlone how long parts whose lease has expired go on taking streams; 0 for not at all
 * @param controls congestion controls that parts may request
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
