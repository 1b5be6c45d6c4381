// node killed.mjs SERVER-URL DATABASE SUBSCRIPTION
// A worker of the official client that prints the id of each document that it gets, and "established" for each
// connection, whatever happens to the server, until its input ends.
import { DocumentStore } from "ravendb";

const [, , url, database, subscriptionName] = process.argv;
const store = new DocumentStore(url, database).initialize();
const worker = store.subscriptions.getSubscriptionWorker({
    subscriptionName, strategy: "WaitForFree", maxDocsPerBatch: 8, timeToWaitBeforeConnectionRetry: 100,
});
// A connection that is cut while a request goes on rejects a promise that the client does not await.
process.on("unhandledRejection", () => {});
worker.on("onEstablishedSubscriptionConnection", () => console.log("established"));
worker.on("error", error => {
    console.error(error);
    process.exit(1);
});
worker.on("batch", (batch, done) => {
    batch.items.forEach(item => console.log(item.id));
    done();
});
process.stdin.on("end", () => process.exit(0)).resume();
