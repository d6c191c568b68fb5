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

  private final StringWriter said = new StringWriter();

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

  @Test
  void keepsTheNoteOfTheMachineWhereNothingCouldBeMeasured() {
    assertThat(run(new Sums("a", _ -> null))).isEqualTo(1);

    assertThat(note).hasContent(ANOTHER_MACHINE);
  }

  @Test
  void writesNoPageWithoutResults() {
    assertThat(run(new Sums("a", _ -> null))).isEqualTo(1);
    assertThat(run(new Sums("a"), "--report-only", "--out", folder.toString())).isEqualTo(1);

    assertThat(folder.resolve("sums.md")).doesNotExist();
    assertThat(said.toString()).contains("not written, for there are no results of it in ");
  }

  @Test
  void aPageWithoutResultsIsReplacedOnlyByAMeasurementThatNamesItsFolder() throws Exception {
    Path page = Files.writeString(folder.resolve("sums.md"), "Of an older run");

    assertThat(run(new Sums("a"), "--report-only", "--out", folder.toString())).isEqualTo(1);
    assertThat(run(new Sums("a"), "--report-only")).isEqualTo(1);
    assertThat(said.toString()).contains("name another folder with --out").doesNotContain("anew");
    assertThat(run(new Sums("a"), new String[0])).isEqualTo(1);
    assertThat(said.toString()).contains("anew: --out " + folder);
    assertThat(page).hasContent("Of an older run");

    assertThat(run(new Sums("a"))).isZero();
    assertThat(page).hasContent("# Sums");
    assertThat(run(new Sums("a"), new String[0])).as("with its results beside it").isZero();
  }

  @Test
  void resultsOfASecondListAreEnoughForAPage() throws Exception {
    Files.writeString(folder.resolve("sums.md"), "Of an older run");
    new StudyFolder(folder, "sums").results("more", Sum.class, Sum::key).append(new Sum("b", 1));

    assertThat(run(new TwoLists(), "--report-only", "--out", folder.toString())).isZero();

    assertThat(folder.resolve("sums.md")).hasContent("# Sums");
  }

  private int run(Sums study) {
    return run(study, "--out", folder.toString());
  }

  private int run(Sums study, String... arguments) {
    return new CommandLine(study)
        .setOut(new PrintWriter(said))
        .setErr(new PrintWriter(said))
        .execute(arguments);
  }

  record Sum(String key, int value) {}

  @Command(name = "sums")
  private class Sums extends Study<String, Sum> {
    private final String task;
    private final Bench<String, Sum> bench;

    Sums(String task) {
      this(task, one -> new Sum(one, 1));
    }

    Sums(String task, Bench<String, Sum> bench) {
      super("sums", 1, Sum.class, Sum::key);
      this.task = task;
      this.bench = bench;
    }

    @Override
    protected Path usualFolder() {
      return folder;
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
      return bench;
    }

    @Override
    public String words(Sum result) {
      return "" + result.value();
    }
  }

  private final class TwoLists extends Sums {
    TwoLists() {
      super("a");
    }

    private JsonLines<Sum> more() {
      return folder().results("more", Sum.class, Sum::key);
    }

    @Override
    protected List<JsonLines<?>> allResults() {
      return List.of(results(), more());
    }

    @Override
    protected boolean measure(PrintWriter err) throws Exception {
      return super.measure(err) && measure(new Sums("b"), more(), List.of("b"), 1, err);
    }
  }
}
