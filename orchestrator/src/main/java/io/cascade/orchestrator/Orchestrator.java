package io.cascade.orchestrator;

import io.cascade.api.identity.KeyPins;
import io.cascade.command.CommandException;
import io.cascade.command.ListenFailure;
import io.cascade.model.calibration.Exploration;
import io.cascade.orchestrator.relays.ForgetLost;
import io.cascade.orchestrator.relays.Heartbeats;
import io.cascade.orchestrator.security.Access;
import io.cascade.orchestrator.security.OidcIssuer;
import io.cascade.orchestrator.store.PostgresServer;
import io.cascade.orchestrator.store.StateDirectory;
import io.cascade.orchestrator.time.Jitter;
import io.cascade.orchestrator.time.Timekeeper;
import io.cascade.orchestrator.tls.ServerCertificate;
import io.cascade.orchestrator.tls.ServerUrls;
import java.net.BindException;
import java.net.InetAddress;
import java.net.URI;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.Banner;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.ssl.DefaultSslBundleRegistry;
import org.springframework.boot.web.server.PortInUseException;
import org.springframework.boot.web.server.servlet.context.ServletWebServerApplicationContext;
import org.springframework.context.ApplicationContextInitializer;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.event.ContextClosedEvent;
import org.springframework.context.support.GenericApplicationContext;

