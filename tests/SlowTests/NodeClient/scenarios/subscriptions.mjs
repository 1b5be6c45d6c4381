import net from "node:net";
import { ConfigureRevisionsOperation, DocumentStore, RevisionsCollectionConfiguration, RevisionsConfiguration } from "ravendb";
import { eventually, failure, scenario, User } from "../harness.mjs";

async function put(store, ...users) {
    const session = store.openSession();
    for (const user of users) {
        await session.store(user, user.id);
    }
    await session.saveChanges();
}

/** Runs a worker; gives the ids that it got, batch by batch, and what it ended with. */
function run(store, options, onBatch = () => {}) {
    const worker = store.subscriptions.getSubscriptionWorker({ timeToWaitBeforeConnectionRetry: 100, ...options });
    const batches = [];
    const state = { worker, batches, error: null, confirmed: 0, connected: 0 };
    worker.on("batch", async (batch, done) => {
        try {
            batches.push(batch.items.map(item => item.id));
            await onBatch(batch);
            done();
        } catch (error) {
            done(error);
        }
    });
    worker.on("error", error => { state.error = error; });
    worker.on("afterAcknowledgment", () => { state.confirmed++; });
    worker.on("onEstablishedSubscriptionConnection", () => { state.connected++; });
    return state;
}

scenario("a worker gets the documents of a class, and those that come later", async ({ store, assert }) => {
    await put(store, new User({ id: "users/1", name: "a" }), new User({ id: "users/2", name: "b" }));
    const name = await store.subscriptions.create(User);
    const run1 = run(store, { subscriptionName: name, documentType: User });
    await eventually(() => run1.confirmed === 1, "the first batch is confirmed");
    assert.deepEqual(run1.batches, [["users/1", "users/2"]]);
    await put(store, new User({ id: "users/3", name: "c" }));
    await eventually(() => run1.confirmed === 2, "the second batch is confirmed");
    assert.deepEqual(run1.batches[1], ["users/3"]);
    run1.worker.dispose();
});

scenario("batches have at most so many documents, and a handler that fails ends the worker", async ({ store, assert }) => {
    await put(store, ...[1, 2, 3].map(i => new User({ id: `users/${i}` })));
    const name = await store.subscriptions.create(User);
    // The client does not await what it reads meanwhile, which fails as it closes the socket.
    const ignore = () => {};
    process.on("unhandledRejection", ignore);
    const failing = run(store, { subscriptionName: name, maxDocsPerBatch: 2 }, () => { throw new Error("boom"); });
    await eventually(() => failing.error, "the worker ends");
    await new Promise(resolve => setTimeout(resolve, 50));
    process.off("unhandledRejection", ignore);
    assert.equal(failing.error.name, "SubscriberErrorException");
    failing.worker.dispose();
    const next = run(store, { subscriptionName: name, maxDocsPerBatch: 2, strategy: "WaitForFree" });
    await eventually(() => next.confirmed === 2, "both batches are confirmed");
    assert.deepEqual(next.batches, [["users/1", "users/2"], ["users/3"]]);
    next.worker.dispose();
});

scenario("the session of a batch saves its documents, with what was sent along", async ({ store, assert }) => {
    await put(store, new User({ id: "users/boss", name: "boss" }), new User({ id: "users/1", boss: "users/boss" }));
    const name = await store.subscriptions.create({
        query: "from Users as doc where doc.boss != null", includes: builder => builder.includeDocuments("boss"),
    });
    let requests = -1;
    const done = run(store, { subscriptionName: name, documentType: User }, async batch => {
        const session = batch.openSession({ transactionMode: "SingleNode" });
        const boss = await session.load("users/boss", User);
        requests = session.advanced.numberOfRequests;
        batch.items[0].result.name = `of ${boss.name}`;
        batch.items[0].result.boss = null;
        await session.saveChanges();
    });
    await eventually(() => done.confirmed === 1, "the batch is confirmed");
    assert.equal(requests, 0);
    assert.equal((await store.openSession().load("users/1", User)).name, "of boss");
    done.worker.dispose();
});

