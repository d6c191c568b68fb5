// Which views whoever is signed in may see.

import { live, may } from './live.js';

/** What pages ask for beyond relays and chains. */
const NEEDED = {
  topology: 'network:read', links: 'network:read', gateways: 'network:read', splitters: 'network:read',
  plan: 'plans', advice: 'network:read', events: 'network:read', audit: 'audit:read',
};

export const isOpen = (view) => !live.me || !NEEDED[view] || may(NEEDED[view]);
