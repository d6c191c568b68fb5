"""Has the service `cascade serve` send a file, and follows it until it has ended.

    python send.py SERVICE FILE CODE      # http://127.0.0.1:7421 /srv/outgoing/backup.tar 203.0.113.7:7420/4f7k-q2mz

CASCADE_TOKEN is what stands in the service's token file.
"""

import json
import os
import sys

import httpx
from cascade_transfers import AuthenticatedClient
from cascade_transfers.api.events import transfer_events
from cascade_transfers.api.transfers import start_transfer
from cascade_transfers.models import Problem, Transfer, TransferRequest, TransferState

ENDED = (TransferState.ARRIVED, TransferState.FAILED, TransferState.STOPPED)

# A comment comes after ten seconds without an event.
PATIENCE = httpx.Timeout(30)


def main(service: str, file: str, code: str) -> None:
    client = AuthenticatedClient(f"{service}/api/v1", os.environ["CASCADE_TOKEN"], timeout=PATIENCE)
    with client:
        # With the same key, this program started again is answered with the same transfer.
        key = f"{file} to {code}"
        transfer = answer(start_transfer.sync(client=client, body=TransferRequest(file, code=code), idempotency_key=key))
        while transfer.state not in ENDED:  # A stream of events ends after five minutes.
            for transfer in events(client, transfer):
                if transfer.state in ENDED:
                    break
        print(f"{transfer.state} {transfer.file}: {transfer.reason or transfer.sha256}")
        sys.exit(0 if transfer.state == TransferState.ARRIVED else 1)


def events(client: AuthenticatedClient, of: Transfer):
    with client.get_httpx_client().stream(**transfer_events._get_kwargs(transfer=of.id)) as stream:
        stream.raise_for_status()
        for line in stream.iter_lines():
            if line.startswith("data:"):
                transfer = Transfer.from_dict(json.loads(line.removeprefix("data:")))
                print(f"{transfer.state} {transfer.bytes_} bytes")
                yield transfer


def answer(parsed):
    """What was asked for; ends the program with the service's words where it refuses."""
    if isinstance(parsed, Problem):
        sys.exit(f"{parsed.title}: {parsed.detail}")
    return parsed


if __name__ == "__main__":
    main(*sys.argv[1:])
