// Mutated documents through the scanner: `node build/fuzz.mjs scan FIRST COUNT` looks at as many seeds from the first on,
// `texts FIRST COUNT` prints documents as lines of JSON, and `compare FIRST COUNT` reads from its input how the server
// read them: a line of JSON each, a text or null. A failure prints its seed, and a COUNT of 1 replays it.
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { rolldown } from "rolldown";

const root = fileURLToPath(new URL("..", import.meta.url));
const bundle = await rolldown({ cwd: root, input: "./tests/fuzz.ts", platform: "node" });
const { output } = await bundle.generate({ format: "esm" });
await bundle.close();
const { checkMutated, compareWithServer, mutatedDocument } = await import(
  `data:text/javascript;base64,${Buffer.from(output[0].code).toString("base64")}`
);

const [, , what, firstText, countText] = process.argv;
const first = Number(firstText);
const end = first + Number(countText);

function fail(seed, reason, text) {
  console.error(`seed ${seed}: ${reason}${text === undefined ? "" : `: ${JSON.stringify(text)}`}`);
  process.exitCode = 1;
}

/** The documents of the seeds that have one. */
function* documents() {
  for (let seed = first; seed < end; seed++) {
    const text = mutatedDocument(seed);
    if (text !== undefined) {
      yield [seed, text];
    }
  }
}

if (what === "scan") {
  for (let seed = first; seed < end && process.exitCode !== 1; seed++) {
    const reason = checkMutated(seed);
    if (reason !== undefined) {
      fail(seed, reason);
    }
  }
  console.log(`${end - first} texts of the seeds from ${first}`);
} else if (what === "texts") {
  let lines = [];
  for (const [, text] of documents()) {
    lines.push(JSON.stringify(text));
    if (lines.length === 1_000) {
      await new Promise((resolve) => process.stdout.write(`${lines.join("\n")}\n`, resolve));
      lines = [];
    }
  }
  process.stdout.write(lines.map((line) => `${line}\n`).join(""));
} else if (what === "compare") {
  const reads = createInterface({ input: process.stdin })[Symbol.asyncIterator]();
  let taken = 0;
  let count = 0;
  for (const [seed, text] of documents()) {
    const { value, done } = await reads.next();
    if (done) {
      fail(seed, "there is no line of the server for it");
      break;
    }
    const read = JSON.parse(value);
    const reason = compareWithServer(text, read);
    taken += read === null ? 0 : 1;
    count++;
    if (reason !== undefined) {
      fail(seed, reason, text);
      break;
    }
  }
  console.log(JSON.stringify({ count, taken }));
} else {
  console.error("node build/fuzz.mjs scan|texts|compare FIRST COUNT");
  process.exitCode = 2;
}