scenario("projections and script errors arrive as such", async ({ store, assert }) => {
    await put(store, new User({ id: "users/1", age: 1 }), new User({ id: "users/2", age: 2 }));
    const name = await store.subscriptions.create({
        query: "declare function f(u) { if (u.age == 2) throw new Error('two'); return { Age: u.age }; } "
            + "from Users as u select f(u)",
    });
    const items = [];
    const done = run(store, { subscriptionName: name }, batch => { items.push(...batch.items); });
    await eventually(() => done.batches.length === 1, "a batch");
    assert.ok(items[0].projection);
    assert.equal(items[0].rawResult.Age, 1);
    assert.match(items[1].exceptionMessage, /two/);
    done.worker.dispose();
});

scenario("a second worker is refused, takes over, or waits", async ({ store, assert }) => {
    const name = await store.subscriptions.create(User);
    const first = run(store, { subscriptionName: name });
    await eventually(() => first.connected === 1, "the first connects");
    const refused = run(store, { subscriptionName: name });
    await eventually(() => refused.error, "the second is refused");
    assert.equal(refused.error.name, "SubscriptionInUseException");
    const waiting = run(store, { subscriptionName: name, strategy: "WaitForFree" });
    const taking = run(store, { subscriptionName: name, strategy: "TakeOver" });
    await eventually(() => first.error, "the first is ended");
    assert.equal(first.error.name, "SubscriptionInUseException");
    await eventually(() => taking.connected + waiting.connected >= 1, "another one connects");
    for (const one of [taking, waiting, first, refused]) {
        one.worker.dispose();
    }
});

scenario("workers that share get each document once", async ({ store, assert }) => {
    const name = await store.subscriptions.create(User);
    const both = [1, 2].map(() => run(store, { subscriptionName: name, strategy: "Concurrent", maxDocsPerBatch: 1 }));
    await eventually(() => both.every(one => one.connected === 1), "both connect");
    await put(store, ...Array.from({ length: 10 }, (_, i) => new User({ id: `users/${i}` })));
    await eventually(() => both[0].confirmed + both[1].confirmed === 10, "all are confirmed");
    const ids = both.flatMap(one => one.batches.flat()).sort();
    assert.deepEqual(ids, Array.from({ length: 10 }, (_, i) => `users/${i}`));
    both.forEach(one => one.worker.dispose());
});

scenario("a dropped or disabled worker ends, an update makes it connect again", async ({ store, assert }) => {
    const name = await store.subscriptions.create(User);
    const dropped = run(store, { subscriptionName: name });
    await eventually(() => dropped.connected === 1, "it connects");
    await store.subscriptions.dropConnection(name);
    await eventually(() => dropped.error, "it ends");
    assert.equal(dropped.error.name, "SubscriptionClosedException");
    const updated = run(store, { subscriptionName: name });
    await eventually(() => updated.connected === 1, "another one connects");
    await store.subscriptions.update({ name, query: "from Users where age > 5" });
    await eventually(() => updated.connected === 2, "it connects again");
    await put(store, new User({ id: "users/1", age: 1 }), new User({ id: "users/2", age: 9 }));
    await eventually(() => updated.confirmed === 1, "a batch");
    assert.deepEqual(updated.batches, [["users/2"]]);
    await store.subscriptions.disable(name);
    await eventually(() => updated.error, "it ends");
    assert.ok((await store.subscriptions.getSubscriptionState(name)).disabled);
    await store.subscriptions.enable(name);
    assert.equal((await store.subscriptions.getSubscriptions(0, 10)).length, 1);
    await store.subscriptions.delete(name);
    const error = await failure(() => store.subscriptions.getSubscriptionState(name));
    assert.equal(error.name, "SubscriptionDoesNotExistException");
    [dropped, updated].forEach(one => one.worker.dispose());
});

