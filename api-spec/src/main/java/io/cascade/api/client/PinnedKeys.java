package io.cascade.api.client;

import io.cascade.api.identity.KeyPins;
import java.net.Socket;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.X509ExtendedTrustManager;
import org.jspecify.annotations.Nullable;

/**
 * Trusts one server by its key. The pins of its URL are where that begins; what the server says
 * over a connection that they protect takes their place, so that its key may change as often as it
 * likes while its clients call now and then. Names, issuers and times of certificates say nothing
 * here. Only the first certificate counts, whose key the handshake proves: anybody may show others.
 */
final class PinnedKeys extends X509ExtendedTrustManager {
  private final ServerAddress server;
  private final KeyPins given;
  private final @Nullable PinMemory memory;
  private volatile KeyPins accepted;

  PinnedKeys(ServerAddress server, KeyPins given, @Nullable PinMemory memory) {
    this.server = server;
    this.given = given;
    this.memory = memory;
    this.accepted = learned(memory == null ? null : memory.load(server.authority()));
  }

  /**
   * @param kept the pins that were given, and below them those that were learned: others are of
   *     another URL, which is no longer in use
   */
  private KeyPins learned(@Nullable String kept) {
    String[] lines = kept == null ? new String[0] : kept.strip().split("\n", -1);
    if (lines.length != 2 || !lines[0].equals(given.toString())) {
      return given;
    }
    try {
      return KeyPins.parse(lines[1]);
    } catch (IllegalArgumentException e) {
      return given;
    }
  }

  /** The server's name or address, as its URL has it. */
  String host() {
    return server.base().getHost();
  }

  /** Keys that are accepted now. */
  KeyPins accepted() {
    return accepted;
  }

  /** What the server said of its keys, over a connection on which it has shown one of them. */
  synchronized void told(String pins) {
    if (pins.equals(accepted.toString())) {
      return;
    }
    try {
      accepted = KeyPins.parse(pins);
    } catch (IllegalArgumentException e) {
      return;
    }
    if (memory != null) {
      memory.keep(server.authority(), given + "\n" + accepted + "\n");
    }
  }

  /**
   * What another server that is trusted as this one is said of the keys of all of them. This one's
   * are those that begin with a key that is accepted: so it need not be called itself as often as
   * its key changes, and what is older than what it has said itself changes nothing.
   */
  synchronized void toldOfAll(String pinsOfAll) {
    for (String pins : pinsOfAll.split(" ", KeyPins.MOST_SERVERS + 1)) {
      String current = pins.split(",", 2)[0];
      if (accepted.sha256().stream().anyMatch(known -> current.endsWith("-" + known))) {
        told(pins);
        return;
      }
    }
  }

  private void check(X509Certificate[] chain) throws CertificateException {
    if (!accepted.accept(chain[0].getPublicKey())) {
      throw new OtherKeyException(server, accepted, KeyPins.of(chain[0].getPublicKey()));
    }
  }

  @Override
  public void checkServerTrusted(X509Certificate[] chain, String type, SSLEngine engine)
      throws CertificateException {
    check(chain);
  }

  @Override
  public void checkServerTrusted(X509Certificate[] chain, String type, Socket socket)
      throws CertificateException {
    check(chain);
  }

  @Override
  public void checkServerTrusted(X509Certificate[] chain, String type) throws CertificateException {
    check(chain);
  }

  @Override
  public void checkClientTrusted(X509Certificate[] chain, String type, SSLEngine engine)
      throws CertificateException {
    throw noClients();
  }

  @Override
  public void checkClientTrusted(X509Certificate[] chain, String type, Socket socket)
      throws CertificateException {
    throw noClients();
  }

  @Override
  public void checkClientTrusted(X509Certificate[] chain, String type) throws CertificateException {
    throw noClients();
  }

  private static CertificateException noClients() {
    return new CertificateException("clients show no certificates here");
  }

  @Override
  public X509Certificate[] getAcceptedIssuers() {
    return new X509Certificate[0];
  }
}
