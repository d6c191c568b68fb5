package io.cascade.coding.crypto;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import javax.crypto.KDF;
import javax.crypto.Mac;
import javax.crypto.SecretKey;
import javax.crypto.spec.HKDFParameterSpec;
import javax.crypto.spec.SecretKeySpec;

/** HKDF (RFC 5869) and HMAC with SHA-256, by the JDK. */
public final class Hkdf {
  static final int HASH_BYTES = 32;
  private static final String MAC = "HmacSHA256";

  private Hkdf() {}

  /**
   * Extracts a key from a secret, RFC 5869 section 2.2.
   *
   * @param salt may be empty
   * @param secret of any length
   */
  public static byte[] extract(byte[] salt, byte[] secret) {
    return derive(HKDFParameterSpec.ofExtract().addSalt(salt).addIKM(secret).extractOnly());
  }

  /**
   * Expands a key, RFC 5869 section 2.3.
   *
   * @param label purpose of the result
   * @param context data that the result depends on
   */
  public static byte[] expand(byte[] key, String label, byte[] context, int bytes) {
    byte[] name = ("cascade " + label).getBytes(StandardCharsets.US_ASCII);
    byte[] info = new byte[name.length + 1 + context.length];
    System.arraycopy(name, 0, info, 0, name.length);
    System.arraycopy(context, 0, info, name.length + 1, context.length);
    SecretKey from = new SecretKeySpec(key, "Generic");
    return derive(HKDFParameterSpec.expandOnly(from, info, bytes));
  }

  private static byte[] derive(HKDFParameterSpec how) {
    try {
      return KDF.getInstance("HKDF-SHA256").deriveData(how);
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("HKDF-SHA256 is part of every JDK", e);
    }
  }

  /** HMAC of the concatenated parts. */
  public static byte[] mac(byte[] key, byte[]... parts) {
    try {
      Mac mac = Mac.getInstance(MAC);
      mac.init(new SecretKeySpec(key, MAC));
      for (byte[] part : parts) {
        mac.update(part);
      }
      return mac.doFinal();
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(MAC + " is part of every JDK", e);
    }
  }
}
