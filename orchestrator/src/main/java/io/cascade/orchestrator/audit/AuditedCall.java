package io.cascade.orchestrator.audit;

import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** A call that is being answered, as the trail will record it. Confined to its own thread. */
public final class AuditedCall {
  static final ScopedValue<AuditedCall> CURRENT = ScopedValue.newInstance();

  private final String caller;
  private final @Nullable String role;
  private final String address;
  private final UUID requestId = UUID.randomUUID();
  private @Nullable String operation;
  private @Nullable String object;

  /** Number of the call's entry; 0 before there is one. */
  private long entry;

  /**
   * @param role null before the caller is authenticated
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
   * Sets the operation and its object.
   *
   * @param does the operation; null if the trail does not record it
   */
  public void isAbout(@Nullable String does, @Nullable String what) {
    operation = does;
    object = what;
  }

  /** Whether the trail records this call and has no entry for it yet. */
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

  /** The operation; null if the trail does not record it. */
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
