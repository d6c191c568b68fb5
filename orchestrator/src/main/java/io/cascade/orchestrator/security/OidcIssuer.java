package io.cascade.orchestrator.security;

import io.cascade.api.orchestrator.Role;
import io.cascade.command.names.Loopback;
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
  /**
   * Checks the address, and copies the roles.
   *
   * @throws IllegalArgumentException where others could answer in the issuer's place
   */
  public OidcIssuer {
    if (!isHttps(issuer) && !isOfThisMachine(issuer)) {
      throw new IllegalArgumentException(
          issuer
              + " (expected: https://HOST, as its tokens name it; http:// is taken of this machine"
              + " alone, for whoever is between could name keys of his own)");
    }
    roles = Map.copyOf(roles);
  }

  /** Whether nobody but the issuer, or whom it names, can answer there. */
  boolean isSafe(URI at) {
    return isHttps(at) || (isOfThisMachine(issuer) && isOfThisMachine(at));
  }

  private static boolean isHttps(URI at) {
    return "https".equalsIgnoreCase(at.getScheme()) && at.getHost() != null;
  }

  private static boolean isOfThisMachine(URI at) {
    String host = at.getHost();
    return "http".equalsIgnoreCase(at.getScheme()) && host != null && Loopback.isHost(host);
  }
}
