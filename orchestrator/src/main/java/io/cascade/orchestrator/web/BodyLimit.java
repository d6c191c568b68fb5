package io.cascade.orchestrator.web;

import io.cascade.orchestrator.problems.ProblemKind;
import io.cascade.orchestrator.problems.ProblemResponse;
import io.cascade.orchestrator.problems.Refusal;
import io.cascade.orchestrator.security.Caller;
import io.cascade.orchestrator.time.Timekeeper;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ReadListener;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletInputStream;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletRequestWrapper;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import org.springframework.core.annotation.Order;
import org.springframework.http.HttpHeaders;
import org.springframework.stereotype.Component;
import org.springframework.web.filter.OncePerRequestFilter;

/**
 * Limits the size of a body, the time for its arrival, and the memory of all bodies. No request
 * needs more than a few megabytes: a heartbeat with ten thousand links has two.
 */
@Component
@Order(BodyLimit.AFTER_THE_TOKEN)
class BodyLimit extends OncePerRequestFilter {
  static final int AFTER_THE_TOKEN = 10;
  static final int MOST_BYTES = 4 << 20;

  private static final String RETRY_AFTER_SECONDS = "1";

  private final BodyMemory memory;
  private final Timekeeper time;

  BodyLimit(BodyMemory memory, Timekeeper time) {
    this.memory = memory;
    this.time = time;
  }

  @Override
  protected void doFilterInternal(
      HttpServletRequest request, HttpServletResponse response, FilterChain rest)
      throws ServletException, IOException {
    if (request.getContentLengthLong() > MOST_BYTES) {
      ProblemResponse.write(response, ProblemKind.TOO_LARGE, tooLarge());
      return;
    }
    try (BodyMemory.Share share = memory.open(Caller.ownerOfRequest())) {
      rest.doFilter(new Bounded(request, response, share, time), response);
    }
  }

  private static String tooLarge() {
    return "body (expected: at most " + MOST_BYTES + " bytes)";
  }

  /** Counts the bytes that are read, for bodies without a length, and checks the deadline. */
  private static final class Bounded extends HttpServletRequestWrapper {
    private final HttpServletResponse response;
    private final BodyMemory.Share share;
    private final Timekeeper time;
    private final long begun;

    Bounded(
        HttpServletRequest request,
        HttpServletResponse response,
        BodyMemory.Share share,
        Timekeeper time) {
      super(request);
      this.response = response;
      this.share = share;
      this.time = time;
      this.begun = time.mark();
    }

    @Override
    public ServletInputStream getInputStream() throws IOException {
      ServletInputStream body = super.getInputStream();
      return new ServletInputStream() {
        private long read;

        @Override
        public int read() throws IOException {
          byte[] next = new byte[1];
          return read(next, 0, 1) < 0 ? -1 : Byte.toUnsignedInt(next[0]);
        }

        @Override
        public int read(byte[] target, int offset, int length) throws IOException {
          int count = body.read(target, offset, length);
          if (count > 0) {
            count(target, offset, count);
          }
          return count;
        }

        private void count(byte[] bytes, int offset, int length) {
          read += length;
          if (read > MOST_BYTES) {
            throw new Refusal(ProblemKind.TOO_LARGE, tooLarge());
          }
          Refusal full = share.add(bytes, offset, length);
          if (full != null) {
            if (full.kind() != ProblemKind.TOO_LARGE) {
              response.setHeader(HttpHeaders.RETRY_AFTER, RETRY_AFTER_SECONDS);
            }
            throw full;
          }
          if (time.passed(begun, WholeRequests.DEADLINE)) {
            throw new Refusal(
                ProblemKind.TOO_SLOW,
                "body (expected: complete within " + WholeRequests.DEADLINE.toSeconds() + " s)");
          }
        }

        @Override
        public boolean isFinished() {
          return body.isFinished();
        }

        @Override
        public boolean isReady() {
          return body.isReady();
        }

        @Override
        public void setReadListener(ReadListener listener) {
          body.setReadListener(listener);
        }
      };
    }
  }
}
