package io.cascade.api.identity;

import io.cascade.api.orchestrator.EnrolmentRequest;
import io.cascade.api.orchestrator.GatewayReport;
import io.cascade.api.orchestrator.Heartbeat;
import io.cascade.api.orchestrator.RelayRegistration;
import io.cascade.api.orchestrator.SplitterReport;
import io.cascade.command.Digests;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.Signature;
import java.security.spec.X509EncodedKeySpec;
import java.util.Base64;

/** Verifies signatures of relays, gateways and splitters. */
public final class RelayProof {
  private RelayProof() {}

  /** Whether the registration is signed with the key that it names. */
  public static boolean holds(RelayRegistration registration) {
    return verifies(
        registration.publicKey(), SignedBytes.of(registration), registration.signature());
  }

  /**
   * Whether the relay's heartbeat is signed with this key, in the form of this version or of the
   * previous one, which did not sign measurements.
   */
  public static boolean holds(String publicKey, String relay, Heartbeat heartbeat) {
    String signature = heartbeat.signature();
    return verifies(publicKey, SignedBytes.of(relay, heartbeat), signature)
        || verifies(publicKey, SignedBytes.ofVersionBefore(relay, heartbeat), signature);
  }

  /**
   * Whether the proof with which the relay opens its control connection is signed with this key.
   */
  public static boolean holds(String publicKey, String relay, ControlProof proof) {
    return verifies(publicKey, SignedBytes.of(relay, proof), proof.signature());
  }

  /** Whether the gateway's report is signed with the key that it names. */
  public static boolean holds(String gateway, GatewayReport report) {
    return verifies(report.publicKey(), SignedBytes.of(gateway, report), report.signature());
  }

  /** Whether the splitter's report is signed with the key that it names. */
  public static boolean holds(String splitter, SplitterReport report) {
    return verifies(report.publicKey(), SignedBytes.of(splitter, report), report.signature());
  }

  /** Whether the acceptance of the invitation is signed with the key that the request names. */
  public static boolean holds(InvitationSecret invitation, EnrolmentRequest request) {
    return verifies(request.publicKey(), SignedBytes.of(invitation, request), request.signature());
  }

  /** A short name of a key for people: {@code SHA256:} and the first 16 digits of its digest. */
  public static String fingerprint(String publicKey) {
    return "SHA256:" + Digests.sha256(publicKey).substring(0, 16);
  }

  static boolean verifies(String publicKey, byte[] message, String signature) {
    try {
      X509EncodedKeySpec key = new X509EncodedKeySpec(Base64.getDecoder().decode(publicKey));
      Signature verifying = Signature.getInstance(RelayKey.ALGORITHM);
      verifying.initVerify(KeyFactory.getInstance(RelayKey.ALGORITHM).generatePublic(key));
      verifying.update(message);
      return verifying.verify(Base64.getDecoder().decode(signature));
    } catch (GeneralSecurityException | IllegalArgumentException e) {
      return false; // an invalid key or signature proves nothing
    }
  }
}
