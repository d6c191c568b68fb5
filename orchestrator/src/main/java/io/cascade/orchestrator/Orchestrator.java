package io.cascade.orchestrator;

import io.cascade.api.identity.KeyPins;
import io.cascade.command.CommandException;
import io.cascade.command.ListenFailure;
import io.cascade.model.calibration.Exploration;
import io.cascade.orchestrator.chains.ChainQuota;
import io.cascade.orchestrator.leadership.Leadership;
import io.cascade.orchestrator.leadership.Tenure;
import io.cascade.orchestrator.relays.ForgetLost;
import io.cascade.orchestrator.relays.HeartbeatIntervals;
import io.cascade.orchestrator.security.Access;
import io.cascade.orchestrator.security.OidcIssuer;
import io.cascade.orchestrator.security.Strangers;
import io.cascade.orchestrator.standby.StandbyApplication;
import io.cascade.orchestrator.store.LeadsNoMore;
import io.cascade.orchestrator.store.Migrations;
import io.cascade.orchestrator.store.StateDatabase;
import io.cascade.orchestrator.store.StateDirectory;
import io.cascade.orchestrator.time.Jitter;
import io.cascade.orchestrator.time.Timekeeper;
import io.cascade.orchestrator.tls.ClusterPins;
import io.cascade.orchestrator.tls.ServerCertificate;
import io.cascade.orchestrator.tls.ServerUrls;
import java.io.IOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.ServerSocket;
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
import org.springframework.context.support.GenericApplicationContext;

/**
 * A running orchestrator. While it leads it serves the application; on standby it serves answers
 * that name the leader. It switches whenever its tenure begins or ends.
 */
public final class Orchestrator implements AutoCloseable {
  private static final String LOG_CONFIGURATION = "io/cascade/orchestrator/logback.xml";
  private static final Logger LOG;

  static {
    // The database logs before Spring starts; Spring would set this file only for the application.
    System.setProperty("logback.configurationFile", LOG_CONFIGURATION);
    LOG = LoggerFactory.getLogger(Orchestrator.class);
  }

  private final Settings settings;
  private final InetAddress listen;
  private final Access access;
  private final StateDirectory state;
  private final ServerUrls urls;
  private final @Nullable ServerCertificate certificate;
  private final StateDatabase database;
  private final @Nullable ClusterPins clusterPins;
  private final Leadership leadership;
  private final Thread end = new Thread(this::close, "end");
  private final Thread changes =
      Thread.ofPlatform().daemon().name("changes").unstarted(this::change);
  private final CountDownLatch closed = new CountDownLatch(1);
  private int port;
  private boolean isClosing;
  private @Nullable Tenure tenure;
  private @Nullable ServletWebServerApplicationContext context;
  private @Nullable RuntimeException failure;

  private Orchestrator(Settings settings) {
    this.settings = settings;
    this.listen = Access.listen(settings.host());
    this.access = Access.of(settings.token(), listen);
    this.state = new StateDirectory(settings.stateDirectory());
    boolean tls = settings.tls().isServed(listen.isLoopbackAddress());
    this.urls = new ServerUrls(listen, settings.tls().advertise(), tls);
    this.certificate =
        tls ? ServerCertificate.of(settings.tls(), state.folder("tls"), names(urls)) : null;
    this.database = StateDatabase.open(state, settings.database());
    this.clusterPins =
        certificate != null && database.isShared()
            ? new ClusterPins(database.source(), certificate)
            : null;
    // The election publishes this port before the server listens on it.
    this.port = settings.port() == 0 && database.isShared() ? anyPort(listen) : settings.port();
    // An embedded database is open in one process only, so there is no standby to tell the URL.
    String reachedAt = database.isShared() ? reachedAt(urls, port) : "";
    this.leadership =
        new Leadership(
            database.elections(),
            !database.isShared(),
            () -> withPins(reachedAt),
            settings.nanos());
  }

  /**
   * Starts an orchestrator; returns once it serves.
   *
   * @throws CommandException when it cannot start with these settings
   */
  public static Orchestrator start(Settings settings) {
    Orchestrator started = null;
    try {
      started = new Orchestrator(settings);
      started.start();
      return started;
    } catch (RuntimeException | Error e) {
      if (started != null) {
        started.close();
      }
      if (e instanceof RuntimeException known) {
        throw startFailure(settings, known);
      }
      throw e;
    }
  }

