package io.cascade.api.client;

import io.cascade.api.identity.KeyPins;
import java.net.Socket;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.X509ExtendedTrustManager;
import org.jspecify.annotations.Nullable;

/**
 * Verifies one server by its key. The pins of its URL are the initial ones; pins that the server
 * announces over a connection which they verified replace them, so that its key may change any
 * number of times while its clients call from time to time. Names, issuers and validity of
 * certificates are ignored. Only the first certificate counts, whose key the handshake proves; a
 * server can send any others.
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
   * @param kept the given pins, and on the next line the learned ones; if the given pins differ,
   *     they belong to another URL, which is no longer in use
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

  /** Host of the server's URL, a name or an address. */
  String host() {
    return server.base().getHost();
  }

  /** Keys that are accepted at present. */
  KeyPins accepted() {
    return accepted;
  }

  /**
   * Accepts the pins that the server announced over a connection on which it has proved one of its
   * keys.
   */
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
   * Accepts the pins of all servers from another server that is trusted like this one. Those that
   * begin with an accepted key are this server's. So this server need not be called for every
   * change of its key, and outdated pins change nothing.
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
