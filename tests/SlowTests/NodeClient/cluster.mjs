// node cluster.mjs DATABASE URL,URL,URL
// Writes by the official client to a database whose primary is killed meanwhile, as an application does: sessions with
// HiLo ids, identities, bulk inserts, a document that is read after each write, and a worker of a subscription. Prints
// {"acknowledged"} twice a second. After "stop" on its input it looks for all that was acknowledged, and prints
// {"end"}: what was lost, what a read was too old for, what the subscription did not bring, and each error that was
// none that says "perhaps done".
import { createInterface } from "node:readline";
import { DocumentStore, NextIdentityForOperation } from "ravendb";
import { User } from "./harness.mjs";

const [, , database, urls] = process.argv;
const writers = 6;
const bulkSize = 50;
const lookSize = 500;
const subscriptionPatienceMs = 120_000;
const store = new DocumentStore(urls.split(","), database).initialize();
const acknowledged = new Set();
const users = new Set();
const brought = new Set();
const errors = [];
const end = { acknowledged: 0, perhaps: 0, bulkAgain: 0, identities: 0, lost: [], old: [], twice: [], missing: [], errors };
let isStopped = false;

// A connection that is cut while a request goes on rejects a promise that the client does not await.
process.on("unhandledRejection", () => {});

class Ticket {}

/**
 * Whether a write was perhaps done: the server says so. Or the client had its answer, which told of a newer list of nodes,
 * and throws because it did not get that list from a node that was killed in this moment.
 */
function isPerhaps(error) {
    return /Perhaps it was done|neither failed nor/i.test(String(error?.message))
        || error?.name === "RavenTimeoutException"
        || /updateTopology|_refreshIfNeeded/.test(String(error?.stack));
}

function note(what, error) {
    if (isPerhaps(error)) {
        end.perhaps++;
    } else {
        errors.push(`${what}: ${error?.stack ?? error} ${error?.cause ?? ""}`.slice(0, 1500));
    }
}

/** Calls `step` until the end. An error is noted, and the next step is taken. */
async function repeat(what, step) {
    for (let i = 0; !isStopped; i++) {
        try {
            await step(i);
        } catch (error) {
            note(what, error);
            await new Promise(resolve => setTimeout(resolve, 50));
        }
    }
}

async function writeUser(number) {
    const session = store.openSession();
    const user = new User({ name: `writer ${number}` });
    await session.store(user);
    await session.saveChanges();
    acknowledged.add(user.id);
    users.add(user.id);
}

async function writeTicket() {
    const session = store.openSession();
    const ticket = new Ticket();
    await session.store(ticket, "tickets|");
    await session.saveChanges();
    if (acknowledged.has(ticket.id)) {
        end.twice.push(ticket.id);
    }
    acknowledged.add(ticket.id);
}

let lastIdentity = 0;
async function nextIdentity() {
    const next = await store.maintenance.send(new NextIdentityForOperation("numbers|"));
    if (next <= lastIdentity) {
        end.twice.push(`numbers ${next} after ${lastIdentity}`);
    }
    lastIdentity = next;
    end.identities++;
}

/** A document with a value that grows: a read that begins after a write was acknowledged must see it. */
async function writeAndRead(i) {
    const session = store.openSession();
    const known = await session.load("own/1");
    const own = known ?? new User({});
    own.count = i + 1;
    if (!known) {
        await session.store(own, "own/1");
    }
    await session.saveChanges();
    acknowledged.add("own/1");
    const seen = (await store.openSession().load("own/1"))?.count;
    if (!(seen >= i + 1)) {
        end.old.push(`${seen} after ${i + 1}`);
    }
}

/** A bulk insert has no answer before its end: one that is cut is done again, with the same ids. */
async function insert(round) {
    const ids = Array.from({ length: bulkSize }, (_, i) => `bulk/${round}/${i}`);
    while (true) {
        const insertion = store.bulkInsert();
        try {
            for (const id of ids) {
                await insertion.store(new Ticket(), id);
            }
            await insertion.finish();
            ids.forEach(id => acknowledged.add(id));
            return;
        } catch (error) {
            end.bulkAgain++;
            if (!isCut(error) && !isPerhaps(error)) {
                throw error;
            }
            await new Promise(resolve => setTimeout(resolve, 200));
        }
    }
}

function isCut(error) {
    return /BulkInsert|socket|ECONN|terminated|fetch failed|closed|aborted/i.test(`${error?.name} ${error?.message} ${error?.cause}`);
}

async function subscribe() {
    await store.subscriptions.create({ name: "all", query: "from Users" });
    const worker = store.subscriptions.getSubscriptionWorker({
        subscriptionName: "all", strategy: "WaitForFree", maxDocsPerBatch: 64, timeToWaitBeforeConnectionRetry: 200,
        maxErroneousPeriod: subscriptionPatienceMs,
    });
    worker.on("error", error => errors.push(`subscription: ${error?.name}: ${String(error?.message).slice(0, 400)}`));
    worker.on("batch", (batch, done) => {
        batch.items.forEach(item => brought.add(item.id));
        done();
    });
}

async function look() {
    const ids = [...acknowledged];
    for (let i = 0; i < ids.length; i += lookSize) {
        const some = ids.slice(i, i + lookSize);
        const found = await store.openSession().load(some);
        end.lost.push(...some.filter(id => !found[id]));
    }
    const last = Date.now() + subscriptionPatienceMs;
    while ([...users].some(id => !brought.has(id)) && Date.now() < last) {
        await new Promise(resolve => setTimeout(resolve, 100));
    }
    end.missing.push(...[...users].filter(id => !brought.has(id)));
    end.acknowledged = acknowledged.size;
}

createInterface({ input: process.stdin }).on("line", () => {
    isStopped = true;
});
await subscribe();
const timer = setInterval(() => console.log(JSON.stringify({ acknowledged: acknowledged.size, errors: errors.length })), 500);
await Promise.all([
    ...Array.from({ length: writers }, (_, number) => repeat("session", () => writeUser(number))),
    repeat("identity of a document", writeTicket),
    repeat("next identity", nextIdentity),
    repeat("write and read", writeAndRead),
    repeat("bulk insert", insert),
]);
clearInterval(timer);
await look();
for (const name of ["lost", "old", "twice", "missing", "errors"]) {
    end[name] = end[name].slice(0, 20);
}
console.log(JSON.stringify({ end }));
process.exit(0);
