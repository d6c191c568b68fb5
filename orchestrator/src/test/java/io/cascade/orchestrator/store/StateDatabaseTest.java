package io.cascade.orchestrator.store;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import org.junit.jupiter.api.Test;

class StateDatabaseTest {
  @Test
  void aServerThatIsAwayIsToldFromOtherFailures() {
    assertThat(
            StateDatabase.isAway(
                new IllegalStateException(
                    "bean", new SQLTransientConnectionException("request timed out"))))
        .isTrue();
    assertThat(StateDatabase.isAway(new SQLException("starting up", "57P03"))).isTrue();
    assertThat(StateDatabase.isAway(new SQLException("refused", "08001"))).isTrue();
    assertThat(StateDatabase.isAway(new SQLException("no such table", "42P01"))).isFalse();
    assertThat(StateDatabase.isAway(new SQLException("no state", (String) null))).isFalse();
    assertThat(StateDatabase.isAway(new IllegalStateException("other"))).isFalse();
  }
}
