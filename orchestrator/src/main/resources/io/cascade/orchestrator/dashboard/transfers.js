// What the reports of senders say of their transfers.

/** The share that has arrived; undefined where the size is not known. Nothing of nothing is all. */
export const done = ({ size, bytes }) => (size === undefined ? undefined : size === 0 ? 1 : Math.min(1, bytes / size));

/** Who sends: the key's name, where it has one, and the address. */
export const sentBy = ({ owner, client }) => [owner, client].filter(Boolean).join(' · ');
