// A server that fails, between a page and the real one.

/** The paths of the Studio's own files. */
const isFile = (url) => /^\/studio(\/$|\/a\/|$|\/db\/)/.test(url.pathname);

/** Puts itself before all requests of a page; what it does to them is changed at any time. */
export async function failing(page) {
  const state = {
    /** Gives nothing, "cut" (no answer), "lost" (done, but no answer), or a status with headers and a body. */
    answer: () => undefined,
    delayMs: 0,
    sockets: new Set(),
    requests: [],
    /** No answer to anything, and no connection. */
    stop() {
      this.answer = () => "cut";
      this.isStopped = true;
      for (const socket of this.sockets) {
        void socket.close({ code: 1001 });
      }
      this.sockets.clear();
    },
    start() {
      this.answer = () => undefined;
      this.isStopped = false;
    },
  };
  await page.routeWebSocket(/\/changes$/, (socket) => {
    if (state.isStopped) {
      void socket.close({ code: 1011 });
      return;
    }
    socket.connectToServer();
    state.sockets.add(socket);
  });
  await page.route("**", async (route) => {
    const request = route.request();
    const url = new URL(request.url());
    if (isFile(url) && !state.takesFiles) {
      return route.fallback();
    }
    state.requests.push(`${request.method()} ${url.pathname}`);
    if (state.delayMs > 0) {
      await new Promise((resolve) => setTimeout(resolve, state.delayMs));
    }
    const answer = state.answer(request, url);
    if (answer === "cut") {
      return route.abort("connectionrefused").catch(() => undefined);
    }
    if (answer === "lost") {
      await route.fetch();
      return route.abort("connectionreset").catch(() => undefined);
    }
    if (answer !== undefined) {
      return route.fulfill(answer).catch(() => undefined);
    }
    return route.fallback();
  });
  return state;
}

/** An error as the server says it. */
export function errorAnswer(status, type, message, headers = {}) {
  return {
    status,
    headers: { "Content-Type": "application/json", ...headers },
    body: JSON.stringify({ Url: "/", Type: type, Message: message, Error: `${type}: ${message}` }),
  };
}
