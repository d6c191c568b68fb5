// What the reader knows of and does not want to be told for a while, each with the reason. Kept by the browser.

const KEPT = 'cascade.silences';
const MOST = 500;

/** Characters. */
export const LONGEST_REASON = 200;

const isSilence = (one) => typeof one?.key === 'string' && Number.isFinite(one.until) && Array.isArray(one.members);

function kept() {
  try {
    const all = JSON.parse(localStorage.getItem(KEPT));
    return Array.isArray(all) ? all.filter(isSilence) : [];
  } catch {
    return [];
  }
}

/** The oldest are forgotten first. */
function keep(all) {
  try {
    localStorage.setItem(KEPT, JSON.stringify(all.slice(-MOST)));
  } catch {
    throw new Error('This browser keeps nothing for this page: let it store data of this site, or free some of its storage.');
  }
}

/** Those that are not over: { key, what, level, members, reason, until }, until in milliseconds of the wall clock. */
export const silences = (now = Date.now()) => kept().filter((one) => one.until > now);

/** Silences items of what needs attention, as bad as they are now. */
export function silence(items, reason, millis, now = Date.now()) {
  const why = reason.trim();
  if (!why || why.length > LONGEST_REASON) throw new Error(`Give a reason, of ${LONGEST_REASON} characters at most.`);
  const more = items.map(({ key, what, level = 0, members = [] }) => ({ key, what, level, members, reason: why, until: now + millis }));
  const keys = new Set(more.map((one) => one.key));
  keep([...silences(now).filter((one) => !keys.has(one.key)), ...more]);
}

export function endSilence(key) {
  keep(kept().filter((one) => one.key !== key));
}

/** Whether the item is what was silenced, and no worse: no higher by more than its margin, and of nothing else. */
export const covers = (one, item) =>
  one.key === item.key
  && (item.level ?? 0) <= one.level * (item.margin ?? 1)
  && (item.members ?? []).every((member) => one.members.includes(member));
