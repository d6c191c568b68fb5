package io.cascade.orchestrator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import io.cascade.api.client.OrchestratorClient;
import io.cascade.api.client.ProblemException;
import io.cascade.api.client.ServerAddress;
import io.cascade.api.client.UnreachableException;
import io.cascade.api.identity.KeyPins;
import io.cascade.api.orchestrator.ApiKeyRequest;
import io.cascade.api.orchestrator.ChainState;
import io.cascade.api.orchestrator.Role;
import io.cascade.command.CommandException;
import io.cascade.command.certificate.SelfSigned;
import io.cascade.orchestrator.tls.TlsSettings;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.KeyPair;
import java.security.Principal;
import java.security.PrivateKey;
import java.security.SecureRandom;
import java.security.cert.X509Certificate;
import java.util.Base64;
import java.util.List;
import javax.net.ssl.KeyManager;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.X509ExtendedKeyManager;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the server shows, who believes it, and what becomes of that when its key changes. */
@NullUnmarked
class TlsTest {
  private static final TlsSettings ON = new TlsSettings(TlsSettings.Mode.ON, null, null, null);

  private static Rig serving(Path state) {
    return Rig.start(state, settings -> settings.withTls(ON));
  }

  private static OrchestratorClient pinning(Rig rig, String pins) {
    return new OrchestratorClient(URI.create(plain(rig) + "#" + pins), null);
  }

  private static String plain(Rig rig) {
    return ServerAddress.of(rig.address()).base().toString();
  }

  private static String pins(Rig rig) {
    return rig.address().getRawFragment();
  }

  @Test
  void aClientThatPinsTheKeyIsServedAndRelaysAreCalled(@TempDir Path state) {
    try (Rig rig = serving(state)) {
      assertThat(rig.address().toString())
          .matches("https://127\\.0\\.0\\.1:\\d+#sha256-[\\w-]{43},sha256-[\\w-]{43}");

      rig.live("r1");

      assertThat(rig.openVia("r1").state()).isEqualTo(ChainState.READY);
    }
  }

  @Test
  void anotherKeyThanThePinnedOneIsRefusedAndTheFixIsNamed(@TempDir Path state) throws Exception {
    String other = KeyPins.of(SelfSigned.keys(new SecureRandom()).getPublic()).toString();
    try (Rig rig = serving(state)) {
      assertThatThrownBy(pinning(rig, other)::relays)
          .isInstanceOfSatisfying(
              UnreachableException.class, e -> assertThat(e.isAboutTrust()).isTrue())
          .hasMessageContaining(other)
          .hasMessageContaining("cascade certificate")
          .hasMessageContaining(plain(rig) + "#" + pins(rig).split(",", -1)[0]);
    }
  }

  @Test
  void withoutAPinOnlyTheMachinesAuthoritiesCount(@TempDir Path state) {
    try (Rig rig = serving(state)) {
      assertThatThrownBy(new OrchestratorClient(URI.create(plain(rig)), null)::relays)
          .isInstanceOf(UnreachableException.class)
          .hasMessageContaining("pin its key");
    }
  }

  @Test
  void nothingIsSentWithoutTlsWhereAKeyIsPinned(@TempDir Path state) {
    try (Rig rig = serving(state)) {
      URI downgraded = URI.create(rig.address().toString().replace("https://", "http://"));
      assertThatThrownBy(() -> new OrchestratorClient(downgraded, "csk_secret"))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("https://");
    }
  }

  @Test
  void plainHttpToAServerWithTlsSaysSo(@TempDir Path state) {
    try (Rig rig = serving(state)) {
      URI plain = URI.create(plain(rig).replace("https://", "http://"));
      assertThatThrownBy(new OrchestratorClient(plain, null)::relays)
          .isInstanceOf(ProblemException.class)
          .hasMessageContaining("https://");
    }
  }

