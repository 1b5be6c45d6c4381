// Requests without the client, and what their answers must be like.
import { strict as assert } from "node:assert";
import { eventually } from "./harness.mjs";

export async function send(url, method, path, body, headers = {}) {
    const text = body === undefined || typeof body === "string" ? body : JSON.stringify(body);
    const answer = await fetch(url + path, { method, headers, body: text });
    const received = await answer.text();
    let json = null;
    try {
        json = JSON.parse(received);
    } catch {
        // Not all answers are JSON.
    }
    return { status: answer.status, headers: answer.headers, text: received, json };
}

export async function sendOk(...request) {
    const answer = await send(...request);
    assert.ok(answer.status < 300, `${request[1]} ${request[2]}: ${answer.status} ${answer.text}`);
    return answer.json;
}

function valuesAt(value, steps) {
    if (steps.length === 0) {
        return [value];
    }
    assert.ok(value !== null && typeof value === "object", `there is nothing to have ${steps[0]}`);
    const [step, ...rest] = steps;
    const below = step === "[]" || step === "*" ? Object.values(value) : step in value ? [value[step]] : [undefined];
    return below.flatMap(one => valuesAt(one, rest));
}

/** Each path leads to values of its kind; "?" behind the kind allows null, "~" that some have none. */
export function shape(json, kinds) {
    for (const [path, kind] of Object.entries(kinds)) {
        const values = valuesAt(json, path.replaceAll("[]", ".[]").split(".").filter(step => step.length > 0))
            .filter(value => value !== undefined || !kind.endsWith("~"));
        assert.ok(values.length > 0, `${path} leads nowhere in ${JSON.stringify(json)}`);
        for (const value of values) {
            const actual = value === null ? "null" : Array.isArray(value) ? "array" : typeof value;
            assert.ok(actual === kind.replace(/[?~]/, "") || (kind.endsWith("?") && value === null),
                `${path} is ${actual} instead of ${kind}`);
        }
    }
}

export const all = (kind, ...paths) => Object.fromEntries(paths.map(path => [path, kind]));

export async function ended(url, path) {
    let state;
    await eventually(async () => {
        state = await sendOk(url, "GET", path);
        return state.Status !== "InProgress";
    }, "the operation ends");
    return state;
}
