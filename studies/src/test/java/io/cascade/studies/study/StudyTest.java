package io.cascade.studies.study;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;
import picocli.CommandLine.Command;

@Timeout(60)
class StudyTest {
  private static final String ANOTHER_MACHINE = "{\"noted\":\"elsewhere\"}\n";

  @TempDir private Path folder;

  @SuppressWarnings("NullAway.Init")
  private Path note;

  @BeforeEach
  void anotherMachineMeasured() throws Exception {
    note = folder.resolve("results").resolve("sums.machine.json");
    Files.createDirectories(note.getParent());
    Files.writeString(note, ANOTHER_MACHINE);
  }

  @Test
  void keepsTheNoteOfTheMachineWhereNothingIsLeftToMeasure() throws Exception {
    new StudyFolder(folder, "sums").results(Sum.class, Sum::key).append(new Sum("a", 1));

    assertThat(run(new Sums("a"))).isZero();

    assertThat(note).hasContent(ANOTHER_MACHINE);
  }

  @Test
  void notesThisMachineWhereSomethingIsLeftToMeasure() {
    assertThat(run(new Sums("a"))).isZero();

    assertThat(note).content().isNotEqualTo(ANOTHER_MACHINE);
  }

  @Test
  void notesThisMachineForASecondListOfWhichSomethingIsLeft() throws Exception {
    new StudyFolder(folder, "sums").results(Sum.class, Sum::key).append(new Sum("a", 1));

    assertThat(run(new TwoLists())).isZero();

    assertThat(note).content().isNotEqualTo(ANOTHER_MACHINE);
  }

  private int run(Sums study) {
    StringWriter said = new StringWriter();
    return new CommandLine(study)
        .setOut(new PrintWriter(said))
        .setErr(new PrintWriter(said))
        .execute("--out", folder.toString());
  }

  record Sum(String key, int value) {}

  @Command(name = "sums")
  private static class Sums extends Study<String, Sum> {
    private final String task;

    Sums(String task) {
      super("sums", 1, Sum.class, Sum::key);
      this.task = task;
    }

    @Override
    protected List<String> tasks() {
      return List.of(task);
    }

    @Override
    protected Page page() {
      return new Page("Sums");
    }

    @Override
    public String key(String one) {
      return one;
    }

    @Override
    public Bench<String, Sum> open(int number) {
      return one -> new Sum(one, 1);
    }

    @Override
    public String words(Sum result) {
      return "" + result.value();
    }
  }

  private static final class TwoLists extends Sums {
    TwoLists() {
      super("a");
    }

    @Override
    protected boolean measure(PrintWriter err) throws Exception {
      return super.measure(err)
          && measure(
              new Sums("b"), folder().results("more", Sum.class, Sum::key), List.of("b"), 1, err);
    }
  }
}
