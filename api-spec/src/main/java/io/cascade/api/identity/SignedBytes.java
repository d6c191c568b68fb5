package io.cascade.api.identity;

import io.cascade.api.orchestrator.Endpoint;
import io.cascade.api.orchestrator.EnrolmentRequest;
import io.cascade.api.orchestrator.GatewayReport;
import io.cascade.api.orchestrator.Heartbeat;
import io.cascade.api.orchestrator.RelayRegistration;
import io.cascade.api.orchestrator.SplitterReport;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The bytes that a relay signs, as the contract's schema {@code Signature} describes them. Lengths
 * stand before all texts, so that no two messages have the same bytes, and every message begins
 * with its kind, so that none can pass for another kind.
 */
final class SignedBytes {
  private final ByteArrayOutputStream bytes = new ByteArrayOutputStream(512);

  private SignedBytes(String kind) {
    add(kind);
  }

  static byte[] of(RelayRegistration registration) {
    SignedBytes signed = new SignedBytes("cascade relay registration");
    Double price = registration.pricePerGib();
    signed.add(registration.name());
    signed.add(registration.site());
    signed.add(registration.instance());
    signed.add(registration.version());
    signed.addEndpoint(registration.control());
    signed.add(registration.hop());
    signed.add(registration.capacityBitsPerSecond());
    signed.add(price == null ? null : Double.doubleToLongBits(price));
    signed.add(registration.congestionControl());
    signed.add(registration.congestionControls());
    signed.add(registration.hopSecurity());
    signed.add(registration.certificateSha256());
    signed.add(registration.sendBufferBytes());
    signed.add(registration.receiveBufferBytes());
    signed.add(registration.coded());
    Endpoint rendezvous = registration.rendezvous();
    if (rendezvous != null) { // relays that know nothing of it sign without
      signed.add(rendezvous);
    }
    signed.add(registration.publicKey());
    signed.add(registration.generation());
    signed.add(registration.sequence());
    return signed.bytes.toByteArray();
  }

  static byte[] of(String relay, Heartbeat heartbeat) {
    SignedBytes signed = new SignedBytes("cascade relay heartbeat");
    signed.add(relay);
    signed.add(heartbeat.instance());
    signed.add(heartbeat.sequence());
    signed.add(heartbeat.draining());
    signed.add(heartbeat.runningStreams());
    signed.add(heartbeat.heldBytes());
    if (heartbeat.stopping() != null) { // relays and orchestrators that know nothing of it
      signed.add(heartbeat.stopping());
    }
    return signed.bytes.toByteArray();
  }

  static byte[] of(String relay, ControlProof proof) {
    SignedBytes signed = new SignedBytes("cascade relay control connection");
    signed.add(relay);
    signed.add(proof.instance());
    signed.add(proof.sequence());
    return signed.bytes.toByteArray();
  }

  static byte[] of(String gateway, GatewayReport report) {
    SignedBytes signed = new SignedBytes("cascade gateway report");
    Endpoint listen = report.listen();
    signed.add(gateway);
    signed.add(report.instance());
    signed.add(report.publicKey());
    signed.add(report.sequence());
    signed.addEndpoint(listen);
    signed.add(report.tun());
    return signed.bytes.toByteArray();
  }

  static byte[] of(String splitter, SplitterReport report) {
    SignedBytes signed = new SignedBytes("cascade splitter report");
    signed.add(splitter);
    signed.add(report.instance());
    signed.add(report.publicKey());
    signed.add(report.sequence());
    return signed.bytes.toByteArray();
  }

  static byte[] of(InvitationSecret invitation, EnrolmentRequest request) {
    SignedBytes signed = new SignedBytes("cascade enrolment");
    signed.add(invitation.digest());
    signed.add(request.name());
    signed.add(request.role());
    signed.add(request.publicKey());
    return signed.bytes.toByteArray();
  }

  private void addEndpoint(@Nullable Endpoint endpoint) {
    if (endpoint == null) {
      add((Object) null);
    } else {
      add(endpoint);
    }
  }

  private void add(Endpoint endpoint) {
    add(endpoint.host());
    add(endpoint.port());
  }

  private void add(@Nullable List<String> items) {
    add(items == null ? null : items.size());
    if (items != null) {
      items.forEach(this::add);
    }
  }

  private void add(@Nullable Object value) {
    if (value == null) {
      bytes.writeBytes(length(-1));
    } else {
      byte[] text = value.toString().getBytes(StandardCharsets.UTF_8);
      bytes.writeBytes(length(text.length));
      bytes.writeBytes(text);
    }
  }

  private static byte[] length(int length) {
    return ByteBuffer.allocate(Integer.BYTES).putInt(length).array();
  }
}
