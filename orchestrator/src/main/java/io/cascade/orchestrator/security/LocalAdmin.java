package io.cascade.orchestrator.security;

import io.cascade.api.identity.KeySecret;
import io.cascade.api.orchestrator.ApiKeyRequest;
import io.cascade.api.orchestrator.Role;
import io.cascade.command.AccessFile;
import io.cascade.orchestrator.store.StateDirectory;
import io.cascade.orchestrator.tls.ServerCertificate;
import io.cascade.orchestrator.tls.ServerUrls;
import java.util.Optional;
import org.springframework.boot.web.server.context.WebServerInitializedEvent;
import org.springframework.context.event.EventListener;
import org.springframework.stereotype.Component;

/**
 * Writes the orchestrator's address and the pins of its keys into a file of the state directory
 * that only its owner can read. Adds an admin's key if there is no other way to create the first
 * key.
 */
@Component
class LocalAdmin {
  private static final String NAME = "local";

  private final Access access;
  private final KeyBook keys;
  private final Scopes scopes;
  private final StateDirectory state;
  private final ServerUrls urls;
  private final Optional<ServerCertificate> certificate;

  LocalAdmin(
      Access access,
      KeyBook keys,
      Scopes scopes,
      StateDirectory state,
      ServerUrls urls,
      Optional<ServerCertificate> certificate) {
    this.access = access;
    this.keys = keys;
    this.scopes = scopes;
    this.state = state;
    this.urls = urls;
    this.certificate = certificate;
  }

  @EventListener
  void on(WebServerInitializedEvent event) {
    String url =
        urls.local(event.getWebServer().getPort())
            + certificate.map(ServerCertificate::pins).map(pins -> "#" + pins).orElse("");
    boolean lacksKey = access.token() == null && !access.open();
    new AccessFile(url, lacksKey ? key() : null).write(AccessFile.ofOrchestrator(state.path()));
  }

  private String key() {
    AccessFile before = AccessFile.read(AccessFile.ofOrchestrator(state.path()));
    String known = before == null ? null : before.token();
    return known != null && isAdmin(known)
        ? known
        : keys.create(
                Caller.admin(NAME, scopes),
                ApiKeyRequest.builder().name(NAME).role(Role.ADMIN).build())
            .secret();
  }

  private boolean isAdmin(String known) {
    if (!KeySecret.isOne(known)) {
      return false;
    }
    Caller caller = keys.caller(known);
    return caller != null && caller.role() == Role.ADMIN;
  }
}
