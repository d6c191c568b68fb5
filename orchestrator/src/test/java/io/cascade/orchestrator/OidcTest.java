package io.cascade.orchestrator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.crypto.MACSigner;
import com.nimbusds.jose.crypto.RSASSASigner;
import com.nimbusds.jose.jwk.JWKSet;
import com.nimbusds.jose.jwk.RSAKey;
import com.nimbusds.jose.jwk.gen.RSAKeyGenerator;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.PlainJWT;
import com.nimbusds.jwt.SignedJWT;
import com.sun.net.httpserver.HttpServer;
import io.cascade.api.client.OrchestratorClient;
import io.cascade.api.client.ProblemException;
import io.cascade.api.orchestrator.Role;
import io.cascade.orchestrator.security.OidcIssuer;
import io.cascade.orchestrator.time.ManualTime;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Date;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tokens of an issuer that is a server of this test. */
@NullUnmarked
class OidcTest {
  private static final String AUDIENCE = "cascade";

  private static RSAKey key;
  private static HttpServer server;
  private static String issuer;

  private Rig rig;

  @BeforeAll
  static void issue() throws IOException, JOSEException {
    key = new RSAKeyGenerator(2_048).keyID("one").generate();
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    issuer = "http://127.0.0.1:" + server.getAddress().getPort();
    serve(
        "/.well-known/openid-configuration",
        "{\"issuer\": \"%s\", \"jwks_uri\": \"%s/keys\"}".formatted(issuer, issuer));
    serve("/keys", new JWKSet(key.toPublicJWK()).toString());
    server.start();
  }

  private static void serve(String path, String document) {
    byte[] body = document.getBytes(StandardCharsets.UTF_8);
    server.createContext(
        path,
        exchange -> {
          exchange.getResponseHeaders().add("Content-Type", "application/json");
          exchange.sendResponseHeaders(200, body.length);
          exchange.getResponseBody().write(body);
          exchange.close();
        });
  }

  @AfterAll
  static void end() {
    server.stop(0);
  }

  @BeforeEach
  void start(@TempDir Path state) {
    rig =
        Rig.start(
            state,
            settings ->
                settings
                    .withToken("a-secret-of-some-length")
                    .withOidc(
                        new OidcIssuer(
                            URI.create(issuer),
                            AUDIENCE,
                            "realm_access.roles",
                            Map.of("cascade-ops", Role.OPERATOR))));
  }

  @AfterEach
  void stop() {
    rig.close();
  }

  @Test
  void whileNobodyCanTellWhetherATokenIsGoodItIsNeitherRefusedNorCounted(@TempDir Path folder)
      throws Exception {
    ManualTime time = ManualTime.running();
    RSAKey next = new RSAKeyGenerator(2_048).keyID("two").generate();
    HttpServer own =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    String url = "http://127.0.0.1:" + own.getAddress().getPort();
    AtomicBoolean isAway = new AtomicBoolean(true);
    AtomicBoolean isRotated = new AtomicBoolean();
    AtomicInteger calls = new AtomicInteger();
    own.createContext(
        "/",
        exchange -> {
          calls.incrementAndGet();
          byte[] body =
              (exchange.getRequestURI().getPath().equals("/keys")
                      ? new JWKSet((isRotated.get() ? next : key).toPublicJWK()).toString()
                      : "{\"issuer\": \"%s\", \"jwks_uri\": \"%s/keys\"}".formatted(url, url))
                  .getBytes(StandardCharsets.UTF_8);
          exchange.getResponseHeaders().add("Content-Type", "application/json");
          exchange.sendResponseHeaders(isAway.get() ? 503 : 200, body.length);
          exchange.getResponseBody().write(body);
          exchange.close();
        });
    own.start();
    try (Rig other =
        Rig.start(
            folder,
            settings ->
                settings
                    .withToken("a-secret-of-some-length")
                    .withClocks(time.clock(), time.nanos())
                    .withOidc(
                        new OidcIssuer(
                            URI.create(url), AUDIENCE, "realm_access.roles", Map.of())))) {
      String token = signed(claims("viewer").issuer(url), key);
      String unknown = signed(claims("viewer").issuer(url), next);
      for (int i = 0; i < 30; i++) {
        assertUnavailable(other, token);
      }

      isAway.set(false);
      time.pass(Duration.ofSeconds(6));
      assertThat(new OrchestratorClient(other.address(), token).whoAmI().role())
          .isEqualTo(Role.VIEWER);

      isAway.set(true);
      time.pass(Duration.ofMinutes(10));
      int before = calls.get();
      for (int i = 0; i < 5; i++) {
        assertUnavailable(other, unknown);
      }
      assertThat(calls.get() - before).as("of the issuer, which did not answer").isEqualTo(1);
      assertThat(new OrchestratorClient(other.address(), token).whoAmI().role())
          .isEqualTo(Role.VIEWER);

      isAway.set(false);
      time.pass(Duration.ofMinutes(10));
      before = calls.get();
      for (int i = 0; i < 5; i++) {
        assertThat(
                other
                    .call("GET", "/api/v1/me", null, "Authorization", "Bearer " + unknown)
                    .status())
            .isEqualTo(401);
      }
      assertThat(calls.get() - before).as("for tokens by a key that nobody knows").isEqualTo(1);
      isRotated.set(true);
      time.pass(Duration.ofSeconds(30));
      assertThat(new OrchestratorClient(other.address(), unknown).whoAmI().role())
          .isEqualTo(Role.VIEWER);
    } finally {
      own.stop(0);
    }
  }