/** A running orchestrator. */
public final class Orchestrator implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Orchestrator.class);

  private final ServletWebServerApplicationContext context;
  private final URI address;
  private final CountDownLatch closed;

  private Orchestrator(
      ServletWebServerApplicationContext context, URI address, CountDownLatch closed) {
    this.context = context;
    this.address = address;
    this.closed = closed;
  }

  /**
   * Returns when it serves.
   *
   * @throws CommandException when the settings do not allow it to
   */
  public static Orchestrator start(Settings settings) {
    InetAddress listen = Access.listen(settings.host());
    Access access = Access.of(settings.token(), listen);
    StateDirectory state = new StateDirectory(settings.stateDirectory());
    boolean tls = settings.tls().isServed(listen.isLoopbackAddress());
    ServerUrls urls = new ServerUrls(listen, settings.tls().advertise(), tls);
    ServerCertificate certificate =
        tls ? ServerCertificate.of(settings.tls(), state.folder("tls"), names(urls)) : null;
    CountDownLatch closed = new CountDownLatch(1);
    try {
      ConfigurableApplicationContext context =
          new SpringApplicationBuilder(OrchestratorApplication.class)
              .web(WebApplicationType.SERVLET)
              .bannerMode(Banner.Mode.OFF)
              .logStartupInfo(false)
              .properties(properties(listen, settings.port(), tls))
              .initializers(beans(settings, state, access))
              .initializers(tlsBeans(urls, certificate))
              .listeners(event -> {
                if (event instanceof ContextClosedEvent) {
                  closed.countDown();
                }
              })
              .run();
      ServletWebServerApplicationContext web = (ServletWebServerApplicationContext) context;
      int port = Objects.requireNonNull(web.getWebServer()).getPort();
      if (!tls && !listen.isLoopbackAddress()) {
        LOG.warn(
            "plain HTTP beyond this machine: whoever is on the way can read and change keys, tokens"
                + " and what relays are told (--tls off)");
      }
      return new Orchestrator(web, address(urls, port, certificate), closed);
    } catch (RuntimeException e) {
      throw startFailure(settings, e);
    }
  }

  /** For those who check names, where clients that pin keys do not. */
  private static List<String> names(ServerUrls urls) {
    return Stream.concat(urls.hosts().stream(), Stream.of("localhost", "127.0.0.1", "::1"))
        .distinct()
        .toList();
  }

  private static Map<String, Object> properties(InetAddress listen, int port, boolean tls) {
    Map<String, Object> properties = new HashMap<>(properties(listen, port));
    if (tls) {
      properties.put("server.ssl.bundle", ServerCertificate.BUNDLE);
    }
    return properties;
  }

  private static Map<String, Object> properties(InetAddress listen, int port) {
    return Map.ofEntries(
        Map.entry("server.address", listen.getHostAddress()),
        Map.entry("server.port", port),
        Map.entry("server.shutdown", "graceful"),
        Map.entry("spring.lifecycle.timeout-per-shutdown-phase", "5s"),
        Map.entry("spring.threads.virtual.enabled", true),
        Map.entry("spring.main.keep-alive", false),
        Map.entry("spring.jmx.enabled", false),
        Map.entry("spring.web.resources.add-mappings", false),
        // For the next byte of a request, and for a client to take some of its answer.
        Map.entry("server.tomcat.connection-timeout", "20s"),
        // Longer than the idle connections of the JDK's client live, so that it is never the server
        // that closes one just when a relay sends its heartbeat on it.
        Map.entry("server.tomcat.keep-alive-timeout", "65s"),
        Map.entry("server.tomcat.max-keep-alive-requests", -1),
        // What is too large is read and dropped up to here, or its sender would see a reset in the
        // place of the answer that says so.
        Map.entry("server.tomcat.max-swallow-size", "16MB"),
        Map.entry("logging.config", "classpath:io/cascade/orchestrator/logback.xml"));
  }

  private static ApplicationContextInitializer<GenericApplicationContext> tlsBeans(
      ServerUrls urls, @Nullable ServerCertificate certificate) {
    return context -> {
      context.registerBean(ServerUrls.class, () -> urls);
      if (certificate != null) {
        context.registerBean(DefaultSslBundleRegistry.class, certificate::registry);
        context.registerBean(
            ServerCertificate.class,
            () -> {
              certificate.watch();
              return certificate;
            });
      }
    };
  }

  private static ApplicationContextInitializer<GenericApplicationContext> beans(
      Settings settings, StateDirectory state, Access access) {
    return context -> {
      context.registerBean(Access.class, () -> access);
      context.registerBean(StateDirectory.class, () -> state);
      PostgresServer database = settings.database();
      if (database != null) {
        context.registerBean(PostgresServer.class, () -> database);
      }
      OidcIssuer oidc = settings.oidc();
      if (oidc != null) {
        context.registerBean(OidcIssuer.class, () -> oidc);
      }
      context.registerBean(
          Exploration.class, () -> new Exploration(settings.explore(), new Random()));
      context.registerBean(Jitter.class, () -> new Jitter(new Random()));
      context.registerBean(Heartbeats.class, () -> new Heartbeats(settings.heartbeat()));
      context.registerBean(ForgetLost.class, () -> new ForgetLost(settings.forgetLostAfter()));
      context.registerBean(
          Timekeeper.class, () -> new Timekeeper(settings.clock(), settings.nanos()));
    };
  }

  private static URI address(ServerUrls urls, int port, @Nullable ServerCertificate certificate) {
    KeyPins pins = certificate == null ? null : certificate.pins();
    return URI.create(urls.local(port) + (pins == null ? "" : "#" + pins));
  }

  private static RuntimeException startFailure(Settings settings, RuntimeException failure) {
    for (Throwable at = failure; at != null; at = at.getCause()) {
      if (at instanceof CommandException known) {
        return known;
      }
      if (at instanceof PortInUseException) {
        return new CommandException(
            settings.host()
                + ":"
                + settings.port()
                + ": the port is taken; give another with --listen, or stop who has it",
            failure);
      }
      if (at instanceof BindException bind) {
        return new CommandException(
            settings.host() + ":" + settings.port() + ": " + ListenFailure.words(bind), failure);
      }
    }
    return failure;
  }

  /**
   * Address to connect to from this machine, such as {@code http://127.0.0.1:7400}, with the pins
   * of its keys where it shows some.
   */
  public URI address() {
    return address;
  }

  /** Returns a bean, for tests that look inside. */
  <T> T bean(Class<T> type) {
    return context.getBean(type);
  }

  /** Waits until it was told to stop. */
  public void awaitClose() throws InterruptedException {
    closed.await();
  }

  /** Lets requests end for some seconds. Chains stay on their relays. */
  @Override
  public void close() {
    context.close();
  }
}
