// A server in front of the server that leaves one field out of each answer, or cuts the connections of one route.
// Everything else goes through as it is.
import http from "node:http";
import net from "node:net";

/** In place of a field: whoever asks for the route finds his connection closed, and the server never hears of it. */
export const routeItself = "the route itself";

/** The pattern of a route of fields.mjs. */
function pattern(route) {
    const [method, path] = route.split(" ");
    const regex = path === "*" ? /^/ : new RegExp(`^${path.replaceAll("*", "[^/]+")}$`, "i");
    return { method, test: (m, p) => (method === "*" || method === m) && regex.test(p) };
}

/** Removes what a path leads to; true where there was something. */
export function remove(value, steps) {
    if (value === null || typeof value !== "object") {
        return false;
    }
    const [step, ...rest] = steps;
    if (step.startsWith("[")) {
        const [, name, wanted] = /^\[(?:(\w+)=(\w+))?\]$/.exec(step);
        return Array.isArray(value)
            && value.filter(one => !name || one?.[name] === wanted).map(one => remove(one, rest)).includes(true);
    }
    if (step === "*") {
        return Object.values(value).map(one => remove(one, rest)).includes(true);
    }
    if (rest.length > 0) {
        return remove(value[step], rest);
    }
    const isThere = step in value;
    delete value[step];
    return isThere;
}

const stepsOf = path => path.replaceAll("[", ".[").split(".").filter(step => step.length > 0);

export class Dropper {
    #target;
    #server;
    #drop = null;
    routes = new Set();
    dropped = 0;

    constructor(url) {
        this.#target = new URL(url);
        this.#server = http.createServer((request, answer) => this.#forward(request, answer));
        this.#server.on("clientError", (error, socket) => this.#forwardUnknown(error.rawPacket, socket));
        this.#server.on("upgrade", (request, socket, head) => this.#upgrade(request, socket, head));
    }

    async start() {
        await new Promise(resolve => this.#server.listen(0, "127.0.0.1", resolve));
        return `http://127.0.0.1:${this.#server.address().port}`;
    }

    /** From now on leaves a field out; nothing where it is null. */
    drop(route, field) {
        this.dropped = 0;
        this.#drop = route === null ? null : {
            ...pattern(route), field, kind: /\((\w+)\)$/.exec(route)?.[1] ?? null,
        };
    }

