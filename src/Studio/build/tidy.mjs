// What `npm run tidy` and CI run: each step by its own program, and all of what it printed where it failed.
import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));
const steps = [
  ["rules and format", "node_modules/@biomejs/biome/bin/biome", "check", "."],
  ["types", "node_modules/typescript/bin/tsc", "--noEmit"],
  ["unit tests", "node_modules/vitest/vitest.mjs", "run"],
  ["built files", "build/build.mjs", "--check"],
  ["sizes", "build/budget.mjs"],
];
let isRight = true;
for (const [name, ...command] of steps) {
  const { status, stdout, stderr } = spawnSync(process.execPath, command, { cwd: root, encoding: "utf8" });
  console.log(`${name}: ${status === 0 ? "right" : "wrong"}`);
  if (status !== 0) {
    isRight = false;
    console.log(stdout, stderr);
  }
}
process.exitCode = isRight ? 0 : 1;
