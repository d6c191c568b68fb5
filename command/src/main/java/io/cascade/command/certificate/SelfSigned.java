package io.cascade.command.certificate;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.math.BigInteger;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.SecureRandom;
import java.security.Signature;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.security.spec.ECGenParameterSpec;
import java.util.Collection;

/**
 * Creates certificates that are identified by their fingerprint or by their key: with a P-256 key,
 * self-signed with ECDSA and SHA-256. One without alternative names is of version 1 (RFC 5280
 * section 4.1, basic fields only), one with them of version 3.
 *
 * <p>They never expire (section 4.1.2.5 gives the year 9999 for that): clocks need not agree.
 */
public final class SelfSigned {
  private static final int INTEGER = 0x02;
  private static final int BIT_STRING = 0x03;
  private static final int OCTET_STRING = 0x04;
  private static final int UTF8_STRING = 0x0c;
  private static final int UTC_TIME = 0x17;
  private static final int GENERALIZED_TIME = 0x18;
  private static final int SEQUENCE = 0x30;
  private static final int SET = 0x31;

  /** Tag of a GeneralName, RFC 5280 section 4.2.1.6. */
  private static final int DNS_NAME = 0x82;

  private static final int IP_ADDRESS = 0x87;

  private static final int VERSION = 0xa0;
  private static final int EXTENSIONS = 0xa3;

  /** 1.2.840.10045.4.3.2, RFC 5758 section 3.2. */
  private static final byte[] ECDSA_WITH_SHA256 = {
    0x06, 0x08, 0x2a, (byte) 0x86, 0x48, (byte) 0xce, 0x3d, 0x04, 0x03, 0x02
  };

  /** 2.5.4.3. */
  private static final byte[] COMMON_NAME = {0x06, 0x03, 0x55, 0x04, 0x03};

  /** 2.5.29.17, subjectAltName. */
  private static final byte[] ALTERNATIVE_NAMES = {0x06, 0x03, 0x55, 0x1d, 0x11};

  private SelfSigned() {}

  /** Creates a key pair for such a certificate. */
  public static KeyPair keys(SecureRandom random) throws GeneralSecurityException {
    KeyPairGenerator generator = KeyPairGenerator.getInstance("EC");
    generator.initialize(new ECGenParameterSpec("secp256r1"), random);
    return generator.generateKeyPair();
  }

  /**
   * @param name the common name, for people who inspect traffic
   * @param alternatives host names and IP addresses of the subject, for peers that check names
   */
  public static X509Certificate certificate(
      KeyPair keys, String name, Collection<String> alternatives, SecureRandom random)
      throws GeneralSecurityException {
    byte[] algorithm = tagged(SEQUENCE, ECDSA_WITH_SHA256);
    byte[] subject =
        tagged(
            SEQUENCE, tagged(SET, tagged(SEQUENCE, COMMON_NAME, tagged(UTF8_STRING, bytes(name)))));
    byte[] validity =
        tagged(
            SEQUENCE,
            tagged(UTC_TIME, bytes("700101000000Z")),
            tagged(GENERALIZED_TIME, bytes("99991231235959Z")));
    byte[] serial = new BigInteger(64, random).setBit(63).toByteArray();
    byte[] version3 = {2};
    byte[] none = {};
    byte[] toBeSigned =
        tagged(
            SEQUENCE,
            alternatives.isEmpty() ? none : tagged(VERSION, tagged(INTEGER, version3)),
            tagged(INTEGER, serial),
            algorithm,
            subject, // The issuer.
            validity,
            subject,
            keys.getPublic().getEncoded(),
            alternatives.isEmpty() ? none : extensions(alternatives));
    Signature signature = Signature.getInstance("SHA256withECDSA");
    signature.initSign(keys.getPrivate(), random);
    signature.update(toBeSigned);
    byte[] noUnusedBits = {0};
    byte[] certificate =
        tagged(SEQUENCE, toBeSigned, algorithm, tagged(BIT_STRING, noUnusedBits, signature.sign()));
    return (X509Certificate)
        CertificateFactory.getInstance("X.509")
            .generateCertificate(new ByteArrayInputStream(certificate));
  }

  private static byte[] extensions(Collection<String> alternatives) {
    byte[][] names = alternatives.stream().map(SelfSigned::generalName).toArray(byte[][]::new);
    byte[] extension =
        tagged(SEQUENCE, ALTERNATIVE_NAMES, tagged(OCTET_STRING, tagged(SEQUENCE, names)));
    return tagged(EXTENSIONS, tagged(SEQUENCE, extension));
  }

  private static byte[] generalName(String name) {
    try {
      return tagged(IP_ADDRESS, InetAddress.ofLiteral(name).getAddress());
    } catch (IllegalArgumentException e) {
      return tagged(DNS_NAME, bytes(name));
    }
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  /** One DER element: tag, length, parts. */
  private static byte[] tagged(int tag, byte[]... parts) {
    int length = 0;
    for (byte[] part : parts) {
      length += part.length;
    }
    ByteArrayOutputStream out = new ByteArrayOutputStream(length + 4);
    out.write(tag);
    if (length < 0x80) {
      out.write(length);
    } else if (length < 0x100) {
      out.write(0x81);
      out.write(length);
    } else {
      out.write(0x82);
      out.write(length >> 8);
      out.write(length & 0xff);
    }
    for (byte[] part : parts) {
      out.writeBytes(part);
    }
    return out.toByteArray();
  }
}
