import io.cascade.client.api.Receiver;
import io.cascade.client.api.Sender;
import io.cascade.client.transfer.Received;
import io.cascade.client.transfer.Sent;
import java.net.InetSocketAddress;
import java.nio.file.Path;

/**
 * Receives a file at an address of this host and prints the code for its sender, or sends one:
 *
 * <pre>
 * java SendByCode receive FOLDER ADDRESS
 * java SendByCode send FILE CODE
 * </pre>
 */
public final class SendByCode {
  private SendByCode() {}

  public static void main(String[] arguments) throws Exception {
    switch (arguments[0]) {
      case "receive" -> receive(Path.of(arguments[1]), arguments[2]);
      case "send" -> send(Path.of(arguments[1]), arguments[2]);
      default -> throw new IllegalArgumentException(arguments[0] + " (expected: receive or send)");
    }
  }

  private static void receive(Path folder, String address) throws Exception {
    try (Receiver receiver =
        Receiver.into(folder)
            .listeningAt(new InetSocketAddress(address, 0))
            .tellingCodes(code -> System.out.println("code " + code))
            .openWithCode()) {
      Received file = receiver.next();
      System.out.println("received " + file.file().getFileName() + " " + file.sha256());
    }
  }

  private static void send(Path file, String code) throws Exception {
    Sent sent = Sender.toCode(code).send(file);
    System.out.println("sent " + sent.bytes() + " bytes " + sent.sha256());
  }
}