    #matches(method, url, status) {
        const drop = this.#drop;
        return drop !== null && drop.test(method, url.split("?")[0])
            && (drop.kind === null ? status < 400 || drop.field.startsWith("header:")
                : drop.kind === "conflict" ? status === 409
                : status >= 400);
    }

    #cuts(method, url) {
        const cuts = this.#drop?.field === routeItself && this.#drop.test(method, url.split("?")[0]);
        this.dropped += cuts ? 1 : 0;
        return cuts;
    }

    /** Node's parser does not know the method RESET: it is an error to it, which has the bytes that came. */
    #forwardUnknown(packet, socket) {
        const text = packet?.toString("latin1") ?? "";
        const [, method, url] = /^(RESET) (\S+) HTTP\/1\.1\r\n/.exec(text) ?? [];
        if (!method || this.#cuts(method, url)) {
            socket.destroy();
            return;
        }
        this.routes.add(`${method} ${url.split("?")[0]}`);
        // What comes next on this connection would not be parsed any more.
        const closing = text.replace(/\r\nconnection: [^\r]*/i, "\r\nConnection: close");
        const server = net.connect(this.#target.port, this.#target.hostname, () => server.write(closing, "latin1"));
        server.on("error", () => socket.destroy());
        socket.on("error", () => server.destroy());
        server.pipe(socket);
    }

    #forward(request, answer) {
        this.routes.add(`${request.method} ${request.url.split("?")[0]}`);
        if (this.#cuts(request.method, request.url)) {
            request.socket.destroy();
            return;
        }
        const headers = { ...request.headers };
        delete headers["accept-encoding"];
        const forwarded = http.request(
            {
                host: this.#target.hostname, port: this.#target.port, method: request.method, path: request.url, headers,
            },
            real => {
                if (!this.#matches(request.method, request.url, real.statusCode)) {
                    answer.writeHead(real.statusCode, real.headers);
                    real.pipe(answer);
                    return;
                }
                const chunks = [];
                real.on("data", chunk => chunks.push(chunk));
                real.on("end", () => this.#answer(request, real, Buffer.concat(chunks), answer));
            });
        forwarded.on("error", () => answer.destroy());
        request.on("error", () => forwarded.destroy());
        request.pipe(forwarded);
    }

    #answer(request, real, body, answer) {
        const headers = { ...real.headers };
        const field = this.#drop?.field ?? "";
        if (field.startsWith("header:")) {
            const name = field.slice("header:".length).toLowerCase();
            this.dropped += name in headers ? 1 : 0;
            delete headers[name];
        } else {
            body = this.#rewrite(body, field);
            if ("content-length" in headers) {
                headers["content-length"] = body.length;
            }
        }
        answer.writeHead(real.statusCode, headers);
        answer.end(request.method === "HEAD" ? undefined : body);
    }

    /** One JSON text, or one a line, or one with bytes behind it. */
    #rewrite(body, field) {
        const text = body.toString("latin1");
        const whole = this.#rewriteJson(body.toString("utf8"), field);
        if (whole !== null) {
            return Buffer.from(whole);
        }
        const lines = body.toString("utf8").split("\n");
        if (lines.length > 1 && lines.every(line => line.trim() === "" || line.startsWith("{"))) {
            return Buffer.from(lines.map(line => this.#rewriteJson(line, field) ?? line).join("\n"));
        }
        const end = text.indexOf("]}") + 2;
        const head = this.#rewriteJson(text.slice(0, end), field);
        return head === null ? body : Buffer.concat([Buffer.from(head), body.subarray(end)]);
    }

    #rewriteJson(text, field) {
        try {
            const json = JSON.parse(text);
            this.dropped += remove(json, stepsOf(field)) ? 1 : 0;
            return JSON.stringify(json);
        } catch {
            return null;
        }
    }

    #upgrade(request, socket, head) {
        this.routes.add(`WS ${request.url.split("?")[0]}`);
        const server = net.connect(this.#target.port, this.#target.hostname, () => {
            const lines = [`${request.method} ${request.url} HTTP/1.1`];
            for (let i = 0; i < request.rawHeaders.length; i += 2) {
                lines.push(`${request.rawHeaders[i]}: ${request.rawHeaders[i + 1]}`);
            }
            server.write(lines.join("\r\n") + "\r\n\r\n");
            server.write(head);
            socket.pipe(server);
        });
        const rewriter = new Frames(text => this.#rewriteMessage(request.url, text));
        server.on("data", chunk => socket.write(rewriter.take(chunk)));
        for (const [one, other] of [[server, socket], [socket, server]]) {
            one.on("end", () => other.end());
            one.on("error", () => other.destroy());
            one.on("close", () => other.destroy());
        }
    }

    #rewriteMessage(url, text) {
        const drop = this.#drop;
        if (drop === null || drop.method !== "WS" || !drop.test("WS", url.split("?")[0])) {
            return text;
        }
        const [, kind, field] = /^(?:\((\w+)\)\.)?(.*)$/.exec(drop.field);
        const json = JSON.parse(text);
        for (const one of Array.isArray(json) ? json : [json]) {
            if (!kind || one.Type === kind) {
                this.dropped += remove(one, stepsOf(field)) ? 1 : 0;
            }
        }
        return JSON.stringify(json);
    }
}

/** The bytes a server sends after its 101: whole text frames without a mask, rewritten; all else as it is. */
class Frames {
    #rest = Buffer.alloc(0);
    #isOpen = false;
    #rewrite;

    constructor(rewrite) {
        this.#rewrite = rewrite;
    }

    take(chunk) {
        this.#rest = Buffer.concat([this.#rest, chunk]);
        const out = [];
        if (!this.#isOpen) {
            const end = this.#rest.indexOf("\r\n\r\n");
            if (end < 0) {
                return Buffer.alloc(0);
            }
            out.push(this.#rest.subarray(0, end + 4));
            this.#rest = this.#rest.subarray(end + 4);
            this.#isOpen = true;
        }
        for (let frame = this.#next(); frame !== null; frame = this.#next()) {
            out.push(frame);
        }
        return Buffer.concat(out);
    }

    #next() {
        const bytes = this.#rest;
        if (bytes.length < 2) {
            return null;
        }
        let length = bytes[1] & 127;
        let start = 2;
        if (length === 126 || length === 127) {
            start = length === 126 ? 4 : 10;
            if (bytes.length < start) {
                return null;
            }
            length = start === 4 ? bytes.readUInt16BE(2) : Number(bytes.readBigUInt64BE(2));
        }
        if (bytes.length < start + length) {
            return null;
        }
        this.#rest = bytes.subarray(start + length);
        if (bytes[0] !== 0x81) {
            return bytes.subarray(0, start + length);
        }
        const payload = Buffer.from(this.#rewrite(bytes.subarray(start, start + length).toString("utf8")));
        const head = payload.length < 126 ? Buffer.from([0x81, payload.length])
            : Buffer.from([0x81, 126, payload.length >> 8, payload.length & 255]);
        return Buffer.concat([head, payload]);
    }
}
