import { defineConfig } from "vitest/config";

/** No test says how long something takes; the limit is for what hangs, on a machine that does other things besides. */
export default defineConfig({ test: { include: ["tests/**/*.test.ts"], testTimeout: 240_000 } });
