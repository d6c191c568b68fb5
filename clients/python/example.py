"""Lists relays, plans, opens a chain through all of them, follows events until it is ready, and closes it.

    python example.py ORCHESTRATOR DESTINATION      # http://127.0.0.1:7400 files.example.org:443

CASCADE_TOKEN is the orchestrator's token, where it has one.
"""

import json
import os
import sys

import httpx
from cascade_orchestrator import AuthenticatedClient, Client
from cascade_orchestrator.api.chains import close_chain, open_chain
from cascade_orchestrator.api.plans import plan
from cascade_orchestrator.api.relays import list_relays
from cascade_orchestrator.models import ChainRequest, ChainState, Event, PlanRequest, Problem, RelayStatus

# Planning probes destinations, and opening a chain waits for every relay.
PATIENCE = httpx.Timeout(60)


def main(orchestrator: str, destination: str) -> None:
    address = f"{orchestrator}/api/v1"
    token = os.environ.get("CASCADE_TOKEN")
    client = AuthenticatedClient(address, token, timeout=PATIENCE) if token else Client(address, timeout=PATIENCE)
    with client:
        relays = answer(list_relays.sync(client=client)).relays
        for relay in relays:
            print(f"relay {relay.name} {relay.status}")
        made = answer(plan.sync(client=client, body=PlanRequest(destination)))
        print(f"plan {made.decision}: {made.summary}")
        up = [relay.name for relay in relays if relay.status == RelayStatus.UP]
        # Followed first, so that no event of the chain is missed.
        with client.get_httpx_client().stream("GET", "/events") as events:
            chain = answer(open_chain.sync(client=client, body=ChainRequest(destination, via=up)))
            print(f"chain via {', '.join(chain.relays)}")
            await_ready(events, chain.id)
        print(f"chain {answer(close_chain.sync(chain.id, client=client)).state}")


def await_ready(events: httpx.Response, chain: object) -> None:
    for line in events.iter_lines():
        if line.startswith("data:"):
            event = Event.from_dict(json.loads(line.removeprefix("data:")))
            print(f"event {event.type_}: {event.message}")
            if event.chain_id == chain and event.state == ChainState.READY:
                return


def answer(parsed):
    """What was asked for; ends the program with the orchestrator's words where it refuses."""
    if isinstance(parsed, Problem):
        sys.exit(f"{parsed.title}: {parsed.detail}")
    return parsed


if __name__ == "__main__":
    main(*sys.argv[1:])
