package io.cascade.command;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.BindException;
import java.nio.channels.UnresolvedAddressException;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** How the command line treats words of others and mistyped ones. */
class WordsTest {
  private static final List<String> VERBS = List.of("open", "close", "plan", "relay", "relays");

  @ParameterizedTest
  @CsvSource({"opne,open", "opn,open", "clsoe,close", "relais,relays", "Plan,plan", "xyz,", "o,"})
  void theNearestVerbIsGuessed(String typed, String meant) {
    assertThat(Suggestion.nearest(typed, VERBS).orElse(null)).isEqualTo(meant);
  }

  @Test
  void aSwapIsOneChange() {
    assertThat(Suggestion.distance("opne", "open")).isEqualTo(1);
    assertThat(Suggestion.distance("", "open")).isEqualTo(4);
    assertThat(Suggestion.distance("open", "open")).isZero();
  }

  @Test
  void whatMovesTheCursorOrTurnsTextIsASpace() {
    assertThat(Printable.line("a\tb\u001b[2Jc\u202ed\u2066e\u2028f\u0085g"))
        .isEqualTo("a b [2Jc d e f g");
    assertThat(Printable.line("Zürich → 東京")).isEqualTo("Zürich → 東京");
  }

  @ParameterizedTest
  @CsvSource({
    "control port /127.0.0.1:80: Permission denied,control port /127.0.0.1:80: this user may not listen there; ports below 1024 need more rights",
    "bind(..) failed with error(-98): Address already in use,another program listens there already",
    "Cannot assign requested address,this machine has no such address",
    "something else,something else"
  })
  void bindErrorsAreInPlainWords(String system, String plain) {
    assertThat(ListenFailure.words(new BindException(system))).isEqualTo(plain);
  }

  @Test
  void aNameThatDoesNotResolveIsNoPlaceToListen() {
    assertThat(ListenFailure.words(new UnresolvedAddressException()))
        .isEqualTo("the name does not resolve");
  }
}