  @Test
  void theKeyChangesUnderRunningClientsAsOftenAsItLikes(@TempDir Path state) {
    try (Rig rig = serving(state)) {
      String first = pins(rig);
      rig.live("r1");
      OrchestratorClient idle = pinning(rig, first);

      List<String> before = List.of(first.split(",", -1));
      String second = rig.client().rotateCertificate().pins();
      assertThat(second).startsWith(before.getLast() + ",");
      // Whoever knew the next key is served, also by a new connection, and learns of the one after.
      assertThat(idle.relays().relays()).hasSize(1);
      String third = rig.client().rotateCertificate().pins();
      assertThat(third).startsWith(second.split(",", -1)[1] + ",");
      assertThat(idle.relays().relays()).hasSize(1);
      assertThat(rig.openVia("r1").state()).isEqualTo(ChainState.READY);
      // Whoever missed two changes is told what to do, and the old key is accepted by nobody.
      assertThatThrownBy(pinning(rig, before.getFirst())::relays)
          .isInstanceOf(UnreachableException.class)
          .hasMessageContaining("cascade certificate");
    }
  }

  @Test
  void theKeysOutliveARestartAndLieWhereNobodyElseReads(@TempDir Path state) throws Exception {
    try (Rig rig = serving(state)) {
      String pins = pins(rig);
      rig.stop();
      rig.startAgain();
      assertThat(pins(rig)).isEqualTo(pins);
      for (String file : List.of("current.pem", "next.pem")) {
        assertThat(
                Files.getPosixFilePermissions(
                    state.resolve("orchestrator").resolve("tls").resolve(file)))
            .isEqualTo(PosixFilePermissions.fromString("rw-------"));
      }
    }
  }

  @Test
  void onlyAdminsChangeTheKey(@TempDir Path state) {
    try (Rig rig = Rig.start(state, settings -> settings.withTls(ON).withToken("a-long-token"))) {
      String olga =
          rig.client()
              .createKey(ApiKeyRequest.builder().name("olga").role(Role.OPERATOR).build())
              .secret();
      OrchestratorClient operator = new OrchestratorClient(rig.address(), olga);

      assertThat(operator.certificate().pins()).isEqualTo(pins(rig));
      assertThatThrownBy(operator::rotateCertificate)
          .isInstanceOfSatisfying(
              ProblemException.class, problem -> assertThat(problem.status()).isEqualTo(403));
    }
  }

  @Test
  void theOperatorsFilesAreShownAndReadAgainWhenTheyChange(@TempDir Path state) throws Exception {
    OperatorsFiles files = new OperatorsFiles(state);
    KeyPair first = files.show("one");
    KeyPair next = SelfSigned.keys(new SecureRandom());
    files.announce(next);
    try (Rig rig = Rig.start(state.resolve("state"), settings -> settings.withTls(files.tls()))) {
      assertThat(pins(rig)).isEqualTo(KeyPins.of(first.getPublic(), next.getPublic()).toString());
      OrchestratorClient client = pinning(rig, pins(rig));
      assertThat(client.certificate().selfMade()).isFalse();
      assertThatThrownBy(client::rotateCertificate)
          .isInstanceOfSatisfying(
              ProblemException.class, problem -> assertThat(problem.status()).isEqualTo(409));

      // A key that is replaced before its certificate fits nothing: what was shown goes on.
      files.writeKey(next);
      files.writeCertificate(next, "two");
      String shown = KeyPins.of(next.getPublic()).toString();
      await().until(() -> client.certificate().pins().equals(shown));
      assertThat(pinning(rig, shown).relays().relays()).isEmpty();
    }
  }

  @Test
  void aCertificateThatIsShownBesideAnotherKeysProvesNothing() throws Exception {
    KeyPair pinned = SelfSigned.keys(new SecureRandom());
    KeyPair stranger = SelfSigned.keys(new SecureRandom());
    SSLContext context = SSLContext.getInstance("TLS");
    KeyManager[] shows = {
      new Shows(
          stranger.getPrivate(),
          OperatorsFiles.certificate(stranger, "stranger"),
          OperatorsFiles.certificate(pinned, "the one that clients trust"))
    };
    context.init(shows, null, null);
    HttpsServer server =
        HttpsServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.setHttpsConfigurator(new HttpsConfigurator(context));
    server.start();
    try {
      String url = "https://127.0.0.1:" + server.getAddress().getPort() + "#";
      OrchestratorClient client =
          new OrchestratorClient(URI.create(url + KeyPins.of(pinned.getPublic())), "csk_secret");
      assertThatThrownBy(client::relays)
          .isInstanceOfSatisfying(
              UnreachableException.class, e -> assertThat(e.isAboutTrust()).isTrue());
      // Whoever pins the key that the handshake proves gets through, to a server that knows
      // nothing.
      assertThatThrownBy(
              new OrchestratorClient(URI.create(url + KeyPins.of(stranger.getPublic())), null)
                  ::relays)
          .isInstanceOf(ProblemException.class);
    } finally {
      server.stop(0);
    }
  }

