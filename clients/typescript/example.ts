/**
 * Lists relays, plans, opens a chain through all of them, follows events until it is ready, and closes it.
 *
 *     node target/example.js ORCHESTRATOR DESTINATION      # http://127.0.0.1:7400 files.example.org:443
 *
 * CASCADE_TOKEN is the orchestrator's token, where it has one.
 */
import createClient from "openapi-fetch";
import type { components, paths } from "./target/orchestrator.js";

type Event = components["schemas"]["Event"];
type Problem = components["schemas"]["Problem"];

const [orchestrator, destination] = process.argv.slice(2);
if (orchestrator === undefined || destination === undefined) {
  throw new Error("usage: example.js ORCHESTRATOR DESTINATION");
}
const token = process.env["CASCADE_TOKEN"];
const client = createClient<paths>({
  baseUrl: `${orchestrator}/api/v1`,
  headers: token === undefined ? {} : { Authorization: `Bearer ${token}` },
});

const { relays } = answer(await client.GET("/relays"));
for (const relay of relays) {
  console.log(`relay ${relay.name} ${relay.status}`);
}
const plan = answer(await client.POST("/plans", { body: { destination } }));
console.log(`plan ${plan.decision}: ${plan.summary}`);

// Followed first, so that no event of the chain is missed.
const following = new AbortController();
const events = answer(await client.GET("/events", { parseAs: "stream", signal: following.signal }));
const via = relays.filter((relay) => relay.status === "UP").map((relay) => relay.name);
const chain = answer(await client.POST("/chains", { body: { destination, via } }));
console.log(`chain via ${chain.relays.join(", ")}`);
for await (const event of read(events)) {
  console.log(`event ${event.type}: ${event.message}`);
  if (event.chainId === chain.id && event.state === "READY") {
    break;
  }
}
following.abort();
const closed = answer(await client.DELETE("/chains/{chainId}", { params: { path: { chainId: chain.id } } }));
console.log(`chain ${closed.state}`);

/** What was asked for; ends the program with the orchestrator's words where it refuses. */
function answer<T>(from: { data?: T; error?: Problem }): T {
  if (from.data === undefined) {
    throw new Error(`${from.error?.title}: ${from.error?.detail}`);
  }
  return from.data;
}

async function* read(stream: ReadableStream<Uint8Array> | null): AsyncGenerator<Event> {
  const decoder = new TextDecoder();
  let rest = "";
  for await (const bytes of stream ?? new ReadableStream<Uint8Array>()) {
    const lines = (rest + decoder.decode(bytes, { stream: true })).split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) {
      if (line.startsWith("data:")) {
        yield JSON.parse(line.slice("data:".length)) as Event;
      }
    }
  }
}
