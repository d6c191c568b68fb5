package io.cascade.client.transfer.coded;

import io.cascade.carriage.rendezvous.AddressQuestion;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Finds direct paths between ends behind NATs from one UDP port of this end: asks a relay for the
 * port's observed address, and exchanges checks with the other end, which sends its own at the same
 * time, so that both NATs admit them. Thread-safe.
 */
final class DirectPaths {
  /** Checks to each address, {@link #BETWEEN} apart. */
  static final int ROUNDS = 25;

  /** Most requests to a relay until it answers. */
  private static final int MOST_QUESTIONS = 5;

  /** Most concurrent searches: a sender has one. */
  private static final int MOST_SEARCHES = 16;

  /**
   * Most addresses to which the checks of one search are sent: candidates, and sources of received
   * checks.
   */
  private static final int MOST_ADDRESSES = Candidates.MOST + 4;

  private static final Duration BETWEEN = Duration.ofMillis(200);

  private final SecureRandom random = new SecureRandom();
  private final Port port;
  private final Duration between;
  private final Map<Long, Question> questions = new ConcurrentHashMap<>();
  private final Map<UUID, Search> searches = new ConcurrentHashMap<>();

  /** Sends a datagram from the port, unreliably. */
  @FunctionalInterface
  interface Port {
    void send(ByteBuffer datagram, InetSocketAddress to);
  }

  private record Question(InetSocketAddress relay, CompletableFuture<InetSocketAddress> answered) {}

  /** Checks of one session. */
  @SuppressWarnings("ArrayRecordComponent") // Private to this class, and never modified.
  private record Search(
      boolean byDialler,
      long number,
      byte[] key,
      Set<InetSocketAddress> addresses,
      CompletableFuture<InetSocketAddress> found) {}

  DirectPaths(Port port) {
    this(port, BETWEEN);
  }

  /**
   * @param between interval of datagrams to one address
   */
  DirectPaths(Port port, Duration between) {
    this.port = port;
    this.between = between;
  }

  /**
   * Addresses at which this end may be reached; waits for the relay's answer, a second at most.
   *
   * @param number the port's
   */
  Candidates candidates(Observer by, int number) throws InterruptedException {
    return Candidates.of(Stream.concat(observed(by).stream(), Candidates.local(number)));
  }

  /** Asks the relay for the port's observed address; empty where it does not answer. */
  Optional<InetSocketAddress> observed(Observer by) throws InterruptedException {
    InetSocketAddress relay;
    try {
      relay = new InetSocketAddress(InetAddress.getByName(by.relay().host()), by.relay().port());
    } catch (UnknownHostException e) {
      return Optional.empty();
    }
    AddressQuestion question = new AddressQuestion(random.nextLong(), by.meeting());
    Question asked = new Question(relay, new CompletableFuture<>());
    questions.put(question.transaction(), asked);
    try {
      return Optional.ofNullable(
          repeat(MOST_QUESTIONS, () -> port.send(question.encode(), relay), asked.answered()));
    } finally {
      questions.remove(question.transaction());
    }
  }

  /**
   * Searches for a path that carries datagrams both ways; takes some seconds where there is none.
   *
   * @param byDialler whether this end dials the session: it then chooses the path that is answered
   *     first. The other end answers and opens its NAT, until the end of the search
   * @return the other end's address on that path, for the end that dials
   */
  Optional<InetSocketAddress> search(CodedInvitation session, boolean byDialler, Candidates theirs)
      throws InterruptedException {
    byte[] key = PathCheck.key(session.key());
    Set<InetSocketAddress> addresses = ConcurrentHashMap.newKeySet();
    addresses.addAll(theirs.addresses());
    Search search =
        new Search(byDialler, random.nextLong(), key, addresses, new CompletableFuture<>());
    if (searches.size() >= MOST_SEARCHES || searches.putIfAbsent(session.name(), search) != null) {
      return Optional.empty();
    }
    PathCheck check = new PathCheck(false, byDialler, session.name(), search.number());
    try {
      return Optional.ofNullable(
          repeat(
              ROUNDS,
              () -> addresses.forEach(to -> port.send(check.encode(key), to)),
              search.found()));
    } finally {
      searches.remove(session.name());
    }
  }

  private @Nullable InetSocketAddress repeat(
      int times, Runnable task, CompletableFuture<InetSocketAddress> until)
      throws InterruptedException {
    for (int i = 0; i < times; i++) {
      task.run();
      try {
        return until.get(between.toNanos(), TimeUnit.NANOSECONDS);
      } catch (TimeoutException e) {
        // Datagrams may be lost.
      } catch (ExecutionException e) {
        throw new IllegalStateException("nothing fails it", e);
      }
    }
    return null;
  }

  /** Handles a datagram received at the port. */
  void received(ByteBuffer datagram, InetSocketAddress from) {
    PathCheck check = PathCheck.decode(datagram);
    if (check != null) {
      Search search = searches.get(check.session());
      if (search != null && check.isAuthentic(datagram, search.key())) {
        checked(search, check, from);
      }
      return;
    }
    AddressQuestion.Answer answer = AddressQuestion.answered(datagram);
    Question asked = answer == null ? null : questions.get(answer.transaction());
    if (answer != null && asked != null && asked.relay().equals(from)) {
      boolean _ = asked.answered().complete(answer.seen());
    }
  }

  private void checked(Search search, PathCheck check, InetSocketAddress from) {
    boolean isOwn = check.byDialler() == search.byDialler();
    if (check.isAnswer()) {
      if (isOwn && search.byDialler() && check.number() == search.number()) {
        boolean _ = search.found().complete(from);
      }
    } else if (!isOwn) {
      port.send(check.answer().encode(search.key()), from);
      if (search.addresses().size() < MOST_ADDRESSES) {
        search.addresses().add(from); // The peer's NAT uses another address towards this end.
      }
    }
  }
}
