package io.cascade.carriage.tls;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.SecureRandom;
import java.security.Signature;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;

/**
 * Writes the one kind of certificate that relays show each other: a version 1 certificate (RFC 5280
 * section 4.1, basic fields only) over a P-256 key, signed by itself with ECDSA and SHA-256.
 *
 * <p>It is valid for ever (section 4.1.2.5 gives the year 9999 for that): it is known by its
 * fingerprint and dies with its process, so that no clocks have to agree.
 */
final class SelfSigned {
  private static final int INTEGER = 0x02;
  private static final int BIT_STRING = 0x03;
  private static final int UTF8_STRING = 0x0c;
  private static final int UTC_TIME = 0x17;
  private static final int GENERALIZED_TIME = 0x18;
  private static final int SEQUENCE = 0x30;
  private static final int SET = 0x31;

  /** 1.2.840.10045.4.3.2, RFC 5758 section 3.2. */
  private static final byte[] ECDSA_WITH_SHA256 = {
    0x06, 0x08, 0x2a, (byte) 0x86, 0x48, (byte) 0xce, 0x3d, 0x04, 0x03, 0x02
  };

  /** 2.5.4.3. */
  private static final byte[] COMMON_NAME = {0x06, 0x03, 0x55, 0x04, 0x03};

  private SelfSigned() {}

  /**
   * @param name the common name, for people who look at the traffic
   */
  static X509Certificate certificate(KeyPair keys, String name, SecureRandom random)
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
    byte[] toBeSigned =
        tagged(
            SEQUENCE,
            tagged(INTEGER, serial),
            algorithm,
            subject, // the issuer
            validity,
            subject,
            keys.getPublic().getEncoded());
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
