package io.cascade.orchestrator.relays;

import io.cascade.api.identity.ControlProof;
import io.cascade.orchestrator.problems.Refusal;
import io.cascade.orchestrator.security.Caller;
import io.cascade.orchestrator.security.ScopeCheck;
import io.cascade.orchestrator.time.Timekeeper;
import jakarta.servlet.ServletContext;
import jakarta.websocket.CloseReason;
import jakarta.websocket.CloseReason.CloseCodes;
import jakarta.websocket.DeploymentException;
import jakarta.websocket.Endpoint;
import jakarta.websocket.EndpointConfig;
import jakarta.websocket.HandshakeResponse;
import jakarta.websocket.Session;
import jakarta.websocket.server.HandshakeRequest;
import jakarta.websocket.server.ServerContainer;
import jakarta.websocket.server.ServerEndpointConfig;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.stereotype.Component;

/**
 * Accepts the control connections of relays. The request has passed the filters, as all others, but
 * reaches no controller, so this class checks the caller's scopes.
 */
@Component
final class ControlEndpoint extends Endpoint implements SmartInitializingSingleton {
  static final String PATH = "/api/v1/relays/{name}/control";

  /** RFC 6455, section 5.5: at most 125 bytes including the code. */
  private static final int MOST_REASON = 120;

  /**
   * Property of Tomcat's sessions: time that a close frame with an error code may take to be sent,
   * in milliseconds. The default of 50 ms is too short on a busy machine to finish a ping that is
   * under way; the connection would end without the frame.
   */
  private static final String CLOSE_SEND_TIMEOUT =
      "org.apache.tomcat.websocket.ABNORMAL_SESSION_CLOSE_SEND_TIMEOUT";

  private static final long CLOSE_SEND_MILLIS = 5_000;

  private static final String CONNECTION = "cascade.connection";
  private static final String CALLER = "cascade.caller";

  private final ServletContext context;
  private final RelayRegistry registry;
  private final ControlConnections connections;
  private final ScopeCheck scopes;
  private final Timekeeper time;

  ControlEndpoint(
      ServletContext context,
      RelayRegistry registry,
      ControlConnections connections,
      ScopeCheck scopes,
      Timekeeper time) {
    this.context = context;
    this.registry = registry;
    this.connections = connections;
    this.scopes = scopes;
    this.time = time;
  }

  @Override
  public void afterSingletonsInstantiated() {
    ServerContainer container =
        (ServerContainer) context.getAttribute(ServerContainer.class.getName());
    if (container == null) {
      return; // a test without a server
    }
    try {
      container.addEndpoint(
          ServerEndpointConfig.Builder.create(ControlEndpoint.class, PATH)
              .configurator(
                  new ServerEndpointConfig.Configurator() {
                    @Override
                    public <T> T getEndpointInstance(Class<T> type) {
                      return type.cast(ControlEndpoint.this);
                    }

                    @Override
                    public void modifyHandshake(
                        ServerEndpointConfig config,
                        HandshakeRequest request,
                        HandshakeResponse response) {
                      config.getUserProperties().put(CALLER, Caller.current());
                    }
                  })
              .build());
    } catch (DeploymentException e) {
      throw new IllegalStateException(e);
    }
  }

  @Override
  public void onOpen(Session session, EndpointConfig config) {
    session.getUserProperties().put(CLOSE_SEND_TIMEOUT, CLOSE_SEND_MILLIS);
    String name = session.getPathParameters().getOrDefault("name", "");
    try {
      Caller caller = (Caller) config.getUserProperties().get(CALLER);
      scopes.check("GET", PATH, Objects.requireNonNull(caller), name);
      ControlProof proof = proof(session.getRequestParameterMap());
      RegisteredRelay relay = registry.connected(name, proof);
      ControlConnection connection = new ControlConnection(session, relay.instance(), time);
      session.getUserProperties().put(CONNECTION, connection);
      connections.opened(relay, connection);
    } catch (Refusal | IllegalArgumentException e) {
      ControlConnection.close(
          session, CloseCodes.VIOLATED_POLICY, shortened(String.valueOf(e.getMessage())));
    }
  }

  @Override
  public void onClose(Session session, CloseReason reason) {
    if (session.getUserProperties().get(CONNECTION) instanceof ControlConnection connection) {
      connections.ended(session.getPathParameters().getOrDefault("name", ""), connection, reason);
    }
  }

  /** Does nothing: the cause is reported when the connection is closed. */
  @Override
  public void onError(Session session, Throwable failure) {}

  private static ControlProof proof(Map<String, List<String>> parameters) {
    try {
      return new ControlProof(
          UUID.fromString(one(parameters, "instance")),
          Long.parseLong(one(parameters, "sequence")),
          one(parameters, "signature"));
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException("sequence: not a number", e);
    }
  }

  private static String one(Map<String, List<String>> parameters, String name) {
    List<String> values = parameters.getOrDefault(name, List.of());
    if (values.size() != 1) {
      throw new IllegalArgumentException(
          name + ": given " + values.size() + " times (expected: 1)");
    }
    return values.getFirst();
  }

  private static String shortened(String reason) {
    return reason.length() <= MOST_REASON ? reason : reason.substring(0, MOST_REASON);
  }
}
