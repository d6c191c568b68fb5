package io.cascade.orchestrator.audit;

import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** A call that is being answered, as the trail will tell of it. Used by its own thread alone. */
public final class AuditedCall {
  static final ScopedValue<AuditedCall> CURRENT = ScopedValue.newInstance();

  private final String caller;
  private final @Nullable String role;
  private final String address;
  private final UUID requestId = UUID.randomUUID();
  private @Nullable String operation;
  private @Nullable String object;

  /** Number of its entry; 0 before it has one. */
  private long entry;

  /**
   * @param role null before somebody signed in
   */
  public AuditedCall(String caller, @Nullable String role, String address) {
    this.caller = caller;
    this.role = role;
    this.address = address;
  }

  public static ScopedValue<AuditedCall> current() {
    return CURRENT;
  }

  public UUID requestId() {
    return requestId;
  }

  /**
   * What is done.
   *
   * @param does the operation; null where the trail is not to tell of it
   */
  public void isAbout(@Nullable String does, @Nullable String what) {
    operation = does;
    object = what;
  }

  /** Whether the trail is to tell of it and has no entry of it yet. */
  public boolean isUntold() {
    return operation != null && entry == 0;
  }

  void of(String what) {
    object = what;
  }

  void hasEntry(long number) {
    entry = number;
  }

  String caller() {
    return caller;
  }

  @Nullable String role() {
    return role;
  }

  String address() {
    return address;
  }

  /** Null where the trail does not tell of it. */
  @Nullable String operation() {
    return operation;
  }

  @Nullable String object() {
    return object;
  }

  long entry() {
    return entry;
  }
}
