package io.cascade.client.rendezvous;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cascade.api.HostPort;
import io.cascade.carriage.rendezvous.AddressQuestion;
import io.cascade.carriage.rendezvous.MeetingAnswer;
import io.cascade.carriage.rendezvous.MeetingNumber;
import io.cascade.carriage.rendezvous.MeetingRefusal;
import io.cascade.client.transfer.connection.ByteConnection;
import io.cascade.relay.RelayNode;
import io.cascade.testing.ReservedPort;
import java.io.IOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Clients meet at a real relay. */
@Timeout(60)
class RendezvousConnectionTest {
  private static final Duration PATIENCE = Duration.ofSeconds(10);
  private static final MeetingNumber NUMBER = number(1);

  private final BlockingQueue<JoinedConnection> joined = new LinkedBlockingQueue<>();
  private final BlockingQueue<String> told = new LinkedBlockingQueue<>();

  private final WaitingLine.Listener listener =
      new WaitingLine.Listener() {
        @Override
        public void joined(JoinedConnection connection) {
          joined.add(connection);
        }

        @Override
        public void interrupted(RendezvousFailed why) {
          told.add("interrupted: " + why.getMessage());
        }

        @Override
        public void restored() {
          told.add("restored");
        }
      };

  @Test
  void bothEndsHaveAConnectionAndKnowWhereTheOtherOneIs() throws Exception {
    try (RelayNode relay = MeetingRelay.start(0);
        RendezvousConnection waits =
            RendezvousConnection.await(MeetingRelay.at(relay), NUMBER, 1, PATIENCE)) {
      JoinedConnection sender =
          RendezvousConnection.join(MeetingRelay.at(relay), NUMBER, PATIENCE, false);
      JoinedConnection receiver = waits.awaitJoined();
      assertThat(receiver.peer().getAddress()).isEqualTo(InetAddress.getByName("127.0.0.1"));
      assertThat(sender.peer()).isNotEqualTo(receiver.peer());
      send(sender.connection(), "there");
      assertThat(receive(receiver.connection())).isEqualTo("there");
      send(receiver.connection(), "back");
      assertThat(receive(sender.connection())).isEqualTo("back");
    }
  }

  @Test
  void anEndLearnsWhereItsDatagramsComeFromWhileOneWaits() throws Exception {
    try (RelayNode relay = MeetingRelay.start(0);
        DatagramSocket end = new DatagramSocket(0, InetAddress.getByName("127.0.0.1"))) {
      InetSocketAddress at = new InetSocketAddress("127.0.0.1", MeetingRelay.at(relay).port());
      end.setSoTimeout(500);
      AddressQuestion question = new AddressQuestion(7, NUMBER);
      assertThatThrownBy(() -> ask(end, at, question)).isInstanceOf(SocketTimeoutException.class);
      try (RendezvousConnection _ =
          RendezvousConnection.await(MeetingRelay.at(relay), NUMBER, 1, PATIENCE)) {
        end.setSoTimeout(Math.toIntExact(PATIENCE.toMillis()));

        assertThat(ask(end, at, question))
            .isEqualTo(
                new AddressQuestion.Answer(7, (InetSocketAddress) end.getLocalSocketAddress()));
      }
    }
  }

  private static AddressQuestion.@Nullable Answer ask(
      DatagramSocket end, InetSocketAddress at, AddressQuestion question) throws IOException {
    byte[] bytes = question.encode().array();
    end.send(new DatagramPacket(bytes, bytes.length, at));
    DatagramPacket answer = new DatagramPacket(new byte[100], 100);
    end.receive(answer);
    return AddressQuestion.answered(ByteBuffer.wrap(answer.getData(), 0, answer.getLength()));
  }

  @Test
  void aLineKeepsItsPlacesWhateverNumberOfSendersJoins() throws Exception {
    try (RelayNode relay = MeetingRelay.start(0);
        WaitingLine _ = WaitingLine.open(MeetingRelay.at(relay), NUMBER, 3, listener)) {
      for (int i = 0; i < 20; i++) {
        JoinedConnection sender = join(MeetingRelay.at(relay));
        send(sender.connection(), "number " + i);
        assertThat(receive(take().connection())).isEqualTo("number " + i);
      }
      assertThat(told).isEmpty();
    }
  }

  @Test
  void aLineIsThereAgainAfterTheRelayHasRestarted() throws Exception {
    RelayNode relay = MeetingRelay.start(0);
    HostPort at = MeetingRelay.at(relay);
    try (WaitingLine _ = WaitingLine.open(at, NUMBER, 1, listener)) {
      relay.close();
      assertThat(told.poll(10, TimeUnit.SECONDS))
          .isEqualTo("interrupted: relay " + at + ": " + MeetingRefusal.LEAVING.words());
      relay = MeetingRelay.start(at.port());
      assertThat(told.poll(30, TimeUnit.SECONDS)).isEqualTo("restored");
      send(join(at).connection(), "after");
      assertThat(receive(take().connection())).isEqualTo("after");
    } finally {
      relay.close();
    }
  }

