// Over https each store of a scenario has the certificate of the administrator, and what scenarios send without the
// client has it, too. The scenarios and the client are the same as over http.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { DocumentStore } from "ravendb";
import { Agent, setGlobalDispatcher } from "undici";
import { WebSocket } from "ws";

/** @param folder What `--setup dev-cert` has made. */
export function secure(folder) {
    const ca = readFileSync(join(folder, "server.crt"));
    const pem = readFileSync(join(folder, "admin.pem"), "utf8");
    const initialize = DocumentStore.prototype.initialize;
    DocumentStore.prototype.initialize = function () {
        if (!this.authOptions) {
            this.authOptions = { type: "pem", certificate: pem, ca };
        }
        return initialize.call(this);
    };
    const own = { ca, cert: pem, key: pem };
    setGlobalDispatcher(new Agent({ connect: own }));
    globalThis.WebSocket = class extends WebSocket {
        constructor(url) {
            super(url, own);
        }
    };
}
