package io.cascade.studies.topologies;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PairTableTest {

  @ParameterizedTest
  @CsvSource({
    "CLOUD_ROUND_TRIPS, 69, 4692",
    "CLOUD_THROUGHPUT, 63, 3906",
    "CLOUD_THROUGHPUT_EARLIER, 30, 870",
    "CLOUD_THROUGHPUT_LATER, 27, 702",
    "CLOUD_EGRESS_PRICES, 63, 3906",
    "AZURE_ROUND_TRIPS, 51, 2350"
  })
  void publishedTablesAreComplete(PublishedTable table, int regions, int pairs) {
    assertThat(table.read().regions()).hasSize(regions);
    assertThat(table.read().pairs()).isEqualTo(pairs);
  }

  @ParameterizedTest
  @CsvSource({
    "CLOUD_ROUND_TRIPS, aws:eu-north-1, azure:eastus, 105.9",
    "CLOUD_ROUND_TRIPS, azure:westeurope, aws:ap-east-1, 190.25",
    "CLOUD_THROUGHPUT, azure:germanywestcentral, aws:eu-west-2, 9374",
    "CLOUD_THROUGHPUT_EARLIER, aws:us-east-2, aws:us-west-2, 4474",
    "CLOUD_THROUGHPUT_LATER, gcp:us-west4-a, gcp:asia-northeast1-a, 5378",
    "CLOUD_EGRESS_PRICES, aws:af-south-1, aws:ap-east-1, 0.147",
    "AZURE_ROUND_TRIPS, azure:australiacentral, azure:brazilsouth, 302"
  })
  void publishedValuesStandWhereTheyBelong(
      PublishedTable table, String from, String to, double value) {
    assertThat(table.read().value(from, to)).hasValue(value);
  }

  @Test
  void missingCellsAreNoValues() {
    PairTable table = PairTable.parse("from,a,b\na,,3\nb,,\n");

    assertThat(table.value("a", "b")).hasValue(3);
    assertThat(table.value("b", "a")).isEmpty();
    assertThat(table.value("c", "a")).isEmpty();
    assertThat(table.pairs()).isEqualTo(1);
  }

  @Test
  void rowOfAnotherLengthIsRefused() {
    assertThatThrownBy(() -> PairTable.parse("from,a,b\na,,3,4\n"))
        .hasMessage("row of a: 4 cells (expected: 3)");
  }

  @Test
  void pairsThatTheOtherTableLacksAreLeftOut() {
    PairTable table = PairTable.parse("from,a,b,c\na,,3,4\nb,5,,6\n");
    PairTable other = PairTable.parse("from,a,b,c\na,,1,\nb,1,,\n");

    assertThat(table.within(other)).isEqualTo(PairTable.parse("from,a,b,c\na,,3,\nb,5,,\n"));
  }

  @Test
  void repeatedTestsDifferByAQuarterAndMore() {
    assertThat(RepeatedTests.read().pairs()).isEqualTo(61);
    assertThat(RepeatedTests.read().relativeError()).isBetween(0.25, 0.3);
  }
}
