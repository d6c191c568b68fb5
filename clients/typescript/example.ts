/**
 * Lists relays, plans, opens a chain through all of them, follows events until it is ready, and closes it.
 *
 *     node target/example.js ORCHESTRATOR DESTINATION      # http://127.0.0.1:7400 files.example.org:443
 *
 * CASCADE_TOKEN is the orchestrator's token, where it has one.
 */
import createClient from "openapi-fetch";
import { answer, documents } from "./answers.js";
import type { components, paths } from "./target/orchestrator.js";

type Event = components["schemas"]["Event"];

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
for await (const event of documents<Event>(events)) {
  console.log(`event ${event.type}: ${event.message}`);
  if (event.chainId === chain.id && event.state === "READY") {
    break;
  }
}
following.abort();
const closed = answer(await client.DELETE("/chains/{chainId}", { params: { path: { chainId: chain.id } } }));
console.log(`chain ${closed.state}`);
