package io.cascade;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Every fault of every part has a test that exists, or a reason; the document says the same. */
class FaultMatrixTest {
  private static final Path DOCUMENT = Path.of("..", "docs", "reference", "faults.md");

  @Test
  void everyPartHasACellForEveryFault() {
    for (FaultMatrix.Fault fault : FaultMatrix.faults()) {
      assertThat(FaultMatrix.rows().get(fault)).as("%s", fault).hasSize(FaultMatrix.PARTS.size());
    }
  }

  @Test
  void everyTestThatIsNamedExists() throws IOException {
    Map<String, Set<String>> tests = NamedTests.ofAllModules();
    FaultMatrix.rows()
        .forEach((fault, cells) ->
            cells.forEach(cell -> {
              assertThat(cell.tests().size() + cell.reasons().size()).as("%s", fault).isPositive();
              for (String test : cell.tests()) {
                String name = test.replaceFirst("\\..*", "");
                assertThat(tests).as("%s", fault).containsKey(name);
                assertThat(tests.get(name))
                    .as("%s", fault)
                    .contains(test.substring(name.length() + 1));
              }
            }));
  }

  /** Where it does not: run this test with {@code -Dfaults.write=true}, and look what changed. */
  @Test
  void theDocumentSaysTheSame() throws IOException {
    if (Boolean.getBoolean("faults.write")) {
      Files.writeString(DOCUMENT, FaultMatrix.document());
    }
    assertThat(DOCUMENT).content().isEqualTo(FaultMatrix.document());
  }
}
