package io.cascade.api.client;

import io.cascade.api.HostPort;
import io.cascade.api.Json;
import io.cascade.api.client.BoundedExchange.Bounds;
import io.cascade.api.identity.ControlProof;
import io.cascade.api.orchestrator.AdviceList;
import io.cascade.api.orchestrator.ApiKeyList;
import io.cascade.api.orchestrator.ApiKeyRequest;
import io.cascade.api.orchestrator.AuditPage;
import io.cascade.api.orchestrator.Caller;
import io.cascade.api.orchestrator.Chain;
import io.cascade.api.orchestrator.ChainList;
import io.cascade.api.orchestrator.ChainRequest;
import io.cascade.api.orchestrator.ChainStreams;
import io.cascade.api.orchestrator.ClientTest;
import io.cascade.api.orchestrator.ClientTestRequest;
import io.cascade.api.orchestrator.CorrectionList;
import io.cascade.api.orchestrator.EnrolmentRequest;
import io.cascade.api.orchestrator.Estimate;
import io.cascade.api.orchestrator.EstimateRequest;
import io.cascade.api.orchestrator.Event;
import io.cascade.api.orchestrator.Gateway;
import io.cascade.api.orchestrator.GatewayInstructions;
import io.cascade.api.orchestrator.GatewayReport;
import io.cascade.api.orchestrator.Heartbeat;
import io.cascade.api.orchestrator.InvitationList;
import io.cascade.api.orchestrator.InvitationRequest;
import io.cascade.api.orchestrator.LinkHistory;
import io.cascade.api.orchestrator.LinkList;
import io.cascade.api.orchestrator.LinkTest;
import io.cascade.api.orchestrator.LinkTestRequest;
import io.cascade.api.orchestrator.LinkTrain;
import io.cascade.api.orchestrator.LinkTrainRequest;
import io.cascade.api.orchestrator.NewApiKey;
import io.cascade.api.orchestrator.NewInvitation;
import io.cascade.api.orchestrator.OrchestratorHealth;
import io.cascade.api.orchestrator.Plan;
import io.cascade.api.orchestrator.PlanRequest;
import io.cascade.api.orchestrator.RateHistory;
import io.cascade.api.orchestrator.Relay;
import io.cascade.api.orchestrator.RelayInstructions;
import io.cascade.api.orchestrator.RelayLimits;
import io.cascade.api.orchestrator.RelayList;
import io.cascade.api.orchestrator.RelayRegistration;
import io.cascade.api.orchestrator.RouteAnswer;
import io.cascade.api.orchestrator.RouteQuestion;
import io.cascade.api.orchestrator.RunningTransferList;
import io.cascade.api.orchestrator.ServerCertificate;
import io.cascade.api.orchestrator.SplitterInstructions;
import io.cascade.api.orchestrator.SplitterList;
import io.cascade.api.orchestrator.SplitterReport;
import io.cascade.api.orchestrator.Statistics;
import io.cascade.api.orchestrator.TransferProgress;
import io.cascade.api.orchestrator.TransferReport;
import io.cascade.api.orchestrator.Tunnel;
import io.cascade.api.orchestrator.TunnelList;
import io.cascade.api.orchestrator.TunnelRequest;
import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.WebSocket;
import java.net.http.WebSocketHandshakeException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** Client of the orchestrator contract, for relays, command lines and tests. */
public final class OrchestratorClient {
  private static final int MIB = 1 << 20;
  private static final Bounds QUICK = new Bounds(Duration.ofSeconds(10), 16 * MIB);

  /**
   * Lists are not paged: ten thousand relays take some 10 MiB, a thousand chains with plans more.
   */
  private static final Bounds LIST = new Bounds(Duration.ofSeconds(10), 64 * MIB);

  /** Planning probes destinations and opening waits for every relay. */
  private static final Bounds SLOW = new Bounds(Duration.ofSeconds(60), 16 * MIB);

  /** A plan for which relays also compare two ways. */
  private static final Bounds COMPARING = new Bounds(Duration.ofSeconds(60 + 45), 16 * MIB);

  /** The orchestrator sends a comment after ten seconds without an event. */
  private static final Duration SILENCE = Duration.ofSeconds(30);

  private final @Nullable String token;
  private final LeaderHttp http;

  /**
   * @param orchestrator such as {@code http://127.0.0.1:7400}, or with the pins of its keys ({@link
   *     ServerAddress})
   * @param token the bearer token, if the orchestrator needs one
   * @throws IllegalArgumentException if it is not such an address
   */
  public OrchestratorClient(URI orchestrator, @Nullable String token) {
    this(List.of(orchestrator), token);
  }

