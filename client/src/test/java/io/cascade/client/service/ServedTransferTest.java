package io.cascade.client.service;

import static org.assertj.core.api.Assertions.assertThat;

import io.cascade.api.transfers.TransferState;
import io.cascade.client.service.ServedTransfer.Event;
import java.util.EnumMap;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ServedTransferTest {
  @Test
  void everyPairOfStateAndEventIsAsTheTableSays() {
    Map<TransferState, String> rows = new EnumMap<>(TransferState.class);
    for (TransferState state : TransferState.values()) {
      StringBuilder row = new StringBuilder();
      for (Event event : Event.values()) {
        row.append(ServedTransfer.after(state, event)).append(' ');
      }
      rows.put(state, row.toString().strip());
    }

    // BEGINS, ARRIVES, FAILS, STOPS, RESTARTS
    assertThat(rows)
        .containsEntry(TransferState.WAITING, "RUNNING WAITING WAITING STOPPED WAITING")
        .containsEntry(TransferState.RUNNING, "RUNNING ARRIVED FAILED STOPPED WAITING")
        .containsEntry(TransferState.ARRIVED, "ARRIVED ARRIVED ARRIVED ARRIVED ARRIVED")
        .containsEntry(TransferState.FAILED, "FAILED FAILED FAILED FAILED FAILED")
        .containsEntry(TransferState.STOPPED, "STOPPED STOPPED STOPPED STOPPED STOPPED");
  }
}