  @Test
  void aLineThatIsClosedWaitsNoMore() throws Exception {
    try (RelayNode relay = MeetingRelay.start(0)) {
      WaitingLine.open(MeetingRelay.at(relay), NUMBER, 2, listener).close();
      Awaitility.await()
          .untilAsserted(() ->
              assertThatThrownBy(() ->
                      RendezvousConnection.join(MeetingRelay.at(relay), NUMBER, PATIENCE, false))
                  .isInstanceOf(RendezvousFailed.class));
    }
  }

  @Test
  void whereNobodyWaitsTheSenderIsToldWhatToDo() throws Exception {
    try (RelayNode relay = MeetingRelay.start(0)) {
      assertThatThrownBy(
              () -> RendezvousConnection.join(MeetingRelay.at(relay), NUMBER, PATIENCE, false))
          .isInstanceOfSatisfying(
              RendezvousFailed.class,
              e -> assertThat(e.refusal()).isEqualTo(MeetingRefusal.NOBODY_WAITS))
          .hasMessage(
              "relay "
                  + MeetingRelay.at(relay)
                  + ": no end waits under this number; fix: start the receiver first, leave it"
                  + " running, and give the code that it prints");
    }
  }

  @Test
  void whereNothingListensTheFailureNamesTheOption() throws Exception {
    try (ReservedPort port = ReservedPort.take()) {
      HostPort nowhere = new HostPort("127.0.0.1", port.number());
      assertThatThrownBy(() -> RendezvousConnection.join(nowhere, NUMBER, PATIENCE, false))
          .hasMessageStartingWith("cannot connect to " + nowhere + ": connection refused")
          .hasMessageEndingWith("is the relay up, with --rendezvous, and is that its port?");
    }
  }

  @Test
  void whoIsNoRelayIsNotBelieved() throws Exception {
    List<byte[]> answers = new ArrayList<>();
    answers.add("HTTP/1.1 400 Bad Request\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
    answers.add(new byte[0]);
    answers.add(new MeetingAnswer.Waiting().encode().array());
    for (byte[] answer : answers) {
      try (ServerSocket server = new ServerSocket(0, 10, InetAddress.getByName("127.0.0.1"))) {
        Thread.ofVirtual()
            .start(() -> {
              try (Socket client = server.accept()) {
                client.getInputStream().readNBytes(44);
                client.getOutputStream().write(answer);
              } catch (IOException e) {
                // the client has what it needs
              }
            });
        HostPort at = new HostPort("127.0.0.1", server.getLocalPort());
        assertThatThrownBy(() -> RendezvousConnection.join(at, NUMBER, PATIENCE, false))
            .isInstanceOf(RendezvousFailed.class)
            .hasMessageStartingWith("relay " + at + ": ");
      }
    }
  }

  @Test
  void pausesDoubleUpToABound() {
    Duration pause = WaitingLine.LEAST_PAUSE;
    for (int i = 0; i < 20; i++) {
      pause = WaitingLine.longer(pause);
    }
    assertThat(pause).isEqualTo(WaitingLine.LONGEST_PAUSE);
  }

  /** Joins as soon as one waits again: the place of the last one is being taken. */
  private static JoinedConnection join(HostPort at) throws RendezvousFailed {
    return Awaitility.await()
        .ignoreException(RendezvousFailed.class)
        .until(() -> RendezvousConnection.join(at, NUMBER, PATIENCE, false), made -> made != null);
  }

  private JoinedConnection take() throws InterruptedException {
    return requireNonNull(joined.poll(10, TimeUnit.SECONDS));
  }

  private static void send(ByteConnection to, String text) throws IOException {
    ByteBuffer bytes = ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8));
    while (bytes.hasRemaining()) {
      to.write(bytes);
    }
    to.shutdownOutput();
  }

  private static String receive(ByteConnection from) throws IOException {
    ByteBuffer bytes = ByteBuffer.allocate(100);
    while (from.read(bytes) >= 0) {
      // on to the end
    }
    return new String(bytes.array(), 0, bytes.position(), StandardCharsets.UTF_8);
  }

  private static MeetingNumber number(int fill) {
    byte[] bytes = new byte[MeetingNumber.BYTES];
    Arrays.fill(bytes, (byte) fill);
    return MeetingNumber.of(bytes);
  }
}
