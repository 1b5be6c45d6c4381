// A scenario is a promise of the client's documentation: a name and a function that fails where the promise is broken.
import { strict as assert } from "node:assert";

const registered = [];

/** Registers a scenario. `run` gets { store, database, url, assert, raw }: a store on a fresh database. */
export function scenario(name, run) {
    registered.push({ name, run });
}

/** The scenarios registered since the last call. */
export function take() {
    return registered.splice(0, registered.length);
}

/** Runs `action` and returns the error that it must fail with. */
export async function failure(action) {
    try {
        await action();
    } catch (error) {
        return error;
    }
    assert.fail("it should have failed");
}

export class User {
    constructor(fields) {
        Object.assign(this, fields);
    }
}

export class Order {
    constructor(fields) {
        Object.assign(this, fields);
    }
}

/** Waits until `condition` holds, at most twenty seconds: a worker of the client that is sent to another node waits five. */
export async function eventually(condition, what) {
    const end = Date.now() + 20_000;
    while (Date.now() < end) {
        if (await condition()) {
            return;
        }
        await new Promise(resolve => setTimeout(resolve, 20));
    }
    assert.fail(`never happened: ${what}`);
}

/** The bytes of a web or node stream, as text. */
export async function textOf(stream) {
    const chunks = [];
    for await (const chunk of stream) {
        chunks.push(Buffer.from(chunk));
    }
    return Buffer.concat(chunks).toString("utf8");
}
