package io.cascade.orchestrator.store;

import io.cascade.api.Json;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import org.jspecify.annotations.Nullable;

/** Conversion of times and documents to columns, in a form that both H2 and PostgreSQL support. */
public final class Columns {
  private Columns() {}

  public static OffsetDateTime time(Instant instant) {
    return instant.atOffset(ZoneOffset.UTC);
  }

  public static Instant time(ResultSet row, String column) throws SQLException {
    return row.getObject(column, OffsetDateTime.class).toInstant();
  }

  public static @Nullable OffsetDateTime timeOrNull(@Nullable Instant instant) {
    return instant == null ? null : time(instant);
  }

  public static @Nullable Instant timeOrNull(ResultSet row, String column) throws SQLException {
    OffsetDateTime time = row.getObject(column, OffsetDateTime.class);
    return time == null ? null : time.toInstant();
  }

  public static @Nullable String json(@Nullable Object document) {
    return document == null ? null : Json.lenient().writeValueAsString(document);
  }

  /** Lenient: rows of an older version may lack properties or have others. */
  public static <T> @Nullable T json(ResultSet row, String column, Class<T> type)
      throws SQLException {
    String text = row.getString(column);
    return text == null ? null : Json.lenient().readValue(text, type);
  }
}