  /** Shows these certificates, whatever they have to do with each other. */
  private static final class Shows extends X509ExtendedKeyManager {
    private final PrivateKey key;
    private final X509Certificate[] chain;

    Shows(PrivateKey key, X509Certificate... chain) {
      this.key = key;
      this.chain = chain;
    }

    @Override
    public String chooseEngineServerAlias(String type, Principal[] issuers, SSLEngine engine) {
      return "any";
    }

    @Override
    public X509Certificate[] getCertificateChain(String alias) {
      return chain;
    }

    @Override
    public PrivateKey getPrivateKey(String alias) {
      return key;
    }

    @Override
    public String[] getClientAliases(String type, Principal[] issuers) {
      return null;
    }

    @Override
    public String[] getServerAliases(String type, Principal[] issuers) {
      return new String[] {"any"};
    }

    @Override
    public String chooseClientAlias(String[] types, Principal[] issuers, Socket socket) {
      return null;
    }

    @Override
    public String chooseServerAlias(String type, Principal[] issuers, Socket socket) {
      return "any";
    }
  }

  @Test
  void filesThatDoNotBelongTogetherAreRefusedAtTheStart(@TempDir Path state) throws Exception {
    OperatorsFiles files = new OperatorsFiles(state);
    files.show("one");
    files.writeKey(SelfSigned.keys(new SecureRandom()));

    assertThatThrownBy(
            () -> Rig.start(state.resolve("state"), settings -> settings.withTls(files.tls())))
        .isInstanceOf(CommandException.class)
        .hasMessageContaining("--certificate")
        .hasMessageContaining("not that of the first certificate");
    files.show("two");
    files.append(SelfSigned.keys(new SecureRandom()), "three");
    assertThatThrownBy(
            () -> Rig.start(state.resolve("state"), settings -> settings.withTls(files.tls())))
        .isInstanceOf(CommandException.class)
        .hasMessageContaining("issued by the next one in the file");
  }

  /** Files of an operator. */
  private record OperatorsFiles(Path folder) {
    TlsSettings tls() {
      return new TlsSettings(TlsSettings.Mode.AUTO, certificate(), key(), null);
    }

    private Path certificate() {
      return folder.resolve("certificate.pem");
    }

    private Path key() {
      return folder.resolve("key.pem");
    }

    KeyPair show(String name) throws Exception {
      KeyPair keys = SelfSigned.keys(new SecureRandom());
      writeKey(keys);
      writeCertificate(keys, name);
      return keys;
    }

    void announce(KeyPair keys) throws Exception {
      Files.writeString(folder.resolve("certificate.pem.next"), pem(certificate(keys, "next")));
    }

    void append(KeyPair keys, String name) throws Exception {
      Files.writeString(certificate(), pem(certificate(keys, name)), StandardOpenOption.APPEND);
    }

    void writeKey(KeyPair keys) throws Exception {
      Files.writeString(key(), pem("PRIVATE KEY", keys.getPrivate().getEncoded()));
    }

    void writeCertificate(KeyPair keys, String name) throws Exception {
      Files.deleteIfExists(folder.resolve("certificate.pem.next"));
      Files.writeString(certificate(), pem(certificate(keys, name)));
    }

    private static X509Certificate certificate(KeyPair keys, String name) throws Exception {
      return SelfSigned.certificate(keys, name, List.of("127.0.0.1"), new SecureRandom());
    }

    private static String pem(X509Certificate certificate) throws Exception {
      return pem("CERTIFICATE", certificate.getEncoded());
    }

    private static String pem(String what, byte[] der) {
      return "-----BEGIN "
          + what
          + "-----\n"
          + Base64.getMimeEncoder(64, "\n".getBytes(StandardCharsets.US_ASCII)).encodeToString(der)
          + "\n-----END "
          + what
          + "-----\n";
    }
  }
}