scenario("a worker of revisions gets each version with the one before it", async ({ store, assert }) => {
    const configuration = new RevisionsConfiguration();
    configuration.defaultConfig = new RevisionsCollectionConfiguration();
    await store.maintenance.send(new ConfigureRevisionsOperation(configuration));
    const name = await store.subscriptions.createForRevisions({ documentType: User });
    await put(store, new User({ id: "users/1", age: 1 }));
    await put(store, new User({ id: "users/1", age: 2 }));
    const versions = [];
    const worker = store.subscriptions.getSubscriptionWorkerForRevisions({ subscriptionName: name, documentType: User });
    worker.on("error", () => {});
    worker.on("batch", (batch, done) => {
        versions.push(...batch.items.map(item => [item.result.previous?.age ?? null, item.result.current?.age ?? null]));
        done();
    });
    await eventually(() => versions.length === 2, "both versions");
    assert.deepEqual(versions, [[null, 1], [1, 2]]);
    worker.dispose();
});

scenario("counters that were asked for come with their documents", async ({ store, assert }) => {
    await put(store, new User({ id: "users/1", age: 1 }));
    const counting = store.openSession();
    counting.countersFor("users/1").increment("likes", 7);
    await counting.saveChanges();
    const name = await store.subscriptions.create({
        query: "from Users as doc", includes: builder => builder.includeCounter("likes"),
    });
    let likes = -1;
    let requests = -1;
    const done = run(store, { subscriptionName: name, documentType: User }, async batch => {
        const session = batch.openSession({ transactionMode: "SingleNode" });
        likes = await session.countersFor(await session.load("users/1", User)).get("likes");
        requests = session.advanced.numberOfRequests;
    });
    await eventually(() => done.confirmed === 1, "the batch is confirmed");
    assert.deepEqual([likes, requests], [7, 0]);
    done.worker.dispose();
});

/** Passes bytes on as they are, as a proxy of layer 4 does, and cuts all connections when it is asked to. */
async function passer(url) {
    const target = new URL(url);
    const open = new Set();
    const server = net.createServer(client => {
        const behind = net.connect(Number(target.port), target.hostname);
        for (const [one, other] of [[client, behind], [behind, client]]) {
            open.add(one);
            one.pipe(other);
            one.on("error", () => other.destroy());
            one.on("close", () => { open.delete(one); other.destroy(); });
        }
    });
    await new Promise(resolve => server.listen(0, "127.0.0.1", resolve));
    return {
        url: `${target.protocol}//127.0.0.1:${server.address().port}`,
        cut: () => open.forEach(one => one.destroy()),
        end: () => { server.close(); open.forEach(one => one.destroy()); },
    };
}

scenario("a worker behind a proxy whose connection is cut gets again what it has not acknowledged", async ({ store, database, url, assert }) => {
    const proxy = await passer(url);
    const behind = new DocumentStore(proxy.url, database);
    behind.initialize();
    try {
        const name = await store.subscriptions.create(User);
        await put(store, new User({ id: "users/1" }), new User({ id: "users/2" }));
        let cuts = 0;
        const done = run(behind, { subscriptionName: name, maxDocsPerBatch: 1 }, batch => {
            if (cuts < 2) {
                cuts++;
                proxy.cut();
            }
        });
        await eventually(() => done.batches.flat().includes("users/2") && done.confirmed >= 2, "both are confirmed");
        assert.ok(done.connected >= 2, `it connected ${done.connected} times`);
        assert.ok(done.batches.length >= 3, JSON.stringify(done.batches));
        assert.equal(done.error, null);
        done.worker.dispose();
    } finally {
        proxy.end();
        behind.dispose();
    }
});

scenario("a session that wants what it has read to hold is refused after a change", async ({ store, assert }) => {
    await put(store, new User({ id: "users/1", age: 1 }), new User({ id: "users/2", age: 2 }));
    const session = store.openSession();
    session.advanced.optimisticConcurrencyMode = "WritesAndReads";
    await session.load("users/1", User);
    const second = await session.load("users/2", User);
    second.age++;
    await session.saveChanges();
    await put(store, new User({ id: "users/1", age: 7 }));
    second.age++;
    const error = await failure(() => session.saveChanges());
    assert.equal(error.name, "ConcurrencyException");
});
