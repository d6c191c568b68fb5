"""Prints golden values for the tests of the model, thousands of rows:

    function,inputs,expected

where inputs and expected are numbers and words separated by spaces. Needs Python 3.8 or later and
nothing else; always prints the same. To renew the committed file:

    python3 golden.py > golden.csv
"""

from decimal import Decimal as D
from random import Random

import chains
import connection
from chains import Hop
from connection import INFINITE

random = Random(20260101)


def say(function, inputs, *expected):
    print(function, " ".join(map(str, inputs)),
          " ".join(repr(float(value)) for value in expected), sep=",")


def between(low, high):
    """Evenly over the orders of magnitude, as text of six digits."""
    return "%.6g" % (low * (high / low) ** random.random())


def whole(low, high):
    return low + int(random.random() * (high - low + 1))


def one_of(*choices):
    return choices[int(random.random() * len(choices))]


def rtt():
    return between(0.0001, 2)


def loss():
    return one_of("0", between(1e-9, 1e-3), between(1e-5, 0.05), between(0.01, 0.9))


def lossy():
    return between(1e-8, 0.5)


def mss():
    return whole(256, 8948)


def capacity():
    return one_of("Infinity", between(1e5, 1e11), between(1e5, 1e9))


def window():
    return one_of("Infinity", str(whole(1, 40)), between(1, 20000))


def rates():
    for _ in range(300):
        b, t, p, m = one_of(1, 2), rtt(), loss(), mss()
        say("mathis-periodic", (b, t, p, m),
            connection.mathis(D(t), D(p), m, connection.mathis_constant(b)))
        for name, c in (("mathis-random", "1.31"), ("mathis-random-delayed", "0.93")):
            say(name, (t, p, m), connection.mathis(D(t), D(p), m, D(c)))
        c = between(0.1, 5)
        say("mathis", (c, t, p, m), connection.mathis(D(t), D(p), m, D(c)))
        say("cubic", (t, p, m), connection.cubic(D(t), D(p), m))
    for _ in range(200):
        # around p = 0.5481·RTT³, where the regions meet
        t = between(0.005, 0.5)
        p = "%.6g" % (0.5481 * float(t) ** 3 * float(between(0.5, 2)))
        say("cubic", (t, p, 1448), connection.cubic(D(t), D(p), 1448))
    for version in (1, 3):
        for _ in range(200):
            t, m, c = rtt(), mss(), between(1e5, 1e11)
            p = one_of(loss(), between(0.005, 0.03), between(0.1, 0.25))
            say("bbr-v%d" % version, (t, p, m, c),
                connection.bbr(version, D(t), D(p), m, D(c)))
    for _ in range(600):
        b, t, p, t0 = one_of(1, 2), rtt(), one_of(loss(), lossy()), between(0.01, 5)
        wm = D(window())
        if p == "0" and wm == INFINITE:
            continue
        values = (D(t), D(p), b, D(t0), wm)
        say("pftk", (t, p, b, t0, wm), connection.pftk(*values, False),
            connection.pftk(*values, True), connection.pftk_short(*values))
    for _ in range(50):
        t, deviation = rtt(), one_of("0", between(0.001, 1))
        say("linux-timeout", (t, deviation), connection.linux_timeout(D(t), D(deviation)))


def caps():
    for _ in range(100):
        mtu, stamps, link = whole(53, 9000), one_of("true", "false"), whole(0, 100)
        say("framing", (mtu, stamps, link), connection.payload(mtu, stamps == "true"),
            connection.payload_share(mtu, stamps == "true", link))
    for _ in range(400):
        control = one_of("reno", "cubic", "bbr", "bbr3")
        t, p, m, c = rtt(), lossy(), mss(), between(1e5, 1e11)
        w, k = one_of("Infinity", whole(1000, 10 ** 8)), whole(1, 40)
        values = (control, D(t), D(p), m, D(c), D(w))
        say("steady", (control, t, p, m, c, w, k), connection.steady(*values),
            connection.parallel(k, *values))
    for _ in range(200):
        parts = [(rtt(), loss(), mss(), capacity()) for _ in range(whole(1, 6))]
        say("in-series", (":".join(map(str, part)) for part in parts),
            *connection.in_series([tuple(map(D, part)) for part in parts]))


def short_flows():
    for _ in range(400):
        n, p = one_of(whole(1, 400), whole(1, 10 ** 6)), one_of("0", between(1e-8, 0.3))
        say("packets-until-loss", (n, p), connection.packets_until_loss(n, D(p)))
        t, m, c, t0 = between(0.001, 1), mss(), capacity(), between(0.2, 3)
        b, wm, w1 = one_of(1, 2), window(), whole(1, 20)
        say("short-flow", (t, p, m, c, n, b, t0, wm, w1),
            *connection.short_flow(D(t), D(p), m, D(c), n, b, D(t0), D(wm), w1))
    for _ in range(50):
        values = (rtt(), between(0.1, 3), one_of("0", between(1e-6, 0.49)), between(1e-6, 0.49))
        say("handshake", values, connection.handshake(*map(D, values)))