  private void start() {
    if (certificate != null) {
      certificate.watch();
    } else if (!listen.isLoopbackAddress()) {
      LOG.warn(
          "plain HTTP beyond this machine: an on-path attacker can read and change keys, tokens and"
              + " orders to relays (--tls off)");
    }
    Migrations.runForSeat(database, settings.clock().instant());
    leadership.start();
    serve();
    if (clusterPins != null) {
      clusterPins.watch();
    }
    Runtime.getRuntime().addShutdownHook(end);
    changes.start();
  }

  /** Serves the application or the standby answers, on the same port as before. */
  private synchronized void serve() {
    if (isClosing) {
      return;
    }
    stopServing();
    Tenure now = leadership.tenure();
    if (tenure != null) {
      leadership.stoodDown();
      now = null;
    }
    tenure = now;
    ServletWebServerApplicationContext serving = now == null ? standBy() : lead(now);
    context = serving;
    port = Objects.requireNonNull(serving.getWebServer()).getPort();
  }

  private ServletWebServerApplicationContext standBy() {
    LOG.info("on standby");
    return run(StandbyApplication.class, null);
  }

  /**
   * Serves as leader. Falls back to standby if a shared database is unreachable or the seat was
   * lost.
   */
  private ServletWebServerApplicationContext lead(Tenure now) {
    try {
      Migrations.run(database, settings.clock().instant());
      ServletWebServerApplicationContext leading = run(OrchestratorApplication.class, now);
      LOG.info("leads in epoch {}", now.epoch());
      return leading;
    } catch (RuntimeException e) {
      boolean lost = !now.isHeld() || LeadsNoMore.isCauseOf(e);
      if (!database.isShared() || !(lost || StateDatabase.isAway(e))) {
        throw e;
      }
      LOG.warn(
          "cannot lead, since {}: {}",
          lost ? "leadership was lost meanwhile" : "the database does not answer",
          e.getMessage());
      leadership.stoodDown();
      tenure = null;
      return standBy();
    }
  }

  private void stopServing() {
    ConfigurableApplicationContext serving = context;
    context = null;
    if (serving != null) {
      serving.close();
    }
  }

