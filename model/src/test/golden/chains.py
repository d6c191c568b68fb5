"""Cascades, uncertainty, and the equations of "Cascaded TCP" as printed."""

from decimal import Decimal as D
from math import ceil, exp, sqrt

from connection import INFINITE, payload, payload_share, power, root, steady


class Hop:
    """A connection between neighbours; texts as in the file, values exact."""

    def __init__(self, rtt, loss, capacity, mtu, control, window):
        self.text = ":".join((rtt, loss, capacity, str(mtu), control, window))
        self.rtt, self.loss = D(rtt), D(loss)
        self.mss = payload(mtu, True)
        wire = INFINITE if capacity == "-" else D(capacity)
        self.capacity = wire * payload_share(mtu, True, 38)
        self.rate = steady(control, self.rtt, self.loss, self.mss, self.capacity,
                           INFINITE if window == "-" else D(window))
        self.fastest = min(self.capacity,
                           INFINITE if window == "-" else 8 * D(window) / self.rtt)
        # the share of a window that a loss leaves; BBR does not go by single losses
        kept = {"reno": D("0.5"), "cubic": D("0.7")}.get(control)
        self.sinks = kept is not None and self.loss > 0 and self.rate < self.fastest
        if self.sinks:
            self.kept = kept
        self.way = self.rtt / 2 + (0 if capacity == "-" else 8 * self.mss / self.capacity)


def setup(mode, rtts):
    if mode == "WARM":
        return rtts[0]
    if mode == "SEQUENTIAL":
        return sum(sum(rtts[:i + 1]) for i in range(len(rtts)))
    return sum(rtts)


def loss_per_hop(p, hops):
    return 1 - power(1 - p, 1 / D(hops))


class Window:
    """In packets, as a transfer goes on: first what fits, then sinking at every loss that is due."""

    def __init__(self, hop, w1):
        self.rtt = hop.rtt
        self.steady = hop.rate * hop.rtt / (8 * hop.mss)
        if not hop.sinks:
            self.full, self.quiet = self.steady, INFINITE
            return
        self.full = hop.fastest * hop.rtt / (8 * hop.mss)
        self.quiet = 1 / hop.loss
        self.sinking = 2 * (1 - hop.kept) * hop.loss
        self.first = max(self.steady, min(self.full, hop.kept * (w1 + self.quiet)))

    def at(self, after):
        """So many packets after the first loss."""
        return root(self.steady ** 2
                    + (self.first ** 2 - self.steady ** 2) * (-self.sinking * after).exp())

    def seconds(self, packets):
        """For so many packets, windows being what they are: the integral of RTT over the window."""
        early = min(D(packets), self.quiet)
        time = D(0) if self.full == INFINITE else early * self.rtt / self.full
        if packets > self.quiet:
            after = packets - self.quiet
            head, tail = self.first / self.steady, self.at(after) / self.steady
            time += self.rtt / self.steady * (
                after - 2 / self.sinking * ((1 + head) / (1 + tail)).ln())
        return time

    def gaps(self, packets):
        """Packet by packet, in binary numbers: from each to the next."""
        full, quiet, rtt = float(self.full), float(self.quiet), float(self.rtt)
        if self.quiet == INFINITE:
            return [rtt / full] * packets
        steady, first, sinking = float(self.steady), float(self.first), float(self.sinking)
        gaps = []
        for m in range(1, packets + 1):
            early = min(1.0, max(0.0, quiet - (m - 1)))
            middle = (max(m - 1, quiet) + m) / 2 - quiet
            late = 0.0 if m <= quiet else rtt / sqrt(
                steady ** 2 + (first ** 2 - steady ** 2) * exp(-sinking * middle))
            gaps.append(early * rtt / full + (1 - early) * late)
        return gaps


