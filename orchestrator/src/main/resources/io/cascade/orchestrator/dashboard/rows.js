/** What tables show of rows. */

/** The rows in which a column that sorts has the text, whatever the case. */
export function found(rows, columns, sought) {
  const text = sought.trim().toLowerCase();
  return text
    ? rows.filter((row) => columns.some((one) => String(one.by?.(row) ?? '').toLowerCase().includes(text)))
    : rows;
}

/** Seconds since a relay's process registered; undefined of one that is gone. */
export const uptime = (relay, now = Date.now()) => (relay.status === 'LOST' || relay.status === 'STOPPED'
  ? undefined
  : Math.max(0, Math.floor((now - new Date(relay.registeredAt).getTime()) / 1e3)));
