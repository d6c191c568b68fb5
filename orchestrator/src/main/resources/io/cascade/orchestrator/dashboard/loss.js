import { count, percent } from './format.js';

const SOURCES = { PROBE: 'probes', TEST: 'tests', STREAM: 'streams', CODED: 'coded hops', TRAIN: 'trains' };

/** The share of packets that a link loses, as plans estimate it; null where it was not measured. */
export const lossOf = (link) => link?.lossRate ?? null;

/** Where nothing was lost the estimate is more of a guess than of a measurement: its upper bound; null elsewhere. */
const boundOf = (link) => (link?.lossRateLow === 0 ? link.lossRateHigh ?? null : null);

/** For shades and order: 0 where nothing was lost. */
export const seenLoss = (link) => (boundOf(link) == null ? lossOf(link) : 0);

/** The share of probes that was lost in the window of measurement; null where none was sent. */
export const lostShare = (link) => (link.probesSent ? link.probesLost / link.probesSent : null);

/** The estimate in words. */
export const lossText = (link) => (boundOf(link) == null ? percent(lossOf(link)) : `none seen, below ${percent(boundOf(link))}`);

/** The same where there is little room. */
export const shortLoss = (link) => (boundOf(link) == null ? percent(lossOf(link)) : `< ${percent(boundOf(link))}`);

/** What a plan took for a hop's loss; of no loss in its packets nobody knows more than that. */
export const predictedLoss = (hop) => (hop?.probesSent > 0 && hop.probesLost === 0 ? 'none seen' : percent(hop?.lossRate));

/** What was lost of what was sent, by each source that the estimate rests on. */
export const lossCounts = (link) => {
  const counted = (link.evidence ?? []).filter((one) => one.sent > 0);
  return counted.length
    ? counted.map((one) => `${count(Math.round(one.lost))} of ${count(Math.round(one.sent))} (${SOURCES[one.source]})`).join(', ')
    : `${count(link.probesLost)} of ${count(link.probesSent)} (probes)`;
};