  private static void assertUnavailable(Rig other, String token) {
    Rig.Response answer = other.call("GET", "/api/v1/me", null, "Authorization", "Bearer " + token);
    assertThat(answer.status()).as(answer.body()).isEqualTo(503);
    assertThat(answer.body()).contains("urn:cascade:problem:issuer-unavailable");
  }

  private static JWTClaimsSet.Builder claims(String... roles) {
    return new JWTClaimsSet.Builder()
        .issuer(issuer)
        .audience(AUDIENCE)
        .subject("olga@example.org")
        .expirationTime(Date.from(Instant.now().plusSeconds(600)))
        .claim("realm_access", Map.of("roles", List.of(roles)));
  }

  private static String signed(JWTClaimsSet.Builder claims, RSAKey by) throws JOSEException {
    return signed(claims, by, header -> header);
  }

  private static String signed(
      JWTClaimsSet.Builder claims, RSAKey by, UnaryOperator<JWSHeader.Builder> change)
      throws JOSEException {
    JWSHeader.Builder header = new JWSHeader.Builder(JWSAlgorithm.RS256).keyID(by.getKeyID());
    SignedJWT token = new SignedJWT(change.apply(header).build(), claims.build());
    token.sign(new RSASSASigner(by));
    return token.serialize();
  }

  private OrchestratorClient as(String token) {
    return new OrchestratorClient(rig.address(), token);
  }

  private void assertRefused(String token) {
    assertThatThrownBy(() -> as(token).whoAmI())
        .isInstanceOfSatisfying(
            ProblemException.class, problem -> assertThat(problem.status()).isEqualTo(401));
  }

  @Test
  void aTokenOfTheIssuerIsACallerWithTheRoleThatItsClaimMeans() throws JOSEException {
    var olga = as(signed(claims("offline_access", "viewer", "cascade-ops"), key)).whoAmI();

    assertThat(olga.name()).isEqualTo("olga@example.org");
    assertThat(olga.role()).isEqualTo(Role.OPERATOR);
    assertThat(olga.expiresAt()).isNotNull();
    assertThat(as(signed(claims("client"), key)).whoAmI().role()).isEqualTo(Role.CLIENT);
  }

  @Test
  void anotherIssuerAudienceOrTimeIsRefused() throws JOSEException {
    List<UnaryOperator<JWTClaimsSet.Builder>> wrong =
        List.of(
            one -> one.issuer("http://127.0.0.1:1"),
            one -> one.issuer(null),
            one -> one.audience("another"),
            one -> one.audience((String) null),
            one -> one.expirationTime(Date.from(Instant.now().minusSeconds(600))),
            one -> one.expirationTime(null),
            one -> one.notBeforeTime(Date.from(Instant.now().plusSeconds(600))),
            one -> one.subject(null));
    for (UnaryOperator<JWTClaimsSet.Builder> change : wrong) {
      assertRefused(signed(change.apply(claims("admin")), key));
    }
  }

  @Test
  void anotherSignatureOrNoneIsRefused() throws JOSEException {
    assertRefused(signed(claims("admin"), new RSAKeyGenerator(2_048).keyID("one").generate()));
    assertRefused(new PlainJWT(claims("admin").build()).serialize());
    SignedJWT byPublicKey =
        new SignedJWT(new JWSHeader(JWSAlgorithm.HS256), claims("admin").build());
    byPublicKey.sign(new MACSigner(key.toRSAPublicKey().getEncoded()));
    assertRefused(byPublicKey.serialize());
  }

  /** A header of a token is written by whoever made it. */
  @Test
  void keysThatATokenBringsOrNamesAreIgnored() throws Exception {
    RSAKey own = new RSAKeyGenerator(2_048).keyID("one").generate();
    AtomicInteger asked = new AtomicInteger();
    HttpServer elsewhere =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    elsewhere.createContext(
        "/",
        exchange -> {
          asked.incrementAndGet();
          byte[] body = new JWKSet(own.toPublicJWK()).toString().getBytes(StandardCharsets.UTF_8);
          exchange.sendResponseHeaders(200, body.length);
          exchange.getResponseBody().write(body);
          exchange.close();
        });
    elsewhere.start();
    URI keys = URI.create("http://127.0.0.1:" + elsewhere.getAddress().getPort() + "/keys");
    try {
      List<UnaryOperator<JWSHeader.Builder>> headers =
          List.of(
              header -> header.jwk(own.toPublicJWK()),
              header -> header.jwkURL(keys),
              header -> header.x509CertURL(keys),
              header -> header.jwk(own.toPublicJWK()).jwkURL(keys).x509CertURL(keys));
      for (UnaryOperator<JWSHeader.Builder> change : headers) {
        for (String id : new String[] {"one", "another", null}) {
          assertRefused(signed(claims("admin"), own, header -> change.apply(header.keyID(id))));
        }
        assertThat(as(signed(claims("viewer"), key, change)).whoAmI().role())
            .isEqualTo(Role.VIEWER);
      }
      assertThat(asked).as("calls of where a token leads").hasValue(0);
    } finally {
      elsewhere.stop(0);
    }
  }

  @Test
  void noRoleOrARelaysIsNone() throws JOSEException {
    assertRefused(signed(claims(), key));
    assertRefused(signed(claims("relay"), key));
  }
}
