package io.cascade.orchestrator.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cascade.command.CommandException;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PostgresServerTest {
  @ParameterizedTest
  @ValueSource(
      strings = {
        "postgresql://db.example.net/cascade",
        "postgresql://192.0.2.1:5433/cascade?user=cascade",
        "jdbc:postgresql://localhost.example.net/cascade",
        "postgresql://127.0.0.1,db.example.net/cascade",
        "postgresql://[2001:db8::1]/cascade?ssl=false",
        "postgresql://127.0.0.1/cascade?PGHOST=db.example.net",
        "postgresql://db.example.net/cascade?sslmode="
      })
  void beyondLoopbackTheUrlSaysHowTheServerIsVerified(String url) {
    assertThatThrownBy(() -> new PostgresServer(url, "cascade", "secret-word"))
        .isInstanceOf(CommandException.class)
        .hasMessageContaining("sslmode=verify-full")
        .hasMessageContaining("sslmode=disable")
        .hasMessageNotContaining("secret-word");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "postgresql://127.0.0.1:5433/cascade",
        "postgresql://localhost/cascade",
        "postgresql://[::1]:5433/cascade",
        "postgresql:cascade",
        "postgresql://db.example.net/cascade?sslmode=verify-full&sslrootcert=/etc/db.pem",
        "postgresql://db.example.net/cascade?user=cascade&sslmode=disable",
        "postgresql://db.example.net/cascade?sslmode=require",
        "postgresql://db.example.net/cascade?ssl=true"
      })
  void onThisMachineAndWhereItIsSaidTheUrlIsTaken(String url) {
    assertThat(new PostgresServer(url, null, null).url()).isEqualTo("jdbc:" + url);
  }

  @ParameterizedTest
  @ValueSource(strings = {"mysql://127.0.0.1/cascade", "postgresql:", "postgresql://127.0.0.1:x/c"})
  void whatIsNoUrlIsRefused(String url) {
    assertThatThrownBy(() -> new PostgresServer(url, null, null))
        .isInstanceOf(CommandException.class)
        .hasMessageContaining("expected: postgresql://HOST[:PORT]/DATABASE");
  }
}
