import { defineConfig } from "vite";

/** Development: `npm run dev` shows changes at once, and asks the server on port 8080 for everything else. */
export default defineConfig({
  base: "/studio/",
  server: {
    proxy: {
      "^/(?!studio(/|$)|@|src/|node_modules/|vendor/)|^/studio/(databases|session)": {
        target: "http://127.0.0.1:8080",
        ws: true,
        // The server takes only the requests of pages that it served itself.
        headers: { Origin: "http://127.0.0.1:8080" },
      },
    },
  },
});
