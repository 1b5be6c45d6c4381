// node node-worker.mjs URL DATABASE SUBSCRIPTION COUNT: prints how many documents a second a worker takes.
import { DocumentStore } from "ravendb";

const [, , url, database, subscriptionName, count] = process.argv;
const store = new DocumentStore(url, database).initialize();
const worker = store.subscriptions.getSubscriptionWorker({ subscriptionName, maxDocsPerBatch: 4096 });
const started = process.hrtime.bigint();
let taken = 0;
worker.on("error", error => {
    console.error(error);
    process.exit(1);
});
worker.on("batch", (batch, done) => {
    taken += batch.items.filter(item => item.result.Name ?? item.result.name).length;
    done();
});
worker.on("afterAcknowledgment", () => {
    if (taken >= Number(count)) {
        console.log(taken / (Number(process.hrtime.bigint() - started) / 1e9));
        process.exit(0);
    }
});
