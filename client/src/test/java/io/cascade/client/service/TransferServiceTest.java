package io.cascade.client.service;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.cascade.api.HostPort;
import io.cascade.api.Json;
import io.cascade.api.client.OrchestratorClient;
import io.cascade.api.transfers.Problem;
import io.cascade.api.transfers.Transfer;
import io.cascade.api.transfers.TransferList;
import io.cascade.api.transfers.TransferRequest;
import io.cascade.api.transfers.TransferState;
import io.cascade.client.api.Receiver;
import io.cascade.client.entries.Trees;
import io.cascade.client.transfer.connection.SlowWire;
import io.cascade.client.transfer.connection.TransferFailed;
import io.cascade.command.CommandException;
import io.cascade.testing.ReservedPort;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A service and real receivers, by HTTP. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class TransferServiceTest {
  private static final InetSocketAddress LOOPBACK = new InetSocketAddress("127.0.0.1", 0);
  private static final byte[] KEY = new byte[32];

  @TempDir private Path folder;
  private final HttpClient http = HttpClient.newHttpClient();
  private final List<Transfer> ended = new CopyOnWriteArrayList<>();
  private Path in;
  private Path out;
  private Path file;

  @SuppressWarnings("NullAway.Init")
  TransferServiceTest() {}

  @BeforeEach
  void makeAFile() throws Exception {
    in = Files.createDirectory(folder.resolve("in"));
    out = Files.createDirectory(folder.resolve("out"));
    byte[] content = new byte[2 << 20];
    new Random(7).nextBytes(content);
    file = Files.write(out.resolve("backup.tar"), content);
    Files.write(folder.resolve("key"), KEY);
    Files.setPosixFilePermissions(
        folder.resolve("key"), PosixFilePermissions.fromString("rw-------"));
  }

  @Test
  void aFileIsSentAndWatchedUntilItHasArrived() throws Exception {
    try (Receiver receiver = receiver();
        TransferService service = service()) {
      HttpResponse<String> answer = post(service, toCode(receiver), null);

      Transfer begun = transfer(answer);
      assertThat(answer.statusCode()).isEqualTo(201);
      assertThat(answer.headers().firstValue("Location"))
          .hasValue("/api/v1/transfers/" + begun.id());
      assertThat(answer.body()).doesNotContain(secret(receiver));

      List<Event> events = eventsUntilTheEnd(service, null);
      Transfer arrived = events.getLast().transfer();
      assertThat(arrived.state()).isEqualTo(TransferState.ARRIVED);
      assertThat(arrived.id()).isEqualTo(begun.id());
      assertThat(arrived.bytes()).isEqualTo(Files.size(file));
      assertThat(arrived.sha256()).isEqualTo(receiver.next().sha256().toString());
      assertThat(in.resolve("backup.tar")).hasSameBinaryContentAs(file);
      assertThat(show(service, begun.id())).isEqualTo(arrived);
      assertThat(ended).containsExactly(arrived);
    }
  }

  @Test
  void aFolderIsSentWithItsLinksAsLinks() throws Exception {
    Path secret = Files.writeString(folder.resolve("secret"), "s");
    Path sent = Files.createDirectory(out.resolve("photos"));
    Files.createDirectory(sent.resolve("2026"));
    Files.writeString(sent.resolve("2026/a"), "a");
    Files.createSymbolicLink(sent.resolve("here"), Path.of("2026/a"));
    try (Receiver receiver = receiver();
        TransferService service = service()) {
      transfer(post(service, request(sent, code(receiver)), null));

      Transfer arrived = eventsUntilTheEnd(service, null).getLast().transfer();
      assertThat(arrived.state()).as(arrived.reason()).isEqualTo(TransferState.ARRIVED);
      assertThat(arrived.sha256()).isEqualTo(receiver.next().sha256().toString());
      assertThat(Trees.look(in.resolve("photos"))).isEqualTo(Trees.look(sent));
    }
    Files.createSymbolicLink(sent.resolve("out"), secret);
    try (Receiver receiver = receiver();
        TransferService service = service()) {
      Transfer begun = transfer(post(service, request(sent, code(receiver)), null));

      await().until(() -> ServedTransfer.isOver(show(service, begun.id()).state()));
      Transfer failed = show(service, begun.id());
      assertThat(failed.state()).isEqualTo(TransferState.FAILED);
      assertThat(failed.reason()).contains("photos/out").contains("leads out of the folder");
    }
  }

  @Test
  void aFolderOfWhichNotAllCanBeReadIsSentAndSaysSo() throws Exception {
    Path sent = Files.createDirectory(out.resolve("photos"));
    Files.writeString(sent.resolve("a"), "a");
    Process touch = // Java has no such name in every locale; a shell has.
        new ProcessBuilder("sh", "-c", "cd \"$0\" && : > \"$(printf 'b\\351')\"", sent.toString())
            .start();
    assertThat(touch.waitFor()).isZero();
    try (Receiver receiver = receiver();
        TransferService service = service()) {
      transfer(post(service, request(sent, code(receiver)), null));

      Transfer failed = eventsUntilTheEnd(service, null).getLast().transfer();
      assertThat(failed.state()).isEqualTo(TransferState.FAILED);
      assertThat(failed.reason())
          .contains("1 could not be sent as they are: photos/b")
          .contains("its name is not UTF-8");
      assertThat(in.resolve("photos/a")).hasContent("a");
    }
  }

  @Test
  void aFolderGoesOnAfterTheServiceIsStartedAgain() throws Exception {
    Path sent = Files.createDirectory(out.resolve("photos"));
    for (int i = 0; i < 8; i++) {
      byte[] content = new byte[500_000];
      new Random(i).nextBytes(content);
      Files.write(sent.resolve("file" + i), content);
    }
    try (Receiver receiver = keyed()) {
      TransferRequest request =
          limited(receiver.address()).toBuilder().file(sent.toString()).build();
      try (TransferService service = service()) {
        transfer(post(service, request, null));
        await().until(() -> Files.exists(in.resolve("photos/file3")));
      }
      assertThatThrownBy(receiver::next).hasMessageContaining("the sender gave up");

      try (TransferService service = service()) {
        Transfer arrived = eventsUntilTheEnd(service, null).getLast().transfer();
        assertThat(arrived.state()).as(arrived.reason()).isEqualTo(TransferState.ARRIVED);
        assertThat(arrived.bytes()).isLessThan(3_000_000);
        assertThat(Trees.look(in.resolve("photos"))).isEqualTo(Trees.look(sent));
      }
    }
  }

  @Test
  void theSameKeyIsTheSameTransferAlsoAfterARestart() throws Exception {
    try (Receiver receiver = receiver()) {
      TransferRequest request = toCode(receiver);
      Transfer first;
      try (TransferService service = service()) {
        first = transfer(post(service, request, "nightly"));
        HttpResponse<String> again = post(service, request, "nightly");
        assertThat(again.statusCode()).isEqualTo(200);
        assertThat(transfer(again).id()).isEqualTo(first.id());
        assertThat(problem(post(service, to(receiver.address()), "nightly"), 422))
            .endsWith("idempotency-key-reused");
        eventsUntilTheEnd(service, null);
      }
      Files.delete(file);
      try (TransferService service = service()) {
        assertThat(transfer(post(service, request, "nightly")).id()).isEqualTo(first.id());
        assertThat(list(service)).hasSize(1);
      }
    }
  }

  @Test
  void whoWatchesGoesOnBehindTheLastEventThatItKnows() throws Exception {
    try (Receiver receiver = receiver();
        TransferService service = service()) {
      Transfer first = transfer(post(service, toCode(receiver), null));
      Event last = eventsUntilTheEnd(service, null).getLast();
      Files.writeString(out.resolve("second"), "two");
      Transfer second =
          transfer(post(service, request(out.resolve("second"), code(receiver)), null));

      List<Event> events = eventsUntilTheEnd(service, last.id());

      assertThat(events).allSatisfy(one -> assertThat(one.transfer().id()).isEqualTo(second.id()));
      assertThat(eventsUntilTheEnd(service, "another process-7").getFirst().transfer().id())
          .isEqualTo(first.id());
    }
  }

  @Test
  void aTransferIsStoppedAndItsReceiverHearsIt() throws Exception {
    try (Receiver receiver = keyed();
        TransferService service = service()) {
      Transfer begun = transfer(post(service, limited(receiver.address()), null));
      await().until(() -> show(service, begun.id()).bytes() > 0);

      HttpResponse<String> stopped =
          send(service, "DELETE", "/transfers/" + begun.id(), null, null);

      assertThat(transfer(stopped).state()).isEqualTo(TransferState.STOPPED);
      assertThatThrownBy(receiver::next)
          .isInstanceOf(TransferFailed.class)
          .hasMessageContaining("the sender gave up");
      assertThat(transfer(send(service, "DELETE", "/transfers/" + begun.id(), null, null)).state())
          .isEqualTo(TransferState.STOPPED);
    }
  }

  @Test
  void aServiceThatIsStartedAgainGoesOnWithWhatHadNotEnded() throws Exception {
    try (Receiver receiver = keyed()) {
      Transfer begun;
      try (TransferService service = service()) {
        begun = transfer(post(service, limited(receiver.address()), null));
        await().until(() -> show(service, begun.id()).bytes() > 0);
      }
      assertThatThrownBy(receiver::next).hasMessageContaining("the sender gave up");
      assertThat(ended).isEmpty();

      try (TransferService service = service()) {
        Transfer arrived = eventsUntilTheEnd(service, null).getLast().transfer();
        assertThat(arrived.id()).isEqualTo(begun.id());
        assertThat(arrived.state()).isEqualTo(TransferState.ARRIVED);
        assertThat(receiver.next().file()).hasSameBinaryContentAs(file);
      }
    }
  }

  @Test
  void moreThanAreSentAtATimeWait() throws Exception {
    try (Receiver receiver = keyed();
        SlowWire slow = SlowWire.to(receiver.address(), 100_000);
        TransferService service = service()) {
      Transfer first = transfer(post(service, to(slow.address()), null));
      await().until(() -> show(service, first.id()).state() == TransferState.RUNNING);
      transfer(post(service, to(slow.address()), null));
      Transfer third = transfer(post(service, to(slow.address()), null));

      assertThat(show(service, third.id()).state()).isEqualTo(TransferState.WAITING);
      assertThat(send(service, "GET", "/transfers?state=WAITING", null, null).body())
          .contains(third.id().toString())
          .doesNotContain(first.id().toString());
      send(service, "DELETE", "/transfers/" + third.id(), null, null);
      assertThat(show(service, third.id()).state()).isEqualTo(TransferState.STOPPED);
    }
  }

  @Test
  void aReceiverThatIsNotThereFailsATransferWithAReason() throws Exception {
    try (TransferService service = service()) {
      Transfer begun =
          transfer(post(service, to(new HostPort("127.0.0.1", ReservedPort.untilTheEnd())), null));
      Transfer failed = eventsUntilTheEnd(service, null).getLast().transfer();
      assertThat(failed.id()).isEqualTo(begun.id());
      assertThat(failed.state()).isEqualTo(TransferState.FAILED);
      assertThat(failed.reason()).contains("127.0.0.1");
    }
  }

  @Test
  void onlyFilesOfItsFoldersAreSent() throws Exception {
    Path secret = Files.writeString(folder.resolve("secret"), "s");
    Files.createSymbolicLink(out.resolve("link"), secret);
    try (TransferService service = service()) {
      for (String outside :
          List.of(secret.toString(), out + "/../secret", out.resolve("link").toString(), "/")) {
        assertThat(problem(post(service, request(Path.of(outside), "h:1/4f7k-q2mz"), null), 403))
            .as(outside)
            .endsWith("file-not-allowed");
      }
      assertThat(problem(post(service, request(out.resolve("none"), "h:1/4f7k-q2mz"), null), 422))
          .endsWith("unsendable");
      assertThat(list(service)).isEmpty();
    }
  }

  @Test
  void aRequestThatIsNotOfTheContractIsRefused() throws Exception {
    try (TransferService service = service()) {
      for (String body :
          List.of(
              "",
              "null",
              "[]",
              "{\"file\":7}",
              "{\"file\":\"relative\",\"code\":\"h:1/4f7k-q2mz\"}",
              "{\"file\":\"%s\"}".formatted(file),
              "{\"file\":\"%s\",\"code\":\"secret\"}".formatted(file),
              "{\"file\":\"%s\",\"to\":\"h\"}".formatted(file),
              "{\"file\":\"%s\",\"to\":\"h:1\",\"through\":\"h:2\"}".formatted(file),
              "{\"file\":\"%s\",\"to\":\"h:1\",\"limitBitsPerSecond\":1}".formatted(file),
              "{\"file\":\"%s\",\"to\":\"h:1\",\"more\":1}".formatted(file))) {
        HttpResponse<String> answer = send(service, "POST", "/transfers", body, null);
        assertThat(problem(answer, 400)).as(body).endsWith("invalid-request");
        assertThat(answer.body()).doesNotContain("secret");
      }
      assertThat(problem(send(service, "POST", "/transfers", " ".repeat(20_000), null), 413))
          .endsWith("too-large");
      assertThat(problem(send(service, "GET", "/transfers/" + UUID.randomUUID(), null, null), 404))
          .endsWith("unknown-transfer");
      HttpResponse<String> put = send(service, "PUT", "/transfers", "{}", null);
      assertThat(problem(put, 405)).endsWith("method-not-allowed");
      assertThat(put.headers().firstValue("Allow")).hasValue("GET, POST");
      assertThat(problem(send(service, "GET", "/transfers?state=GONE", null, null), 400))
          .endsWith("invalid-request");
      assertThat(problem(send(service, "GET", "/", null, null), 404)).endsWith("not-found");
    }
  }

  @Test
  void aCallWithoutTheTokenIsRefusedAndSoIsAWebPage() throws Exception {
    try (TransferService service = service()) {
      HttpRequest bare =
          HttpRequest.newBuilder(URI.create(base(service) + "/transfers")).GET().build();
      HttpResponse<String> answer = http.send(bare, BodyHandlers.ofString());
      assertThat(problem(answer, 401)).endsWith("unauthorized");
      assertThat(answer.headers().firstValue("WWW-Authenticate")).isPresent();

      assertThat(raw(service, "Host: evil.example")).startsWith("HTTP/1.1 421");
      assertThat(raw(service, "Host: localhost\r\nOrigin: https://evil.example"))
          .startsWith("HTTP/1.1 403");
      assertThat(raw(service, "Host: localhost")).startsWith("HTTP/1.1 200");
    }
  }

  @Test
  void aTokenThatOthersCanReadIsNotUsed() throws Exception {
    service().close();
    Path token = folder.resolve("state/token");
    assertThat(Files.getPosixFilePermissions(token))
        .isEqualTo(PosixFilePermissions.fromString("rw-------"));
    Files.setPosixFilePermissions(token, PosixFilePermissions.fromString("rw-r-----"));

    assertThatThrownBy(this::service)
        .isInstanceOf(CommandException.class)
        .hasMessageContaining("chmod 600");
  }

  private Receiver receiver() throws IOException {
    return Receiver.into(in).listeningAt(LOOPBACK).openWithCode();
  }

  private Receiver keyed() throws IOException {
    return Receiver.into(in).listeningAt(LOOPBACK).openWithKey(KEY);
  }

  private TransferService service() throws IOException {
    return TransferService.start(
        new TransferService.Settings(
            LOOPBACK,
            List.of(out),
            folder.resolve("state"),
            folder.resolve("key"),
            2,
            new OrchestratorClient(
                URI.create("http://127.0.0.1:" + ReservedPort.untilTheEnd()), null),
            Instant::now,
            ended::add));
  }

  private static String code(Receiver receiver) {
    return receiver.code().orElseThrow();
  }

  private static String secret(Receiver receiver) {
    return code(receiver).substring(code(receiver).lastIndexOf('/') + 1);
  }

  private TransferRequest toCode(Receiver receiver) {
    return request(file, code(receiver));
  }

  private static TransferRequest request(Path what, String code) {
    return TransferRequest.builder().file(what.toString()).code(code).build();
  }

  private TransferRequest limited(HostPort receiver) {
    return TransferRequest.builder()
        .file(file.toString())
        .to(receiver.toString())
        .limitBitsPerSecond(8_000_000L)
        .build();
  }

  private TransferRequest to(HostPort receiver) {
    return TransferRequest.builder().file(file.toString()).to(receiver.toString()).build();
  }

  private static String base(TransferService service) {
    return "http://127.0.0.1:" + service.address().getPort() + "/api/v1";
  }

  private String token() throws IOException {
    return Files.readString(folder.resolve("state/token")).strip();
  }

  private HttpResponse<String> post(
      TransferService service, TransferRequest request, @Nullable String key) throws Exception {
    return send(service, "POST", "/transfers", Json.strict().writeValueAsString(request), key);
  }

  private HttpResponse<String> send(
      TransferService service,
      String method,
      String path,
      @Nullable String body,
      @Nullable String key)
      throws Exception {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(URI.create(base(service) + path))
            .header("Authorization", "Bearer " + token())
            .method(method, body == null ? BodyPublishers.noBody() : BodyPublishers.ofString(body));
    if (body != null) {
      request.header("Content-Type", "application/json");
    }
    if (key != null) {
      request.header("Idempotency-Key", key);
    }
    return http.send(request.build(), BodyHandlers.ofString());
  }

  private String raw(TransferService service, String headers) throws IOException {
    try (Socket socket = new Socket("127.0.0.1", service.address().getPort())) {
      socket
          .getOutputStream()
          .write(
              "GET /api/v1/transfers HTTP/1.1\r\nAuthorization: Bearer %s\r\nConnection: close\r\n%s\r\n\r\n"
                  .formatted(token(), headers)
                  .getBytes(StandardCharsets.US_ASCII));
      return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  private static Transfer transfer(HttpResponse<String> answer) {
    assertThat(answer.statusCode()).as(answer.body()).isIn(200, 201);
    return Json.strict().readValue(answer.body(), Transfer.class);
  }

  private static String problem(HttpResponse<String> answer, int status) {
    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(status);
    assertThat(answer.headers().firstValue("Content-Type")).hasValue("application/problem+json");
    return Json.strict().readValue(answer.body(), Problem.class).type();
  }

  private Transfer show(TransferService service, UUID id) throws Exception {
    return transfer(send(service, "GET", "/transfers/" + id, null, null));
  }

  private List<Transfer> list(TransferService service) throws Exception {
    return Json.strict()
        .readValue(send(service, "GET", "/transfers", null, null).body(), TransferList.class)
        .transfers();
  }

  private record Event(String id, Transfer transfer) {}

  /** Events until one of a transfer that has ended, where nothing else is listed. */
  private List<Event> eventsUntilTheEnd(TransferService service, @Nullable String lastEventId)
      throws Exception {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(URI.create(base(service) + "/events"))
            .header("Authorization", "Bearer " + token());
    if (lastEventId != null) {
      request.header("Last-Event-ID", lastEventId);
    }
    List<Event> events = new java.util.ArrayList<>();
    HttpResponse<java.io.InputStream> answer =
        http.send(request.build(), BodyHandlers.ofInputStream());
    try (BufferedReader lines =
        new BufferedReader(new InputStreamReader(answer.body(), StandardCharsets.UTF_8))) {
      String id = "";
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        if (line.startsWith("id: ")) {
          id = line.substring(4);
        } else if (line.startsWith("data: ")) {
          Transfer transfer = Json.strict().readValue(line.substring(6), Transfer.class);
          events.add(new Event(id, transfer));
          if (ServedTransfer.isOver(transfer.state())) {
            return events;
          }
        }
      }
    }
    throw new IOException("the stream ended");
  }
}
