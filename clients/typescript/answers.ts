/** What was asked for; ends the program with the words of whoever refuses it. */
export function answer<T>(from: { data?: T; error?: { title: string; detail?: string } }): T {
  if (from.data === undefined) {
    throw new Error(`${from.error?.title}: ${from.error?.detail}`);
  }
  return from.data;
}

/** The documents of a stream of Server-Sent Events. */
export async function* documents<T>(stream: ReadableStream<Uint8Array> | null): AsyncGenerator<T> {
  const decoder = new TextDecoder();
  let rest = "";
  for await (const bytes of stream ?? new ReadableStream<Uint8Array>()) {
    const lines = (rest + decoder.decode(bytes, { stream: true })).split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) {
      if (line.startsWith("data:")) {
        yield JSON.parse(line.slice("data:".length)) as T;
      }
    }
  }
}
