package io.cascade.orchestrator.relays;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cascade.api.client.BoundedExchange.Bounds;
import io.cascade.orchestrator.time.ManualTime;
import jakarta.websocket.RemoteEndpoint;
import jakarta.websocket.Session;
import java.io.IOException;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class ControlConnectionSendsTest {
  @Test
  void aCallOverAConnectionThatIsBrokenFailsAsAnyThatIsNotAnswered() {
    RemoteEndpoint.Basic broken =
        fake(
            RemoteEndpoint.Basic.class,
            (_, _, _) -> {
              throw new IllegalStateException("the remote endpoint was in state [CLOSED]");
            });
    Session session =
        fake(
            Session.class,
            (_, method, _) -> method.getName().equals("getBasicRemote") ? broken : null);
    ControlConnection connection =
        new ControlConnection(session, UUID.randomUUID(), ManualTime.running().timekeeper());

    assertThatThrownBy(() ->
            connection
                .calls()
                .send("GET", "/control/v1/health", null, new Bounds(Duration.ofSeconds(5), 1_000)))
        .isInstanceOf(IOException.class)
        .hasMessage("the control connection has ended");
  }

  private static <T> T fake(Class<T> type, InvocationHandler answers) {
    return type.cast(
        Proxy.newProxyInstance(
            ControlConnectionSendsTest.class.getClassLoader(), new Class<?>[] {type}, answers));
  }
}