def slow_start_delivery(hop, size, w1):
    """From the first packet's leaving to the last one's arrival, nothing starving the hop."""
    n = -(-size // int(hop.mss))
    window = Window(hop, w1)
    begin, sent_before, doubling = D(0), 0, w1
    while doubling < window.full and sent_before + doubling < n and sent_before < window.quiet:
        round_time = window.seconds(sent_before + doubling) - window.seconds(sent_before)
        begin += max(hop.rtt, round_time)
        sent_before += doubling
        doubling *= 2
    return begin + window.seconds(n - 1) - window.seconds(min(sent_before, n - 1)) + hop.way


def least_seconds(mode, hops, delay, size, w1):
    ways = sum(hop.way for hop in hops) + delay * (len(hops) - 1)
    slowest = max(slow_start_delivery(hop, size, w1) - hop.way for hop in hops)
    return setup(mode, [hop.rtt for hop in hops]) + ways + slowest


def packet_recursion(mode, hops, relays, delay, size, w1):
    """Follows every packet over every hop. Each acknowledgement admits two packets more.

    The last relay of a warm chain shakes hands with the destination when the first packet comes."""
    came_at, came_mss, before = None, 1, None
    for index, hop in enumerate(hops):
        mss, rtt, packets = int(hop.mss), float(hop.rtt), ceil(size / int(hop.mss))
        window = Window(hop, w1)
        gaps = window.gaps(packets)
        way = float(hop.way) + (float(delay) if index < len(hops) - 1 else 0.0)
        left, acknowledged, admitted, free_at = [], 0, w1, 0.0
        kind, _, parameter = relays.partition("=")
        wait = 0.0
        if came_at and kind == "cut":
            wait = min(came_at[-1], came_at[0] + float(parameter) * float(before.rtt))
        if came_at and mode == "WARM" and index == len(hops) - 1:
            wait = max(wait, came_at[0] + rtt)
        for m in range(packets):
            time = free_at
            if came_at:
                end = min(size, (m + 1) * mss)
                if kind == "chunk":
                    chunk = int(parameter)
                    end = min(size, -(-end // chunk) * chunk)
                elif kind == "store":
                    end = size
                time = max(time, wait, came_at[-(-end // came_mss) - 1])
            while admitted <= m:
                if acknowledged < window.quiet:
                    time = max(time, left[acknowledged] + rtt)
                acknowledged += 1
                admitted += 2
            left.append(time)
            free_at = time + gaps[m]
        came_at, came_mss, before = [t + way for t in left], mss, hop
    return came_at[-1]


def relay_buffer(hops, relay):
    slowest = min(hop.rate for hop in hops)
    pair = hops[relay:relay + 2]
    bridged = 2 * slowest / 8 * max(hop.rtt for hop in pair)
    between = [hop.mss / hop.loss for hop in pair if hop.sinks]
    if not between:
        return bridged
    surplus = max(hop.rate for hop in pair) / slowest - 1
    losses = D(12) if surplus * 12 <= 1 else 1 / surplus
    return max(bridged, losses * max(between))


# "Cascaded TCP", equations 1 to 9; c and W are the paper's

C, W = root(D(3) / 2), 16


def published(path, hops, size):
    """Equations 4, 5, 6, 7, 1 and the right side of 3, then 8 and 9 for R = len(hops)."""
    cost = path.rtt * root(path.loss)
    slowest = max(hop.rtt * root(hop.loss) / hop.mss for hop in hops)
    rate = C * path.mss / cost * 8
    direct = size * cost / (C * path.mss)
    transfer = size * slowest / C + W * sum(hop.rtt for hop in hops)
    opening = D("1.5") * sum(hop.rtt for hop in hops)
    r = D(len(hops))
    k = 8 * path.mss / cost
    return (rate, direct, transfer, opening, opening + transfer, direct - transfer,
            r * root(r) * k, D("1.5") * root(r) * k)


# Several ways at once, redundancy, uncertainty

def water_filling(ways, size):
    """Ways (delay, rate): the level is between the last delay that takes part and the next."""
    ways = sorted(ways)
    for used in range(1, len(ways) + 1):
        part = ways[:used]
        level = (8 * size + sum(x * l for l, x in part)) / sum(x for _, x in part)
        if used == len(ways) or level <= ways[used][0]:
            return level


def binomial_at_most(k, n, p):
    term = power(1 - p, D(n))
    odds, total = p / (1 - p), term
    for i in range(k):
        term = term * (n - i) / (i + 1) * odds
        total += term
    return total


def redundancy(n, p, recovery):
    m = n
    while p > 0 and binomial_at_most(m - n, m, p) < recovery:
        m += 1
    return m


def clopper_pearson(k, n, confidence):
    """One-sided bounds by definition: the p at which so few, or so many, are just that rare."""
    tail = 1 - confidence

    def solve(wanted, lost):
        low, high = D(0), D(1)
        while high - low > D("1e-14") * high:
            middle = (low + high) / 2
            if binomial_at_most(lost, n, middle) > wanted:
                low = middle
            else:
                high = middle
        return (low + high) / 2

    lower = D(0) if k == 0 else solve(1 - tail, k - 1)
    upper = D(1) if k == n else solve(tail, k)
    return lower, upper


def divided(a, d):
    """MOVER on logarithms; a and d are (low, likely, high)."""
    ratio = a[1] / d[1]
    down = root((a[1] / a[0]).ln() ** 2 + (d[2] / d[1]).ln() ** 2)
    up = root((a[2] / a[1]).ln() ** 2 + (d[1] / d[0]).ln() ** 2)
    return ratio * (-down).exp(), ratio, ratio * up.exp()
