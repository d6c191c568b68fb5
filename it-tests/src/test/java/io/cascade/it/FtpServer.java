package io.cascade.it;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintWriter;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * As much of FTP (RFC 959, RFC 2428) as a client needs to fetch one file in extended passive mode.
 * As servers do by default, it refuses data connections of other hosts than the client's.
 */
final class FtpServer implements AutoCloseable {
  private static final InetAddress LOOPBACK = InetAddress.getLoopbackAddress();

  private final ServerSocket control;
  private final byte[] file;

  /** Data connections that came from the address of their control connection. */
  final AtomicInteger data = new AtomicInteger();

  /**
   * @throws IOException where the port of FTP cannot be had
   */
  FtpServer(byte[] file) throws IOException {
    this.file = file;
    control = new ServerSocket(21, 50, LOOPBACK);
    Thread.ofVirtual().name("ftp").start(this::accept);
  }

  private void accept() {
    while (!control.isClosed()) {
      try {
        Socket client = control.accept();
        Thread.ofVirtual().name("ftp-session").start(() -> serve(client));
      } catch (IOException e) {
        return;
      }
    }
  }

  private void serve(Socket client) {
    try (client;
        BufferedReader in =
            new BufferedReader(
                new InputStreamReader(client.getInputStream(), StandardCharsets.US_ASCII));
        PrintWriter out =
            new PrintWriter(client.getOutputStream(), false, StandardCharsets.US_ASCII)) {
      say(out, "220 ready");
      ServerSocket passive = null;
      for (String line = in.readLine(); line != null; line = in.readLine()) {
        switch (line.split(" ", 2)[0]) {
          case "USER" -> say(out, "331 password");
          case "PASS" -> say(out, "230 in");
          case "PWD" -> say(out, "257 \"/\"");
          case "TYPE", "CWD" -> say(out, "200 done");
          case "SIZE" -> say(out, "213 " + file.length);
          case "EPSV" -> {
            passive = new ServerSocket(0, 1, LOOPBACK);
            say(out, "229 Entering (|||" + passive.getLocalPort() + "|)");
          }
          case "RETR" -> send(client.getInetAddress(), passive, out);
          case "QUIT" -> {
            say(out, "221 bye");
            return;
          }
          default -> say(out, "502 not here");
        }
      }
    } catch (IOException e) {
      // The client sees its session end.
    }
  }

  private void send(InetAddress client, @Nullable ServerSocket passive, PrintWriter out)
      throws IOException {
    if (passive == null) {
      say(out, "425 use EPSV first");
      return;
    }
    try (passive;
        Socket connection = passive.accept()) {
      if (!connection.getInetAddress().equals(client)) {
        say(out, "425 not of this client");
        return;
      }
      data.incrementAndGet();
      say(out, "150 it comes");
      connection.getOutputStream().write(file);
    }
    say(out, "226 done");
  }

  private static void say(PrintWriter out, String line) {
    out.print(line + "\r\n");
    out.flush();
  }

  @Override
  public void close() throws IOException {
    control.close();
  }
}
