"""One TCP connection, from the papers, in 40 decimal digits.

Written without a look at the Java code: it and this program check each other. Rates are bit/s of
payload, times seconds, losses fractions. INFINITE stands for "nothing known limits".
"""

from decimal import Decimal as D, getcontext

getcontext().prec = 40

INFINITE = D("Infinity")


def root(x):
    return D(x).sqrt()


def power(base, exponent):
    return (exponent * base.ln()).exp()


# Mathis, Semke, Mahdavi, Ott 1997

def mathis_constant(b):
    """Periodic loss: a sawtooth from W/2 to W that grows a packet every b rounds."""
    return root(D(3) / (2 * b))


def mathis(rtt, p, mss, c):
    return INFINITE if p == 0 else 8 * mss / rtt * c / root(p)


# Padhye, Firoiu, Towsley, Kurose 1998 and 2000

def loss_is_a_timeout(p, w):
    if w <= 3:
        return D(1)
    if p == 0:
        return 3 / w
    q = 1 - p
    return min(D(1), (1 - q ** 3) * (1 + q ** 3 * (1 - power(q, w - 3))) / (1 - power(q, w)))


def timeouts_in_a_row(p, t0):
    f = 1 + sum(2 ** (i - 1) * p ** i for i in range(1, 7))
    return f * t0 / (1 - p)


def window_at_loss(p, b):
    k = D(2 + b) / (3 * b)
    return k + root(8 * (1 - p) / (3 * b * p) + k * k)


def linux_timeout(rtt, deviation=D(0)):
    return rtt + max(D("0.2"), 4 * deviation)


def pftk(rtt, p, b, t0, wm, delivered):
    if p == 0:
        return wm / rtt
    if p == 1:
        return D(0)
    w = window_at_loss(p, b)
    if w < wm:
        rounds = D(b) / 2 * w + 1
    else:
        w = wm
        rounds = D(b) / 8 * wm + (1 - p) / (p * wm) + 2
    q = loss_is_a_timeout(p, w)
    seconds = rtt * rounds + q * timeouts_in_a_row(p, t0)
    packets = (1 - p) / p + (w / 2 + q if delivered else w + q / (1 - p))
    return packets / seconds


def pftk_short(rtt, p, b, t0, wm):
    if p == 0:
        return wm / rtt
    spacing = (rtt * root(2 * b * p / 3)
               + t0 * min(D(1), 3 * root(3 * b * p / 8)) * p * (1 + 32 * p * p))
    return min(wm / rtt, 1 / spacing)


# RFC 9438

def cubic_window(rtt, p):
    c, beta = D("0.4"), D("0.7")
    cubic = root(root(c * (3 + beta) / (4 * (1 - beta)))) * root(root((rtt / p) ** 3))
    return max(cubic, root(D("1.5") / p))


def cubic(rtt, p, mss):
    return INFINITE if p == 0 else 8 * mss * cubic_window(rtt, p) / rtt


# BBR, a heuristic: a plateau of 98 % of what survives, then a straight line down

def bbr(version, rtt, p, mss, capacity):
    plateau, nothing = {1: (D("0.15"), D("0.20")), 3: (D("0.01"), D("0.02"))}[version]
    if p <= plateau:
        share = D(1)
    elif p < nothing:
        share = (nothing - p) / (nothing - plateau)
    else:
        share = D(0)
    paced = D("0.98") * capacity * (1 - p) * share if share else D(0)
    if version == 1:
        return paced
    return max(paced, min(cubic(rtt, p, mss), D("0.98") * capacity))


def with_timeouts(rate, rtt, p, mss):
    """Per packet lost, Padhye's timeouts on top of the time that the window's packets take."""
    if p == 0:
        return rate
    if p == 1:
        return D(0)
    packets = rate / (8 * mss)
    wait = min(linux_timeout(rtt), 9 * rtt)
    standing = loss_is_a_timeout(p, packets * rtt) * timeouts_in_a_row(p, wait)
    return 8 * mss / (1 / packets + p * standing)


def model(control, rtt, p, mss, capacity):
    if control == "reno":
        return with_timeouts(mathis(rtt, p, mss, D("1.31")), rtt, p, mss)
    if control == "cubic":
        return with_timeouts(cubic(rtt, p, mss), rtt, p, mss)
    return bbr(3 if control == "bbr3" else 1, rtt, p, mss, capacity)


# Caps

def payload(mtu, timestamps):
    return D(mtu - 20 - 20 - (12 if timestamps else 0))


def payload_share(mtu, timestamps, link_overhead):
    return payload(mtu, timestamps) / (mtu + link_overhead)


def steady(control, rtt, p, mss, capacity, window):
    return min(model(control, rtt, p, mss, capacity), capacity, 8 * window / rtt)


def parallel(k, control, rtt, p, mss, capacity, window):
    """k connections: k times one of them, together never more than the capacity; BBR fills it
    alone, k of them no better."""
    if control.startswith("bbr"):
        each = model(control, rtt, p, mss, capacity / k)
        return k * min(each, capacity / k, 8 * window / rtt)
    return min(k * min(model(control, rtt, p, mss, capacity), 8 * window / rtt), capacity)


def in_series(parts):
    """Parts of a path: (rtt, p, mss, capacity)."""
    survives = D(1)
    for part in parts:
        survives *= 1 - part[1]
    return (sum(part[0] for part in parts), 1 - survives,
            min(part[2] for part in parts), min(part[3] for part in parts))


# Cardwell, Savage, Anderson 2000, with the expectation derived anew

def packets_until_loss(n, p):
    """Sum over the packets of the chance that each is sent: none before it was lost."""
    q = 1 - p
    if n <= 400:
        return sum((q ** i for i in range(n)), D(0))
    return D(n) if p == 0 else (1 - q ** n) / p


def short_flow(rtt, p, mss, capacity, n, b, t0, wm, w1):
    d = packets_until_loss(n, p)
    largest = max(D(1), min(wm, capacity * rtt / (8 * mss)))
    first = min(D(w1), largest)
    gamma = 1 + D(1) / b
    reached = d * (gamma - 1) / gamma + first / gamma
    if reached <= largest:
        w = reached
        growth = rtt * ((d * (gamma - 1) / first + 1).ln() / gamma.ln())
    else:
        w = largest
        before = (gamma * largest - first) / (gamma - 1)
        growth = rtt * ((largest / first).ln() / gamma.ln() + 1 + (d - before) / largest)
    q = loss_is_a_timeout(p, w)
    repair = (1 - (1 - p) ** n) * (q * timeouts_in_a_row(p, t0) + (1 - q) * rtt)
    rest = D(n) - d
    if rest <= D("1e-30"):
        return d, growth, repair, D(0)
    rate = min(pftk(rtt, p, b, t0, wm, True), capacity / (8 * mss))
    return d, growth, repair, rest / rate


def handshake(rtt, t0, forward, backward):
    return rtt + t0 * ((1 - forward) / (1 - 2 * forward) + (1 - backward) / (1 - 2 * backward) - 2)
