package io.cascade.orchestrator.security;

import io.cascade.api.orchestrator.Role;
import io.cascade.command.names.Loopback;
import java.net.URI;
import java.util.Map;

/**
 * An OpenID Connect issuer whose tokens are accepted.
 *
 * @param issuer URL as in the tokens; its keys are found through {@code
 *     /.well-known/openid-configuration}
 * @param audience audience that tokens must have
 * @param rolesClaim claim with the caller's groups or roles: a text, a list, or with dots a nested
 *     claim
 * @param roles roles for values of the claim; the names of the roles need no entry
 */
public record OidcIssuer(URI issuer, String audience, String rolesClaim, Map<String, Role> roles) {
  /**
   * Checks the address, and copies the roles.
   *
   * @throws IllegalArgumentException if another party could answer in the issuer's place
   */
  public OidcIssuer {
    if (!isHttps(issuer) && !isOfThisMachine(issuer)) {
      throw new IllegalArgumentException(
          issuer
              + " (expected: https://HOST, as its tokens name it; http:// is accepted for this"
              + " machine alone, since an on-path attacker could replace the keys)");
    }
    roles = Map.copyOf(roles);
  }

  /** Whether only the issuer, or a host that it names, can answer at this address. */
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
