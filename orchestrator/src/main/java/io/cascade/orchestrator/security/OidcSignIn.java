package io.cascade.orchestrator.security;

import io.cascade.api.orchestrator.Role;
import io.cascade.orchestrator.time.Timekeeper;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.core.NestedExceptionUtils;
import org.springframework.security.oauth2.core.DelegatingOAuth2TokenValidator;
import org.springframework.security.oauth2.jwt.BadJwtException;
import org.springframework.security.oauth2.jwt.Jwt;
import org.springframework.security.oauth2.jwt.JwtClaimNames;
import org.springframework.security.oauth2.jwt.JwtClaimValidator;
import org.springframework.security.oauth2.jwt.JwtDecoder;
import org.springframework.security.oauth2.jwt.JwtException;
import org.springframework.security.oauth2.jwt.JwtIssuerValidator;
import org.springframework.security.oauth2.jwt.JwtTimestampValidator;
import org.springframework.security.oauth2.jwt.NimbusJwtDecoder;
import org.springframework.stereotype.Component;

/** Callers with a token of an OpenID Connect issuer, where one is configured. */
@Component
class OidcSignIn {
  private static final Logger LOG = LoggerFactory.getLogger(OidcSignIn.class);
  private static final int MOST_SUBJECT = 255;

  /** From the least to the most privileged. Relays have keys. */
  private static final List<Role> ROLES =
      List.of(Role.VIEWER, Role.CLIENT, Role.OPERATOR, Role.ADMIN);

  private final Scopes scopes;
  private final Timekeeper time;
  private final @Nullable OidcIssuer issuer;
  private @Nullable JwtDecoder decoder;

  /** When the issuer last failed to give its configuration. */
  private @Nullable Long failedAt;

  OidcSignIn(Optional<OidcIssuer> issuer, Scopes scopes, Timekeeper time) {
    this.scopes = scopes;
    this.issuer = issuer.orElse(null);
    this.time = time;
  }

  /** A token cannot be checked, since its issuer does not answer. */
  static final class IssuerAway extends Exception {
    private IssuerAway(OidcIssuer issuer) {
      super("the issuer " + issuer.issuer() + " does not answer");
    }
  }

  /** Whether a credential has the form of a token (RFC 7519) and tokens are accepted. */
  boolean isMeant(String shown) {
    return issuer != null && shown.startsWith("ey") && shown.split("\\.", -1).length == 3;
  }

  /**
   * The caller; null if the token is not accepted or gives no role.
   *
   * @throws IssuerAway if the token cannot be checked
   */
  @Nullable Caller caller(String token) throws IssuerAway {
    if (issuer == null) {
      return null;
    }
    Jwt jwt;
    try {
      jwt = decoderOf(issuer).decode(token);
    } catch (BadJwtException e) {
      LOG.debug("a token of OpenID Connect was refused", e);
      return null;
    } catch (JwtException e) {
      LOG.warn("tokens of {} cannot be verified now: {}", issuer.issuer(), e.getMessage());
      throw new IssuerAway(issuer);
    }
    String subject = jwt.getSubject();
    Role role = role(issuer, jwt).orElse(null);
    if (role == null || subject == null || subject.isBlank() || subject.length() > MOST_SUBJECT) {
      LOG.debug("a token of OpenID Connect gives no role in {}", issuer.rolesClaim());
      return null;
    }
    return new Caller(
        "oidc/" + subject, subject, role, scopes.of(role), jwt.getExpiresAt(), new Caller.Oidc());
  }

  /**
   * Requests the issuer's configuration at the first use, since it may be unreachable when the
   * orchestrator starts.
   */
  private synchronized JwtDecoder decoderOf(OidcIssuer one) throws IssuerAway {
    if (decoder != null) {
      return decoder;
    }
    // After a failure, callers that waited for the lock do not try again.
    if (failedAt == null || time.passed(failedAt, OidcCalls.RETRY_AFTER)) {
      try {
        decoder = decoder(one);
        return decoder;
      } catch (RuntimeException e) {
        LOG.warn(
            "tokens of {} cannot be verified yet: {}",
            one.issuer(),
            NestedExceptionUtils.getMostSpecificCause(e).getMessage());
        failedAt = time.mark();
      }
    }
    throw new IssuerAway(one);
  }

  private JwtDecoder decoder(OidcIssuer issuer) {
    NimbusJwtDecoder decoder =
        NimbusJwtDecoder.withIssuerLocation(issuer.issuer().toString())
            .restOperations(new OidcCalls(issuer, time, OidcCalls.BOUNDS).operations())
            .build();
    decoder.setJwtValidator(
        new DelegatingOAuth2TokenValidator<>(
            new JwtTimestampValidator(),
            new JwtIssuerValidator(issuer.issuer().toString()),
            new JwtClaimValidator<Object>(JwtClaimNames.EXP, Objects::nonNull),
            new JwtClaimValidator<Collection<String>>(
                JwtClaimNames.AUD, all -> all != null && all.contains(issuer.audience()))));
    return decoder;
  }

  /** Of several roles the most privileged one. */
  private static Optional<Role> role(OidcIssuer issuer, Jwt jwt) {
    Object claim = jwt.getClaims();
    for (String step : issuer.rolesClaim().split("\\.", -1)) {
      claim = claim instanceof Map<?, ?> map ? map.get(step) : null;
    }
    Collection<?> values =
        claim instanceof Collection<?> list
            ? list
            : claim == null ? List.of() : List.of(claim.toString().split(" ", -1));
    return values.stream()
        .map(String::valueOf)
        .map(value -> role(issuer, value))
        .flatMap(Optional::stream)
        .max(Comparator.comparingInt(ROLES::indexOf));
  }

  private static Optional<Role> role(OidcIssuer issuer, String value) {
    Role mapped = issuer.roles().get(value);
    return mapped != null
        ? Optional.of(mapped)
        : ROLES.stream()
            .filter(role -> role.name().toLowerCase(Locale.ROOT).equals(value))
            .findFirst();
  }
}
