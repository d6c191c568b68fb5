package io.cascade.client.sealed;

import java.io.IOException;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.security.SecureRandom;
import java.util.Arrays;
import org.bouncycastle.crypto.CryptoException;
import org.bouncycastle.crypto.agreement.ecjpake.ECJPAKECurve;
import org.bouncycastle.crypto.agreement.ecjpake.ECJPAKECurves;
import org.bouncycastle.crypto.agreement.ecjpake.ECJPAKEParticipant;
import org.bouncycastle.crypto.agreement.ecjpake.ECJPAKERound1Payload;
import org.bouncycastle.crypto.agreement.ecjpake.ECJPAKERound2Payload;
import org.bouncycastle.crypto.agreement.ecjpake.ECSchnorrZKP;
import org.bouncycastle.crypto.digests.SHA256Digest;
import org.bouncycastle.math.ec.ECPoint;

/**
 * One end of EC-JPAKE over P-256 (RFC 8236 section 3): two rounds, after which both ends have the
 * same key if they began with the same secret. An end that has another secret learns nothing about
 * this one. Not thread-safe. An end makes each round before it takes the other end's.
 *
 * <p>Every payload has a fixed length: points are uncompressed (65 bytes), numbers big-endian (32
 * bytes), a proof is a point and a number.
 */
final class KeyAgreement {
  /** Two points, and a proof of each. */
  static final int ROUND_1_BYTES = 324;

  /** A point and its proof. */
  static final int ROUND_2_BYTES = 162;

  private static final ECJPAKECurve CURVE = ECJPAKECurves.NIST_P256;
  private static final int POINT_BYTES = 65;
  private static final int NUMBER_BYTES = 32;
  private static final byte UNCOMPRESSED = 4;

  /** Bouncy Castle has no public constructor for a proof received from the other end. */
  private static final MethodHandle PROOF = proofs();

  private static MethodHandle proofs() {
    try {
      return MethodHandles.privateLookupIn(ECSchnorrZKP.class, MethodHandles.lookup())
          .findConstructor(
              ECSchnorrZKP.class,
              MethodType.methodType(void.class, ECPoint.class, BigInteger.class));
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException("another version of Bouncy Castle", e);
    }
  }

  /**
   * Ends of the exchange. Proofs name the role, so that a message cannot be reflected to its
   * sender.
   */
  enum Role {
    SENDER,
    RECEIVER;

    private Role other() {
      return this == SENDER ? RECEIVER : SENDER;
    }
  }

  private final Role role;
  private final ECJPAKEParticipant self;

  KeyAgreement(Role role, Secret secret) {
    this.role = role;
    this.self =
        new ECJPAKEParticipant(
            role.name(), secret.password(), CURVE, SHA256Digest.newInstance(), new SecureRandom());
  }

  byte[] round1() {
    ECJPAKERound1Payload made = self.createRound1PayloadToSend();
    ByteBuffer into = ByteBuffer.allocate(ROUND_1_BYTES);
    put(into, made.getGx1());
    put(into, made.getGx2());
    put(into, made.getKnowledgeProofForX1());
    put(into, made.getKnowledgeProofForX2());
    return into.array();
  }

  /**
   * @throws IOException where the bytes are not a valid round
   */
  void takeRound1(ByteBuffer from) throws IOException {
    try {
      ECPoint first = point(from);
      ECPoint second = point(from);
      self.validateRound1PayloadReceived(
          new ECJPAKERound1Payload(role.other().name(), first, second, proof(from), proof(from)));
    } catch (CryptoException | IllegalArgumentException e) {
      throw new IOException("round 1 is not valid", e);
    }
  }

  byte[] round2() {
    ECJPAKERound2Payload made = self.createRound2PayloadToSend();
    ByteBuffer into = ByteBuffer.allocate(ROUND_2_BYTES);
    put(into, made.getA());
    put(into, made.getKnowledgeProofForX2s());
    return into.array();
  }

  /**
   * @throws IOException where the bytes are not a valid round
   */
  void takeRound2(ByteBuffer from) throws IOException {
    try {
      ECPoint made = point(from);
      self.validateRound2PayloadReceived(
          new ECJPAKERound2Payload(role.other().name(), made, proof(from)));
    } catch (CryptoException | IllegalArgumentException e) {
      throw new IOException("round 2 is not valid", e);
    }
  }

  /** The shared material of 32 bytes; only keys derived from it may be used. */
  byte[] material() {
    return number(self.calculateKeyingMaterial());
  }

  private static void put(ByteBuffer into, ECPoint point) {
    into.put(point.getEncoded(false));
  }

  private static void put(ByteBuffer into, ECSchnorrZKP proof) {
    put(into, proof.getV());
    into.put(number(proof.getr()));
  }

  /**
   * Decodes a point, which is on the curve and not at infinity, whose encoding has another length.
   */
  private static ECPoint point(ByteBuffer from) {
    byte[] encoded = new byte[POINT_BYTES];
    from.get(encoded);
    if (encoded[0] != UNCOMPRESSED) {
      throw new IllegalArgumentException("not an uncompressed point");
    }
    return CURVE.getCurve().decodePoint(encoded);
  }

  private static ECSchnorrZKP proof(ByteBuffer from) {
    ECPoint commitment = point(from);
    byte[] number = new byte[NUMBER_BYTES];
    from.get(number);
    try {
      return (ECSchnorrZKP) PROOF.invoke(commitment, new BigInteger(1, number));
    } catch (RuntimeException | Error e) {
      throw e;
    } catch (Throwable e) {
      throw new IllegalStateException(e);
    }
  }

  private static byte[] number(BigInteger value) {
    byte[] bytes = value.toByteArray(); // toByteArray adds a sign byte if the highest bit is set.
    byte[] fixed = new byte[NUMBER_BYTES];
    int length = Math.min(bytes.length, NUMBER_BYTES);
    System.arraycopy(bytes, bytes.length - length, fixed, NUMBER_BYTES - length, length);
    Arrays.fill(bytes, (byte) 0);
    return fixed;
  }
}