def hop(control=None, mtu=None):
    control = control or one_of("reno", "cubic")
    wire = between(5e5, 1e9) if control.startswith("bbr") else one_of("-", between(5e5, 1e9))
    wanted = one_of("-", "-", str(whole(20000, 4000000)))
    return Hop(between(0.001, 0.512), between(1e-5, 0.05), wire, mtu or whole(500, 1500),
               control, wanted)


def cascades():
    for _ in range(150):
        p, count = loss(), whole(1, 20)
        say("loss-per-hop", (p, count), chains.loss_per_hop(D(p), count))
    for _ in range(200):
        one = hop(one_of("reno", "cubic", "bbr", "bbr3"))
        size, w1 = int(float(between(1, 1e10))), whole(1, 20)
        say("hop", (size, w1, one.text), one.rate, one.way,
            chains.slow_start_delivery(one, size, w1))
    for mode in ("WARM", "PARALLEL", "CHAINED", "SEQUENTIAL"):
        for _ in range(50):
            hops, delay = [hop() for _ in range(whole(1, 6))], one_of("0", between(1e-5, 0.01))
            size, w1 = int(float(between(1, 1e9))), whole(1, 20)
            buffers = [chains.relay_buffer(hops, i) for i in range(len(hops) - 1)]
            say("chain", [mode, delay, size, w1] + [one.text for one in hops],
                chains.setup(mode, [one.rtt for one in hops]),
                chains.least_seconds(mode, hops, D(delay), size, w1), *buffers)
    for length in range(1, 7):
        for number in range(60):
            mode = ("WARM", "CHAINED")[number % 2]
            mtu = one_of(None, 1500)
            hops = [hop(one_of("reno", "cubic", "bbr"), mtu) for _ in range(length)]
            delay, w1 = one_of("0", between(1e-5, 0.01)), one_of(10, whole(1, 20))
            size = int(float(between(1, 3e6)))
            relays = one_of("cut=0", "cut=0", "cut=" + between(0.1, 20),
                            "chunk=%d" % whole(1000, 1000000), "store")
            seconds = chains.packet_recursion(mode, hops, relays, delay, size, w1)
            # once for the model and once for the tests' own recursion
            say("recursion", [mode, relays, delay, size, w1] + [one.text for one in hops],
                seconds, seconds)
    for _ in range(150):
        parts = [(rtt(), lossy()) for _ in range(whole(1, 8))]
        path, size = Hop(rtt(), lossy(), "-", 1500, "reno", "-"), int(float(between(1, 1e12)))
        hops = [Hop(t, p, "-", 1500, "reno", "-") for t, p in parts]
        say("published", [size, path.text] + [one.text for one in hops],
            *chains.published(path, hops, size))
    for _ in range(200):
        ways = [(between(0.001, 10), between(1e4, 1e9)) for _ in range(whole(1, 8))]
        size = int(float(between(1, 1e10)))
        say("water-filling", [size] + [":".join(way) for way in ways],
            chains.water_filling([tuple(map(D, way)) for way in ways], size))
    for n, p in ((40, "0.1"), (25, "0.19"), (25, "0.2"), (25, "0"), (1, "0.5")):
        say("redundancy", (n, p, "0.9"), chains.redundancy(n, D(p), D("0.9")))
    for _ in range(100):
        n, p, recovery = whole(1, 80), between(1e-4, 0.6), one_of("0.9", "0.99", "0.5")
        say("redundancy", (n, p, recovery), chains.redundancy(n, D(p), D(recovery)))


def uncertainty():
    for _ in range(100):
        n = int(float(between(1, 1e6)))
        k = one_of(0, whole(0, min(n, 12)), whole(0, min(n, 150)), min(n, 20))
        confidence = one_of("0.95", "0.9", "0.99", "0.5")
        say("clopper-pearson", (k, n, confidence), (D(k) + D("0.5")) / (n + 1),
            *chains.clopper_pearson(k, n, D(confidence)))
    for n in (1, 2, 30):
        say("clopper-pearson", (n, n, "0.95"), (D(n) + D("0.5")) / (n + 1),
            *chains.clopper_pearson(n, n, D("0.95")))
    for _ in range(100):
        sides = []
        for _ in range(2):
            likely = float(between(1e-3, 1e6))
            sides.append(["%.9g" % (likely / float(between(1, 10))), "%.9g" % likely,
                          "%.9g" % (likely * float(between(1, 10)))])
        say("divided", sides[0] + sides[1],
            *chains.divided(*[tuple(map(D, side)) for side in sides]))


if __name__ == "__main__":
    print("function,inputs,expected")
    rates()
    caps()
    short_flows()
    cascades()
    uncertainty()