  private void change() {
    try {
      while (leadership.awaitChange(tenure())) {
        serve();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (RuntimeException | Error e) { // else it keeps the seat without serving
      failure = e instanceof RuntimeException known ? known : new IllegalStateException(e);
      Thread.ofPlatform().name("end").start(this::close);
      LOG.error("stopping, since it cannot serve", e);
    }
  }

  private synchronized @Nullable Tenure tenure() {
    return tenure;
  }

  private ServletWebServerApplicationContext run(Class<?> application, @Nullable Tenure leading) {
    return (ServletWebServerApplicationContext)
        new SpringApplicationBuilder(application)
            .web(WebApplicationType.SERVLET)
            .bannerMode(Banner.Mode.OFF)
            .logStartupInfo(false)
            .registerShutdownHook(false)
            .properties(properties())
            .initializers(beans(leading))
            .run();
  }

  private static int anyPort(InetAddress listen) {
    try (ServerSocket free = new ServerSocket(0, 1, listen)) {
      return free.getLocalPort();
    } catch (IOException e) {
      throw new CommandException(listen.getHostAddress() + ": no free port (" + e + ")", e);
    }
  }

  private Map<String, Object> properties() {
    Map<String, Object> properties = new HashMap<>(properties(listen, port));
    if (certificate != null) {
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
        // This filter reads forms of any size before the sender is authenticated.
        Map.entry("spring.mvc.formcontent.filter.enabled", false),
        // Limits the wait for the next byte of a request, and for the client to read the answer.
        Map.entry("server.tomcat.connection-timeout", "20s"),
        // Longer than the JDK client keeps idle connections, so that the server never closes a
        // connection on which a relay is just sending its heartbeat.
        Map.entry("server.tomcat.keep-alive-timeout", "65s"),
        Map.entry("server.tomcat.max-keep-alive-requests", -1),
        Map.entry("server.tomcat.max-connections", Strangers.MOST_CONNECTIONS),
        // Larger request bodies are read and discarded up to this size; otherwise the sender would
        // see a reset instead of the answer that names the limit.
        Map.entry("server.tomcat.max-swallow-size", "16MB"),
        Map.entry("logging.config", "classpath:" + LOG_CONFIGURATION));
  }

  /**
   * @param leading null on standby
   */
  private ApplicationContextInitializer<GenericApplicationContext> beans(@Nullable Tenure leading) {
    return context -> {
      context.registerBean(Access.class, () -> access);
      context.registerBean(StateDirectory.class, () -> state);
      // Singletons registered this way are not closed with the context.
      context.getBeanFactory().registerSingleton("stateDatabase", database);
      context.getBeanFactory().registerSingleton("leadership", leadership);
      if (certificate != null) {
        context.getBeanFactory().registerSingleton("serverCertificate", certificate);
        context.registerBean(DefaultSslBundleRegistry.class, certificate::newRegistry);
      }
      if (clusterPins != null) {
        context.getBeanFactory().registerSingleton("clusterPins", clusterPins);
      }
      if (leading == null) {
        return;
      }
      context.getBeanFactory().registerSingleton("tenure", leading);
      context.registerBean(ServerUrls.class, () -> urls);
      OidcIssuer oidc = settings.oidc();
      if (oidc != null) {
        context.registerBean(OidcIssuer.class, () -> oidc);
      }
      context.registerBean(
          Exploration.class, () -> new Exploration(settings.explore(), new Random()));
      context.registerBean(Jitter.class, () -> new Jitter(new Random()));
      context.registerBean(
          HeartbeatIntervals.class, () -> new HeartbeatIntervals(settings.heartbeat()));
      context.registerBean(ChainQuota.class, () -> new ChainQuota(settings.chainsPerClient()));
      context.registerBean(ForgetLost.class, () -> new ForgetLost(settings.forgetLostAfter()));
      context.registerBean(
          Timekeeper.class, () -> new Timekeeper(settings.clock(), settings.nanos()));
    };
  }

  /** Names for the certificate. Clients that pin keys check none; other clients do. */
  private static List<String> names(ServerUrls urls) {
    return Stream.concat(urls.hosts().stream(), Stream.of("localhost", "127.0.0.1", "::1"))
        .distinct()
        .toList();
  }

  /** URL at which others reach this orchestrator while it leads. */
  private static String reachedAt(ServerUrls urls, int port) {
    return urls.urls(port).stream().findFirst().orElseGet(() -> urls.local(port));
  }

  private String withPins(String url) {
    KeyPins pins = certificate == null ? null : certificate.pins();
    return pins == null ? url : url + "#" + pins;
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
                + ": the port is in use; fix: give another with --listen, or stop the process that"
                + " uses it",
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
   * URL to connect to from this machine, such as {@code http://127.0.0.1:7400}, with the pins of
   * its keys if it serves TLS with pinned keys.
   */
  public synchronized URI address() {
    return URI.create(withPins(urls.local(port)));
  }

  /** Whether this orchestrator leads. */
  synchronized boolean leads() {
    return tenure != null && tenure.isHeld();
  }

  /** Returns a bean of the running context, for tests. */
  synchronized <T> T bean(Class<T> type) {
    return Objects.requireNonNull(context).getBean(type);
  }

  /**
   * Waits until the orchestrator was told to stop.
   *
   * @throws CommandException when it ended because it could not serve
   */
  public void awaitClose() throws InterruptedException {
    closed.await();
    if (failure != null) {
      throw startFailure(settings, failure);
    }
  }

  /** Stops serving; running requests get some seconds to end. Chains stay on their relays. */
  @Override
  public void close() {
    synchronized (this) {
      if (isClosing) {
        return;
      }
      isClosing = true;
      stopServing();
      leadership.close();
      if (clusterPins != null) {
        clusterPins.close();
      }
      database.close();
      if (certificate != null) {
        certificate.close();
      }
    }
    changes.interrupt();
    closed.countDown();
    try {
      boolean _ = Runtime.getRuntime().removeShutdownHook(end);
    } catch (IllegalStateException e) {
      // The process is already exiting; this call comes from the shutdown hook.
    }
  }
}
