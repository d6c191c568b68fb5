package io.cascade.orchestrator.tls;

import io.cascade.api.identity.KeyPins;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.Optional;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.stereotype.Component;
import org.springframework.web.filter.OncePerRequestFilter;

/** Adds the pins to every answer, so that clients know the next keys before they are used. */
@Component
@Order(Ordered.HIGHEST_PRECEDENCE)
public class PinsFilter extends OncePerRequestFilter {
  private final Optional<ServerCertificate> certificate;
  private final Optional<ClusterPins> cluster;

  PinsFilter(Optional<ServerCertificate> certificate, Optional<ClusterPins> cluster) {
    this.certificate = certificate;
    this.cluster = cluster;
  }

  @Override
  protected void doFilterInternal(
      HttpServletRequest request, HttpServletResponse response, FilterChain rest)
      throws ServletException, IOException {
    certificate
        .map(ServerCertificate::pins)
        .ifPresent(pins -> response.setHeader(KeyPins.HEADER, pins.toString()));
    cluster
        .map(ClusterPins::pinsOfAll)
        .filter(pins -> !pins.isEmpty())
        .ifPresent(pins -> response.setHeader(KeyPins.CLUSTER_HEADER, pins));
    rest.doFilter(request, response);
  }
}
