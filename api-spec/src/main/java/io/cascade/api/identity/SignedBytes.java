package io.cascade.api.identity;

import io.cascade.api.orchestrator.Endpoint;
import io.cascade.api.orchestrator.EnrolmentRequest;
import io.cascade.api.orchestrator.GatewayReport;
import io.cascade.api.orchestrator.Heartbeat;
import io.cascade.api.orchestrator.RelayRegistration;
import io.cascade.api.orchestrator.SplitterReport;
import java.io.ByteArrayOutputStream;
import java.lang.reflect.Method;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The bytes that a relay signs, as the contract's schema {@code Signature} describes them. Every
 * text is preceded by its length, so that no two messages have the same bytes, and every message
 * begins with its kind, so that none can be taken for another kind.
 */
final class SignedBytes {
  private static final Set<String> UNSIGNED = Set.of("signature");

  /**
   * Properties of each record, cached: a look-up creates new ones, and an orchestrator verifies
   * hundreds of messages.
   */
  private static final ClassValue<List<Property>> SIGNED =
      new ClassValue<>() {
        @Override
        protected List<Property> computeValue(Class<?> message) {
          return Arrays.stream(message.getRecordComponents())
              .filter(component -> !UNSIGNED.contains(component.getName()))
              .map(component -> new Property(component.getName(), component.getAccessor()))
              .toList();
        }
      };

  private record Property(String name, Method accessor) {
    private @Nullable Object of(Record message) {
      try {
        return accessor.invoke(message);
      } catch (ReflectiveOperationException e) {
        throw new IllegalStateException("the contract's records are public", e);
      }
    }
  }

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
    if (rendezvous != null) { // relays of versions that lack it sign without it
      signed.add(rendezvous);
    }
    signed.add(registration.publicKey());
    signed.add(registration.generation());
    signed.add(registration.sequence());
    return signed.bytes.toByteArray();
  }

  static byte[] of(String relay, Heartbeat heartbeat) {
    return of("cascade relay heartbeat", relay, heartbeat);
  }

  static byte[] ofVersionBefore(String relay, Heartbeat heartbeat) {
    SignedBytes signed = new SignedBytes("cascade relay heartbeat");
    signed.add(relay);
    signed.add(heartbeat.instance());
    signed.add(heartbeat.sequence());
    signed.add(heartbeat.draining());
    signed.add(heartbeat.runningStreams());
    signed.add(heartbeat.heldBytes());
    if (heartbeat.stopping() != null) {
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
    return of("cascade gateway report", gateway, report);
  }

  static byte[] of(String splitter, SplitterReport report) {
    return of("cascade splitter report", splitter, report);
  }

  private static byte[] of(String kind, String sender, Record message) {
    SignedBytes signed = new SignedBytes(kind);
    signed.add(sender);
    signed.addContents(message);
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

  /**
   * Adds the properties that are present, except the signature. A property that a later version
   * adds belongs to {@link #UNSIGNED} until the previous version knows it, too, since that version
   * leaves out unknown properties.
   */
  private void addContents(Record message) {
    Map<String, Object> present = new LinkedHashMap<>();
    for (Property property : SIGNED.get(message.getClass())) {
      Object value = property.of(message);
      if (value != null) {
        present.put(property.name(), value);
      }
    }
    add(present.size());
    present.forEach((name, value) -> {
      add(name);
      addValue(value);
    });
  }

  private void addValue(@Nullable Object value) {
    switch (value) {
      case null -> add((Object) null);
      case Record inner -> addContents(inner);
      case List<?> items -> {
        add(items.size());
        items.forEach(this::addValue);
      }
      default -> add(value);
    }
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
