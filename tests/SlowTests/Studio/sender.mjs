// Requests of a client that is not the browser.
import { readFileSync } from "node:fs";
import { Agent, request } from "node:https";

/** Sends requests to a server; with the certificate of its administrator if there is a folder of certificates. */
export function sender(url, certificates) {
  const agent =
    certificates === undefined
      ? undefined
      : new Agent({
          ca: readFileSync(`${certificates}/server.crt`),
          pfx: readFileSync(`${certificates}/admin.pfx`),
          keepAlive: true,
        });
  return async (method, path, body) => {
    const { status, text } = await (agent ? overTls(agent, method, `${url}${path}`, body) : plain(method, `${url}${path}`, body));
    if (status < 200 || status > 299) {
      throw new Error(`${method} ${path}: ${status} ${text}`);
    }
    return text;
  };
}

async function plain(method, url, body) {
  const response = await fetch(url, { method, ...(body === undefined ? {} : { body }) });
  return { status: response.status, text: await response.text() };
}

function overTls(agent, method, url, body) {
  return new Promise((resolve, reject) => {
    // Node frames the body of a DELETE in no way unless its length is given.
    const headers = body === undefined ? {} : { "Content-Length": Buffer.byteLength(body) };
    const sent = request(url, { method, agent, headers }, (response) => {
      let text = "";
      response.setEncoding("utf8");
      response.on("data", (piece) => {
        text += piece;
      });
      response.on("end", () => resolve({ status: response.statusCode, text }));
      response.on("error", reject);
    });
    sent.on("error", reject);
    sent.end(body);
  });
}
