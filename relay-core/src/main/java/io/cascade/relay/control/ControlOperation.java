package io.cascade.relay.control;

import io.cascade.relay.chain.PartRefused;
import io.cascade.relay.throughput.TestFailed;
import io.cascade.relay.throughput.TestRefused;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * An operation of the relay-control contract.
 *
 * @param path segments of its path, one of which may be {@code {chainId}} or {@code {testId}}
 * @param parameters the query parameters that it accepts
 * @param bodyLimit longest body in bytes; 0 if it accepts none
 * @param lane that bounds how many run at once
 */
record ControlOperation(
    String method, String path, Set<String> parameters, int bodyLimit, Lane lane, Action action) {

  static final String CHAIN_ID = "{chainId}";
  static final String TEST_ID = "{testId}";

  /**
   * Returns the chain's or the test's identifier as written in the path; empty where the operation
   * has none.
   *
   * @return null if the path does not match
   */
  @Nullable String match(String actual) {
    String[] wanted = path.split("/", -1);
    String[] given = actual.split("/", -1);
    if (wanted.length != given.length) {
      return null;
    }
    String chainId = "";
    for (int i = 0; i < wanted.length; i++) {
      if (wanted[i].equals(CHAIN_ID) || wanted[i].equals(TEST_ID)) {
        chainId = given[i];
      } else if (!wanted[i].equals(given[i])) {
        return null;
      }
    }
    return chainId;
  }

  /** Answers a request. */
  @FunctionalInterface
  interface Action {
    ControlResponse respond(Request request)
        throws ControlProblem, PartRefused, TestRefused, TestFailed, UnknownHostException;
  }

  /**
   * A request to an operation.
   *
   * @param id of the chain, or of the test; null where the operation has none
   * @param caller the address that sent it
   */
  record Request(
      @Nullable UUID id, Map<String, String> parameters, InputStream body, InetAddress caller) {
    Request {
      parameters = Map.copyOf(parameters);
    }

    UUID chain() {
      if (id == null) {
        throw new IllegalStateException("the operation has no " + CHAIN_ID);
      }
      return id;
    }

    UUID test() {
      if (id == null) {
        throw new IllegalStateException("the operation has no " + TEST_ID);
      }
      return id;
    }
  }
}
