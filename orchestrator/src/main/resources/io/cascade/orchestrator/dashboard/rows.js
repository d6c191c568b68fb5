/** What tables show of rows. */

/** The rows in which a column that sorts has the text, whatever the case. */
export function found(rows, columns, sought) {
  const text = sought.trim().toLowerCase();
  return text
    ? rows.filter((row) => columns.some((one) => String(one.by?.(row) ?? '').toLowerCase().includes(text)))
    : rows;
}

/**
 * Seconds for which a relay's process is up: as it says itself, otherwise since it registered; undefined of one that
 * is gone.
 */
export function uptime(relay, said, now = Date.now()) {
  if (relay.status === 'LOST' || relay.status === 'STOPPED') return undefined;
  return Math.max(0, Math.floor(said ?? (now - new Date(relay.registeredAt).getTime()) / 1e3));
}