  /**
   * Creates a client that calls the leader among several orchestrators.
   *
   * @param orchestrators at least one, each with its own pins
   * @param token the bearer token, if the orchestrators need one
   * @throws IllegalArgumentException if one of them is not such an address
   */
  public OrchestratorClient(List<URI> orchestrators, @Nullable String token) {
    this.token = token;
    this.http = new LeaderHttp(orchestrators.stream().map(ServerAddress::of).toList(), token);
  }

  /**
   * The orchestrator that is called: of several the leader, as far as is known. Without its pins.
   */
  public URI address() {
    return http.server().base();
  }

  /** The other orchestrators, each with the present pins of its keys. */
  public List<URI> others() {
    return http.others().stream().map(other -> URI.create(other.toString())).toList();
  }

  /** Health of the orchestrator that is called, and whether it leads. */
  public OrchestratorHealth health() {
    return http.call("GET", "/api/v1/health", null, OrchestratorHealth.class, QUICK);
  }

  public RelayList relays() {
    return http.call("GET", "/api/v1/relays", null, RelayList.class, LIST);
  }

  public Relay relay(String name) {
    return http.call("GET", "/api/v1/relays/" + name, null, Relay.class, QUICK);
  }

  public void forget(String name) {
    http.call("DELETE", "/api/v1/relays/" + name, QUICK);
  }

  /**
   * Opens the control connection of a relay ({@link io.cascade.api.control}).
   *
   * @throws UnreachableException if there is none; its cause is a {@link
   *     WebSocketHandshakeException} if the orchestrator refuses
   */
  public WebSocket connectControl(String relay, ControlProof proof, WebSocket.Listener listener) {
    ServerAddress server = http.server();
    URI orchestrator = server.base();
    String base = orchestrator.toString().replaceFirst("^http", "ws");
    URI at =
        URI.create(
            "%s/api/v1/relays/%s/control?instance=%s&sequence=%d&signature=%s"
                .formatted(
                    base,
                    relay,
                    proof.instance(),
                    proof.sequence(),
                    URLEncoder.encode(proof.signature(), StandardCharsets.UTF_8)));
    try {
      return BoundedExchange.to(server).webSocket(at, token, listener, QUICK.deadline());
    } catch (IOException e) {
      throw new UnreachableException(orchestrator, e);
    }
  }

  /** Drains a relay: it gets no new streams. */
  public Relay drain(String name) {
    return http.call("PUT", "/api/v1/relays/" + name + "/draining", null, Relay.class, QUICK);
  }

  public Relay useAgain(String name) {
    return http.call("DELETE", "/api/v1/relays/" + name + "/draining", null, Relay.class, QUICK);
  }

  public RelayLimits limits(String relay) {
    return http.call("GET", "/api/v1/relays/" + relay + "/limits", null, RelayLimits.class, QUICK);
  }

  /** Changes limits; those that are null stay. */
  public RelayLimits change(String relay, RelayLimits wanted) {
    return http.call(
        "PATCH", "/api/v1/relays/" + relay + "/limits", wanted, RelayLimits.class, QUICK);
  }

  public Statistics statistics() {
    return http.call("GET", "/api/v1/statistics", null, Statistics.class, LIST);
  }

  /** Returns the bytes that all chains together carried in the past hour. */
  public RateHistory rateHistory() {
    return http.call("GET", "/api/v1/statistics/history", null, RateHistory.class, LIST);
  }

  /** Returns the bytes that a chain carried in the past hour. */
  public RateHistory chainHistory(UUID id) {
    return http.call("GET", "/api/v1/chains/" + id + "/history", null, RateHistory.class, LIST);
  }

  /**
   * Connects to the orchestrator, and sends nothing: for callers whose calls take work to prepare.
   *
   * @throws UnreachableException where no orchestrator accepts connections
   */
  public void reach() {
    http.reach(QUICK.deadline());
  }

  public RelayInstructions register(RelayRegistration registration) {
    return http.call("POST", "/api/v1/relays", registration, RelayInstructions.class, QUICK);
  }

  public RelayInstructions heartbeat(String name, Heartbeat heartbeat) {
    return http.call(
        "POST",
        "/api/v1/relays/" + name + "/heartbeats",
        heartbeat,
        RelayInstructions.class,
        QUICK);
  }

