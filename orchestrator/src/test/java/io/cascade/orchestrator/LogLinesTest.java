package io.cascade.orchestrator;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.joran.JoranConfigurator;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.LoggingEvent;
import ch.qos.logback.core.ConsoleAppender;
import ch.qos.logback.core.joran.spi.JoranException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What relays and callers wrote cannot forge a line of the log, whoever logs it. */
class LogLinesTest {
  private static final String FORGED = "2026-01-01T00:00:00.000 ERROR all is lost";

  @Test
  void aMessageIsOneLine() throws JoranException {
    assertThat(lines("host r1\n" + FORGED + "\r\u2028\u001b[2J", null))
        .singleElement()
        .asString()
        .endsWith("WARN host r1 " + FORGED + "   [2J");
  }

  @Test
  void theWordsOfAnExceptionDoNotBeginALine() throws JoranException {
    List<String> lines =
        lines("failed", new IllegalStateException("host r1\n" + FORGED + "\r" + FORGED));

    assertThat(lines.getFirst()).endsWith("WARN failed");
    assertThat(lines.subList(1, lines.size()))
        .hasSizeGreaterThan(2)
        .allMatch(line -> line.startsWith("    "))
        .anyMatch(line -> line.contains("at io.cascade.orchestrator.LogLinesTest"));
  }

  private static List<String> lines(String message, @Nullable Throwable failure)
      throws JoranException {
    LoggerContext context = new LoggerContext();
    JoranConfigurator configurator = new JoranConfigurator();
    configurator.setContext(context);
    configurator.doConfigure(Objects.requireNonNull(LogLinesTest.class.getResource("logback.xml")));
    Logger logger = context.getLogger("io.cascade.test");
    ConsoleAppender<ILoggingEvent> appender =
        (ConsoleAppender<ILoggingEvent>)
            context.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME).getAppender("STDERR");
    LoggingEvent event =
        new LoggingEvent("test", logger, Level.WARN, "{}", failure, new Object[] {message});
    String text = new String(appender.getEncoder().encode(event), StandardCharsets.UTF_8);
    context.stop();
    return List.of(text.split("\\R"));
  }
}
