package io.cascade.orchestrator.chains;

import io.cascade.api.orchestrator.Chain;
import io.cascade.api.orchestrator.ChainList;
import io.cascade.api.orchestrator.ChainRequest;
import io.cascade.api.orchestrator.ChainState;
import io.cascade.api.orchestrator.ChainStreams;
import io.cascade.api.orchestrator.RateHistory;
import io.cascade.api.orchestrator.Role;
import io.cascade.orchestrator.contract.ChainsApi;
import io.cascade.orchestrator.planning.PlanTurns;
import io.cascade.orchestrator.problems.Refusal;
import io.cascade.orchestrator.relays.RelayRegistry;
import io.cascade.orchestrator.security.Caller;
import jakarta.servlet.http.HttpServletRequest;
import java.net.URI;
import java.time.Duration;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.RestController;

@RestController
class ChainsController implements ChainsApi {
  private final ChainBook book;
  private final ChainOpening opening;
  private final ChainClosing closing;
  private final ChainExpiry expiry;
  private final ChainTraffic traffic;
  private final ChainRates rates;
  private final PlanTurns turns;
  private final RelayRegistry relays;
  private final ChainQuota quota;
  private final HttpServletRequest current;

  /**
   * @param current proxy for the request that is being answered
   */
  ChainsController(
      ChainBook book,
      ChainOpening opening,
      ChainClosing closing,
      ChainExpiry expiry,
      ChainTraffic traffic,
      ChainRates rates,
      PlanTurns turns,
      RelayRegistry relays,
      ChainQuota quota,
      HttpServletRequest current) {
    this.quota = quota;
    this.turns = turns;
    this.relays = relays;
    this.current = current;
    this.rates = rates;
    this.book = book;
    this.opening = opening;
    this.closing = closing;
    this.expiry = expiry;
    this.traffic = traffic;
  }

  @Override
  public ResponseEntity<ChainList> listChains(@Nullable ChainState state, Integer limit) {
    return ResponseEntity.ok(
        new ChainList(
            book.list(state, onlyOf(Caller.current()), limit).stream()
                .map(chain -> ChainDocument.of(chain, null))
                .toList()));
  }

  /** The owner to whose chains the caller is limited; null if it may see all chains. */
  private static @Nullable String onlyOf(Caller caller) {
    return caller.role() == Role.CLIENT ? caller.id() : null;
  }

  /**
   * @throws Refusal also if the chain exists but the caller may not see it
   */
  private io.cascade.orchestrator.chains.Chain visible(UUID id) {
    var chain = book.known(id);
    if (!Caller.current().sees(chain.owner())) {
      throw ChainBook.unknown(id);
    }
    return chain;
  }

  @Override
  public ResponseEntity<Chain> openChain(ChainRequest asked, @Nullable String idempotencyKey) {
    String client = current.getRemoteAddr();
    Caller caller = Caller.current();
    String owner = caller.owner();
    int most = caller.role() == Role.CLIENT ? quota.perClient() : Integer.MAX_VALUE;
    ChainOpening.Opened opened =
        ChainQuestion.needsPlan(asked)
            ? turns.take(client, () -> opening.open(asked, client, owner, most, idempotencyKey))
            : opening.open(asked, client, owner, most, idempotencyKey);
    Chain document = ChainDocument.opened(opened.chain(), relay -> relays.known(relay).hop());
    return opened.made()
        ? ResponseEntity.created(URI.create("/api/v1/chains/" + document.id())).body(document)
        : ResponseEntity.ok(document);
  }

  @Override
  public ResponseEntity<Chain> showChain(UUID id) {
    var chain = visible(id);
    return ResponseEntity.ok(
        ChainDocument.of(chain, chain.carries() ? traffic.totals(chain) : null));
  }

  @Override
  public ResponseEntity<Chain> closeChain(UUID id, Boolean abort) {
    return ResponseEntity.ok(ChainDocument.of(closing.close(visible(id).id(), abort), null));
  }

  @Override
  public ResponseEntity<Void> renewChain(UUID id) {
    expiry.renew(visible(id).id());
    return ResponseEntity.noContent().build();
  }

  @Override
  public ResponseEntity<RateHistory> chainHistory(UUID id, Integer seconds) {
    return ResponseEntity.ok(rates.of(visible(id).id(), Duration.ofSeconds(seconds)));
  }

  @Override
  public ResponseEntity<ChainStreams> listStreams(UUID id) {
    return ResponseEntity.ok(traffic.streams(visible(id)));
  }
}