  /** Asks how a stream is routed; may take as long as planning and opening a chain. */
  public RouteAnswer route(String relay, RouteQuestion question) {
    return http.call(
        "POST", "/api/v1/relays/" + relay + "/routes", question, RouteAnswer.class, SLOW);
  }

  public Gateway gateway(String name) {
    return http.call("GET", "/api/v1/gateways/" + name, null, Gateway.class, QUICK);
  }

  public void forgetGateway(String name) {
    http.call("DELETE", "/api/v1/gateways/" + name, QUICK);
  }

  public GatewayInstructions report(String gateway, GatewayReport report) {
    return http.call(
        "POST",
        "/api/v1/gateways/" + gateway + "/reports",
        report,
        GatewayInstructions.class,
        QUICK);
  }

  public TunnelList tunnels() {
    return http.call("GET", "/api/v1/tunnels", null, TunnelList.class, LIST);
  }

  public Tunnel tunnel(UUID id) {
    return http.call("GET", "/api/v1/tunnels/" + id, null, Tunnel.class, QUICK);
  }

  public Tunnel openTunnel(TunnelRequest request) {
    return http.call("POST", "/api/v1/tunnels", request, Tunnel.class, QUICK);
  }

  public void closeTunnel(UUID id) {
    http.call("DELETE", "/api/v1/tunnels/" + id, QUICK);
  }

  public SplitterList splitters() {
    return http.call("GET", "/api/v1/splitters", null, SplitterList.class, LIST);
  }

  public SplitterInstructions report(String splitter, SplitterReport report) {
    return http.call(
        "POST",
        "/api/v1/splitters/" + splitter + "/reports",
        report,
        SplitterInstructions.class,
        QUICK);
  }

  public LinkList links() {
    return http.call("GET", "/api/v1/links", null, LinkList.class, LIST);
  }

  /** Runs a throughput test from one relay to another and waits for it. */
  public LinkTest testLink(String from, String to, LinkTestRequest request) {
    return http.call(
        "POST", "/api/v1/links/" + from + "/" + to + "/tests", request, LinkTest.class, SLOW);
  }

  /** Has a relay receive a throughput test from this host. */
  public ClientTest openClientTest(String relay, ClientTestRequest request) {
    return http.call(
        "POST", "/api/v1/relays/" + relay + "/client-tests", request, ClientTest.class, LIST);
  }

  /** Sends a train of full-size packets from one relay to another and back, and waits for it. */
  public LinkTrain sendTrain(String from, String to, LinkTrainRequest request) {
    return http.call(
        "POST", "/api/v1/links/" + from + "/" + to + "/trains", request, LinkTrain.class, SLOW);
  }

  /** The past day of a link. */
  public LinkHistory linkHistory(String from, String to) {
    return http.call(
        "GET", "/api/v1/links/" + from + "/" + to + "/history", null, LinkHistory.class, LIST);
  }

  public CorrectionList corrections() {
    return http.call("GET", "/api/v1/corrections", null, CorrectionList.class, LIST);
  }

  public void resetCorrections() {
    http.call("DELETE", "/api/v1/corrections", QUICK);
  }

  public void resetCorrection(String from, String to) {
    http.call("DELETE", "/api/v1/corrections/" + from + "/" + to, QUICK);
  }

  /**
   * Advice on whether relays would help the streams that were seen lately.
   *
   * @param destination the only destination to return; null for the most recently used ones
   * @param limit maximum number of those
   */
  public AdviceList advice(@Nullable HostPort destination, int limit) {
    String query =
        destination == null
            ? "limit=" + limit
            : "destination=" + URLEncoder.encode(destination.toString(), StandardCharsets.UTF_8);
    return http.call("GET", "/api/v1/advice?" + query, null, AdviceList.class, SLOW);
  }

  /** Reports the result of a transfer of this host. */
  public void report(TransferReport transfer) {
    http.call("POST", "/api/v1/transfers", transfer, QUICK);
  }

  /** Reports the progress or the end of a transfer of this host. */
  public void report(UUID transfer, TransferProgress progress) {
    http.call("PUT", "/api/v1/transfers/" + transfer, progress, QUICK);
  }

  /** Transfers of clients that are running, or ended recently. */
  public RunningTransferList transfers() {
    return http.call("GET", "/api/v1/transfers", null, RunningTransferList.class, LIST);
  }

