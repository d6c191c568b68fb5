package io.cascade.orchestrator.security;

import io.cascade.api.orchestrator.Role;
import java.net.URI;
import java.util.Map;

/**
 * An issuer of OpenID Connect whose tokens are accepted.
 *
 * @param issuer as tokens name it; its keys are found by {@code /.well-known/openid-configuration}
 * @param audience that tokens have to be for
 * @param rolesClaim claim with the caller's groups or roles: a text, a list, or with dots a claim
 *     within a claim
 * @param roles what their values mean here; the names of the roles mean themselves beside that
 */
public record OidcIssuer(URI issuer, String audience, String rolesClaim, Map<String, Role> roles) {
  public OidcIssuer {
    roles = Map.copyOf(roles);
  }
}
