// Where relays stand on the map: far apart where packets take long between them.

/**
 * Stress majorisation (Gansner, Koren, North 2004, the SMACOF step): each turn puts every node where
 * the wanted distances to all others pull it. Near pairs count more. Deterministic; earlier places
 * are kept as far as they fit, so the map does not jump.
 *
 * @param names nodes
 * @param distance the wanted distance of two of them
 * @param before places of an earlier call
 */
export function place(names, distance, before = new Map(), turns = 80) {
  const n = names.length;
  const at = names.map((name, i) => before.get(name) ?? [
    Math.cos((2 * Math.PI * i) / n) * (1 + 0.01 * i),
    Math.sin((2 * Math.PI * i) / n) * (1 - 0.01 * i),
  ]);
  const wanted = names.map((a) => names.map((b) => distance(a, b)));
  for (let turn = 0; turn < turns; turn++) {
    for (let i = 0; i < n; i++) {
      let [x, y, weights] = [0, 0, 0];
      for (let j = 0; j < n; j++) {
        if (i === j) continue;
        const far = Math.hypot(at[i][0] - at[j][0], at[i][1] - at[j][1]) || 1e-6;
        const weight = wanted[i][j] ** -2;
        x += weight * (at[j][0] + (wanted[i][j] * (at[i][0] - at[j][0])) / far);
        y += weight * (at[j][1] + (wanted[i][j] * (at[i][1] - at[j][1])) / far);
        weights += weight;
      }
      if (weights) at[i] = [x / weights, y / weights];
    }
  }
  return new Map(names.map((name, i) => [name, at[i]]));
}

/** Puts places into a box, longer side along the box's. */
export function fit(places, width, height, margin) {
  const all = [...places.values()];
  if (!all.length) return new Map();
  const mean = (k) => all.reduce((sum, point) => sum + point[k], 0) / all.length;
  const [cx, cy] = [mean(0), mean(1)];
  let [xx, xy, yy] = [0, 0, 0];
  for (const [x, y] of all) {
    xx += (x - cx) ** 2;
    yy += (y - cy) ** 2;
    xy += (x - cx) * (y - cy);
  }
  const turn = 0.5 * Math.atan2(2 * xy, xx - yy);
  const turned = all.map(([x, y]) => [
    (x - cx) * Math.cos(turn) + (y - cy) * Math.sin(turn),
    (y - cy) * Math.cos(turn) - (x - cx) * Math.sin(turn),
  ]);
  const low = (k) => Math.min(...turned.map((point) => point[k]));
  const high = (k) => Math.max(...turned.map((point) => point[k]));
  const [w, h] = [high(0) - low(0), high(1) - low(1)];
  const scale = Math.min(w > 0 ? (width - 2 * margin) / w : Infinity, h > 0 ? (height - 2 * margin) / h : Infinity);
  const by = Number.isFinite(scale) ? scale : 0;
  return new Map([...places.keys()].map((name, i) => [name, [
    width / 2 + (turned[i][0] - (low(0) + high(0)) / 2) * by,
    height / 2 + (turned[i][1] - (low(1) + high(1)) / 2) * by,
  ]]));
}

const CLEAR = { left: 48, right: 48, above: 62, below: 50 }; // Around a node, for its circle and its name.

/**
 * Boxes of the sites: one around all relays of a site, or one around each where that would hold a relay of another one.
 *
 * @param relays with their names and sites
 * @param at their places, by name
 */
export function siteBoxes(relays, at) {
  const bySite = new Map();
  for (const relay of relays) bySite.set(relay.site, [...(bySite.get(relay.site) ?? []), relay]);
  return [...bySite].flatMap(([site, members]) => {
    const whole = box(site, members.map(({ name }) => at.get(name)));
    const strange = relays.some((relay) => relay.site !== site && holds(whole, at.get(relay.name)));
    return strange ? members.map(({ name }) => box(site, [at.get(name)])) : [whole];
  });
}

function box(site, points) {
  const xs = points.map(([x]) => x);
  const ys = points.map(([, y]) => y);
  const [x, y] = [Math.min(...xs) - CLEAR.left, Math.min(...ys) - CLEAR.above];
  return { site, x, y, width: Math.max(...xs) - x + CLEAR.right, height: Math.max(...ys) - y + CLEAR.below };
}

const holds = ({ x, y, width, height }, [px, py]) => px > x && px < x + width && py > y && py < y + height;

/**
 * The direction in which a node's name meets no line: the middle of the widest gap between its lines, as an angle
 * clockwise from the right. Below where the gap holds that, for names are looked for there.
 *
 * @param others where the lines lead
 */
export function freeDirection([x, y], others) {
  const below = Math.PI / 2;
  const angles = others.map(([ox, oy]) => Math.atan2(oy - y, ox - x)).sort((a, b) => a - b);
  if (!angles.length) return below;
  const round = 2 * Math.PI;
  const gaps = angles.map((from, i) => ({ from, width: (angles[i + 1] ?? angles[0] + round) - from }));
  const { from, width } = gaps.reduce((best, gap) => (gap.width > best.width + 1e-9 ? gap : best));
  const clear = Math.min(width / 2, Math.PI / 3);
  const after = (((below - from) % round) + round) % round;
  return after >= clear && after <= width - clear ? below : from + width / 2;
}