  public Plan plan(PlanRequest request) {
    boolean compares = Boolean.TRUE.equals(request.compare());
    return http.call("POST", "/api/v1/plans", request, Plan.class, compares ? COMPARING : SLOW);
  }

  public Estimate estimate(EstimateRequest request) {
    return http.call("POST", "/api/v1/estimates", request, Estimate.class, QUICK);
  }

  /**
   * @param idempotencyKey makes a repeated call return the chain that the first one opened
   */
  public Chain open(ChainRequest request, @Nullable String idempotencyKey) {
    Map<String, String> headers =
        idempotencyKey == null ? Map.of() : Map.of("Idempotency-Key", idempotencyKey);
    return http.call("POST", "/api/v1/chains", request, Chain.class, SLOW, headers);
  }

  public ChainList chains() {
    return http.call("GET", "/api/v1/chains?limit=1000", null, ChainList.class, LIST);
  }

  public Chain chain(UUID id) {
    return http.call("GET", "/api/v1/chains/" + id, null, Chain.class, QUICK);
  }

  public Chain close(UUID id, boolean abort) {
    return http.call("DELETE", "/api/v1/chains/" + id + "?abort=" + abort, null, Chain.class, SLOW);
  }

  /** Restarts a chain's time to live. */
  public void renew(UUID id) {
    http.call("POST", "/api/v1/chains/" + id + "/renewal", QUICK);
  }

  public ChainStreams streams(UUID id) {
    return http.call("GET", "/api/v1/chains/" + id + "/streams", null, ChainStreams.class, LIST);
  }

  /** The caller, and the scopes of its role. */
  public Caller whoAmI() {
    return http.call("GET", "/api/v1/me", null, Caller.class, QUICK);
  }

  public ApiKeyList keys() {
    return http.call("GET", "/api/v1/keys", null, ApiKeyList.class, LIST);
  }

  /** Creates a key, which is shown only in this answer. */
  public NewApiKey createKey(ApiKeyRequest request) {
    return http.call("POST", "/api/v1/keys", request, NewApiKey.class, QUICK);
  }

  public void revokeKey(UUID id) {
    http.call("DELETE", "/api/v1/keys/" + id, QUICK);
  }

  public InvitationList invitations() {
    return http.call("GET", "/api/v1/invitations", null, InvitationList.class, LIST);
  }

  /** Creates an invitation, whose secret is shown only in this answer. */
  public NewInvitation invite(InvitationRequest request) {
    return http.call("POST", "/api/v1/invitations", request, NewInvitation.class, QUICK);
  }

  public void withdrawInvitation(UUID id) {
    http.call("DELETE", "/api/v1/invitations/" + id, QUICK);
  }

  /**
   * Accepts an invitation, whose secret is this client's token.
   *
   * @return the API key of the invited party, which is shown only in this answer
   */
  public NewApiKey enrol(EnrolmentRequest request) {
    return http.call("POST", "/api/v1/enrolments", request, NewApiKey.class, QUICK);
  }

  public ServerCertificate certificate() {
    return http.call("GET", "/api/v1/certificate", null, ServerCertificate.class, QUICK);
  }

  /** Switches to the next key. */
  public ServerCertificate rotateCertificate() {
    return http.call("POST", "/api/v1/certificate/rotation", null, ServerCertificate.class, QUICK);
  }

  /**
   * Entries of the audit trail, newest first.
   *
   * @param before only entries with smaller numbers; null for the newest
   */
  public AuditPage audit(@Nullable Long before, int limit) {
    String page = before == null ? "" : "&before=" + before;
    return http.call("GET", "/api/v1/audit?limit=" + limit + page, null, AuditPage.class, LIST);
  }

  /**
   * Follows events until {@code wanted} returns false or the orchestrator ends the stream.
   *
   * @param after the last event already seen, or null to start with the next one
   * @throws UnreachableException if the stream breaks, or nothing arrives for 30 s
   */
  public void follow(@Nullable Long after, Predicate<Event> wanted) {
    Map<String, String> headers =
        after == null ? Map.of() : Map.of("Last-Event-ID", after.toString());
    try (AnswerLines lines = http.lines("/api/v1/events", headers, QUICK.deadline(), SILENCE)) {
      for (String line = lines.next(); line != null; line = lines.next()) {
        if (line.startsWith("data:")) {
          Event event = Json.lenient().readValue(line.substring(5).strip(), Event.class);
          if (!wanted.test(event)) {
            return;
          }
        }
      }
    } catch (IOException e) {
      throw new UnreachableException(address(), e);
    }
  }
}
