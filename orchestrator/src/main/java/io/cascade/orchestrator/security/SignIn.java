package io.cascade.orchestrator.security;

import io.cascade.api.identity.InvitationSecret;
import io.cascade.api.identity.KeySecret;
import io.cascade.orchestrator.time.Timekeeper;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.time.Duration;
import java.util.Arrays;
import java.util.HexFormat;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;

/** Authenticates callers by the Authorization header, and nothing else. */
@Component
public class SignIn {
  private static final String SCHEME = "Bearer ";

  /**
   * Failures at once from one address: enough for mistyping and for a machine with an outdated key,
   * too few for a search.
   */
  static final int FAILURES_AT_ONCE = 20;

  static final Duration PER_FAILURE = Duration.ofSeconds(3);

  private final Access access;
  private final KeyBook keys;
  private final Scopes scopes;
  private final OidcSignIn oidc;
  private final InvitationBook invitations;
  private final Allowances failures;

  SignIn(
      Access access,
      KeyBook keys,
      InvitationBook invitations,
      OidcSignIn oidc,
      Scopes scopes,
      Timekeeper time) {
    this.invitations = invitations;
    this.oidc = oidc;
    this.access = access;
    this.keys = keys;
    this.scopes = scopes;
    this.failures = new Allowances(time, FAILURES_AT_ONCE, PER_FAILURE);
  }

  /** Result of the authentication. */
  sealed interface Outcome {}

  record Known(Caller caller) implements Outcome {}

  /** No credential was sent, and one is needed. */
  record Missing() implements Outcome {}

  /** The credential is not accepted. */
  record Wrong() implements Outcome {}

  /** The credential cannot be checked at present. */
  record Unavailable(String why, long retryAfterSeconds) implements Outcome {}

  /** Too many failures from this address. */
  record TooMany(long retryAfterSeconds) implements Outcome {}

  /**
   * Authenticates a request. API keys and secrets of invitations are looked up after any number of
   * failures: they cannot be guessed, and a machine with an outdated key must not lock out others
   * behind its address. The token may be short, and the verification of an OpenID Connect token
   * takes time, so neither is checked after too many failures.
   */
  Outcome outcome(@Nullable String authorization, String address) {
    String token = access.token();
    if (authorization == null || authorization.isEmpty()) {
      return access.open() ? new Known(Caller.admin("local", scopes)) : new Missing();
    }
    boolean bearer = authorization.regionMatches(true, 0, SCHEME, 0, SCHEME.length());
    String shown = bearer ? authorization.substring(SCHEME.length()).strip() : "";
    String from = network(address);
    Caller caller;
    if (KeySecret.isOne(shown)) {
      caller = keys.caller(shown);
    } else if (InvitationSecret.isOne(shown)) {
      caller = invitations.caller(shown);
    } else if (access.open() && !oidc.isMeant(shown)) {
      // Only on loopback, where no credential is needed.
      caller = Caller.admin("local", scopes);
    } else {
      long wait = failures.secondsUntilNext(from);
      if (wait > 0) {
        return new TooMany(wait);
      }
      if (token != null && isToken(shown, token)) {
        caller = Caller.admin("token", scopes);
      } else {
        try {
          caller = oidc.isMeant(shown) ? oidc.caller(shown) : null;
        } catch (OidcSignIn.IssuerAway e) {
          return new Unavailable(String.valueOf(e.getMessage()), OidcCalls.RETRY_AFTER.toSeconds());
        }
      }
    }
    if (caller != null) {
      return new Known(caller);
    }
    long wait = failures.take(from);
    return wait > 0 ? new TooMany(wait) : new Wrong();
  }

  /** Compares in constant time, so that the duration does not reveal a correct prefix. */
  private static boolean isToken(String shown, String token) {
    return MessageDigest.isEqual(
        shown.getBytes(StandardCharsets.UTF_8), token.getBytes(StandardCharsets.UTF_8));
  }

  /**
   * An IPv4 address, or the /64 network of an IPv6 address, since its holder has all of its hosts.
   */
  public static String network(String address) {
    InetAddress parsed = literal(address);
    return parsed instanceof Inet6Address
        ? HexFormat.of().formatHex(Arrays.copyOf(parsed.getAddress(), 8))
        : parsed.getHostAddress();
  }

  /** The address of a request, without the zone of a link-local one. */
  static InetAddress literal(String address) {
    int zone = address.indexOf('%');
    return InetAddress.ofLiteral(zone < 0 ? address : address.substring(0, zone));
  }
}
