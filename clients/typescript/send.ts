/**
 * Has the service `cascade serve` send a file, and follows it until it has ended.
 *
 *     node target/send.js SERVICE FILE CODE      # http://127.0.0.1:7421 /srv/outgoing/backup.tar 203.0.113.7:7420/4f7k-q2mz
 *
 * CASCADE_TOKEN is what stands in the service's token file.
 */
import createClient from "openapi-fetch";
import { answer, documents } from "./answers.js";
import type { components, paths } from "./target/transfers.js";

type Transfer = components["schemas"]["Transfer"];

const ENDED = ["ARRIVED", "FAILED", "STOPPED"];

const [service, file, code] = process.argv.slice(2);
if (service === undefined || file === undefined || code === undefined) {
  throw new Error("usage: send.js SERVICE FILE CODE");
}
const client = createClient<paths>({
  baseUrl: `${service}/api/v1`,
  headers: { Authorization: `Bearer ${process.env["CASCADE_TOKEN"]}` },
});

// With the same key, this program started again is answered with the same transfer.
const key = `${file} to ${code}`;
let transfer = answer(
  await client.POST("/transfers", { body: { file, code }, params: { header: { "Idempotency-Key": key } } }),
);
while (!ENDED.includes(transfer.state)) {
  // A stream of events ends after five minutes.
  const following = new AbortController();
  const events = answer(
    await client.GET("/events", {
      params: { query: { transfer: transfer.id } },
      parseAs: "stream",
      signal: following.signal,
    }),
  );
  for await (transfer of documents<Transfer>(events)) {
    console.log(`${transfer.state} ${transfer.bytes} bytes`);
    if (ENDED.includes(transfer.state)) {
      break;
    }
  }
  following.abort();
}
console.log(`${transfer.state} ${transfer.file}: ${transfer.reason ?? transfer.sha256}`);
process.exitCode = transfer.state === "ARRIVED" ? 0 : 1;
