import { createHash } from "node:crypto";
import { Readable } from "node:stream";
import { DeleteAttachmentOperation, GetAttachmentOperation, GetStatisticsOperation, PutAttachmentOperation } from "ravendb";
import { failure, scenario, User } from "../harness.mjs";

const bytesOf = (size, seed = 7) => Buffer.from(Array.from({ length: size }, (_, i) => (i * seed) & 0xff));
const hashOf = bytes => createHash("sha256").update(bytes).digest("base64");

async function read(result) {
    const chunks = [];
    for await (const chunk of result.data) {
        chunks.push(Buffer.from(chunk));
    }
    result.dispose();
    return Buffer.concat(chunks);
}

async function withUser(store, id = "users/1") {
    const session = store.openSession();
    await session.store(new User({ name: "a" }), id);
    await session.saveChanges();
}

async function attach(store, id, name, bytes, contentType) {
    const session = store.openSession();
    session.advanced.attachments.store(id, name, bytes, contentType);
    await session.saveChanges();
}

scenario("an attachment is stored with its document in one saveChanges and read back", async ({ store, assert }) => {
    const session = store.openSession();
    const user = new User({ name: "a" });
    await session.store(user, "users/1");
    const bytes = bytesOf(1000);
    session.advanced.attachments.store(user, "photo.jpg", bytes, "image/jpeg");
    await session.saveChanges();
    const result = await store.openSession().advanced.attachments.get("users/1", "photo.jpg");
    assert.equal(result.details.contentType, "image/jpeg");
    assert.equal(result.details.size, 1000);
    assert.equal(result.details.hash, hashOf(bytes));
    assert.equal(result.details.documentId, "users/1");
    assert.equal(result.details.name, "photo.jpg");
    assert.ok(result.details.changeVector);
    assert.deepEqual(await read(result), bytes);
});

scenario("an attachment of several megabytes comes back byte for byte", async ({ store, assert }) => {
    await withUser(store);
    const bytes = bytesOf(5_000_001, 31);
    await attach(store, "users/1", "large.bin", bytes, "application/octet-stream");
    assert.deepEqual(await read(await store.openSession().advanced.attachments.get("users/1", "large.bin")), bytes);
});

scenario("several attachments of one saveChanges keep their own bytes", async ({ store, assert }) => {
    await withUser(store);
    const session = store.openSession();
    for (let i = 0; i < 5; i++) {
        session.advanced.attachments.store("users/1", `file${i}`, bytesOf(100 + i, i + 1), "a/b");
    }
    await session.saveChanges();
    for (let i = 0; i < 5; i++) {
        const result = await store.openSession().advanced.attachments.get("users/1", `file${i}`);
        assert.deepEqual(await read(result), bytesOf(100 + i, i + 1));
    }
});

scenario("an attachment may come from a stream", async ({ store, assert }) => {
    await withUser(store);
    await attach(store, "users/1", "streamed", Readable.from([Buffer.from("one "), Buffer.from("two")]), "text/plain");
    const result = await store.openSession().advanced.attachments.get("users/1", "streamed");
    assert.equal((await read(result)).toString(), "one two");
});

scenario("an empty attachment is one too", async ({ store, assert }) => {
    await withUser(store);
    await store.operations.send(new PutAttachmentOperation("users/1", "empty", Buffer.alloc(0), "text/plain"));
    const user = await store.openSession().load("users/1", User);
    assert.equal(user["@metadata"]["@attachments"][0].Size ?? user["@metadata"]["@attachments"][0].size, 0);
});

scenario("the metadata of a document names its attachments", async ({ store, assert }) => {
    await withUser(store);
    await attach(store, "users/1", "a.txt", Buffer.from("abc"), "text/plain");
    await attach(store, "users/1", "b.txt", Buffer.from("defg"), "text/html");
    const session = store.openSession();
    const user = await session.load("users/1", User);
    const names = session.advanced.attachments.getNames(user);
    assert.deepEqual(names.map(n => n.name), ["a.txt", "b.txt"]);
    assert.deepEqual(names.map(n => n.size), [3, 4]);
    assert.deepEqual(names.map(n => n.contentType), ["text/plain", "text/html"]);
    assert.deepEqual(names.map(n => n.hash), [hashOf(Buffer.from("abc")), hashOf(Buffer.from("defg"))]);
    assert.ok(session.advanced.getMetadataFor(user)["@flags"].includes("HasAttachments"));
});

scenario("whether an attachment exists is asked without reading it", async ({ store, assert }) => {
    await withUser(store);
    await attach(store, "users/1", "a.txt", Buffer.from("abc"), "text/plain");
    const attachments = store.openSession().advanced.attachments;
    assert.equal(await attachments.exists("users/1", "a.txt"), true);
    assert.equal(await attachments.exists("users/1", "b.txt"), false);
    assert.equal(await attachments.exists("users/2", "a.txt"), false);
});

scenario("a missing attachment is null", async ({ store, assert }) => {
    await withUser(store);
    assert.equal(await store.openSession().advanced.attachments.get("users/1", "none"), null);
});

scenario("an attachment is deleted in a session", async ({ store, assert }) => {
    await withUser(store);
    await attach(store, "users/1", "a.txt", Buffer.from("abc"), "text/plain");
    const session = store.openSession();
    session.advanced.attachments.delete("users/1", "a.txt");
    await session.saveChanges();
    assert.equal(await store.openSession().advanced.attachments.exists("users/1", "a.txt"), false);
    const user = await store.openSession().load("users/1", User);
    assert.equal(user["@metadata"]["@attachments"], undefined);
});

scenario("attachments go with their document", async ({ store, assert }) => {
    await withUser(store);
    await attach(store, "users/1", "a.txt", Buffer.from("abc"), "text/plain");
    const session = store.openSession();
    await session.delete("users/1");
    await session.saveChanges();
    const statistics = await store.maintenance.send(new GetStatisticsOperation());
    assert.equal(statistics.countOfAttachments, 0);
    assert.equal(statistics.countOfUniqueAttachments, 0);
});

scenario("equal attachments are stored once", async ({ store, assert }) => {
    await withUser(store, "users/1");
    await withUser(store, "users/2");
    await attach(store, "users/1", "a", Buffer.from("same"), "text/plain");
    await attach(store, "users/2", "b", Buffer.from("same"), "text/plain");
    const statistics = await store.maintenance.send(new GetStatisticsOperation());
    assert.equal(statistics.countOfAttachments, 2);
    assert.equal(statistics.countOfUniqueAttachments, 1);
});

scenario("an attachment is copied to another document", async ({ store, assert }) => {
    await withUser(store, "users/1");
    await withUser(store, "users/2");
    await attach(store, "users/1", "a", Buffer.from("copied"), "text/plain");
    const session = store.openSession();
    session.advanced.attachments.copy("users/1", "a", "users/2", "b");
    await session.saveChanges();
    assert.equal((await read(await store.openSession().advanced.attachments.get("users/2", "b"))).toString(), "copied");
    assert.equal(await store.openSession().advanced.attachments.exists("users/1", "a"), true);
});

scenario("an attachment is moved and renamed", async ({ store, assert }) => {
    await withUser(store, "users/1");
    await withUser(store, "users/2");
    await attach(store, "users/1", "a", Buffer.from("moved"), "text/plain");
    let session = store.openSession();
    session.advanced.attachments.move("users/1", "a", "users/2", "b");
    await session.saveChanges();
    session = store.openSession();
    session.advanced.attachments.rename("users/2", "b", "c");
    await session.saveChanges();
    const attachments = store.openSession().advanced.attachments;
    assert.equal(await attachments.exists("users/1", "a"), false);
    assert.equal(await attachments.exists("users/2", "b"), false);
    assert.equal((await read(await attachments.get("users/2", "c"))).toString(), "moved");
});

scenario("operations put, get and delete an attachment", async ({ store, assert }) => {
    await withUser(store);
    const bytes = bytesOf(300_000, 3);
    const put = await store.operations.send(new PutAttachmentOperation("users/1", "op", bytes, "x/y"));
    assert.equal(put.name, "op");
    assert.equal(put.documentId, "users/1");
    assert.equal(put.contentType, "x/y");
    assert.equal(put.hash, hashOf(bytes));
    assert.equal(put.size, 300_000);
    assert.ok(put.changeVector);
    const got = await store.operations.send(new GetAttachmentOperation("users/1", "op", "Document", null));
    assert.equal(got.details.changeVector, put.changeVector);
    assert.deepEqual(await read(got), bytes);
    await store.operations.send(new DeleteAttachmentOperation("users/1", "op"));
    assert.equal(await store.operations.send(new GetAttachmentOperation("users/1", "op", "Document", null)), null);
});

scenario("an attachment with another version than expected is refused", async ({ store, database, url, assert }) => {
    await withUser(store);
    const put = await store.operations.send(new PutAttachmentOperation("users/1", "op", Buffer.from("1"), "x/y"));
    await store.operations.send(new PutAttachmentOperation("users/1", "op", Buffer.from("2"), "x/y"));
    // The client's own operations with a change vector fail before they send anything (7.2.6).
    const refused = await fetch(`${url}/databases/${database}/attachments?id=users/1&name=op`, {
        method: "DELETE", headers: { "If-Match": `"${put.changeVector}"` },
    });
    assert.equal(refused.status, 409);
    assert.equal(await store.openSession().advanced.attachments.exists("users/1", "op"), true);
});

scenario("an attachment of a missing document is refused by name", async ({ store, assert }) => {
    const error = await failure(() => store.operations.send(
        new PutAttachmentOperation("users/404", "a", Buffer.from("1"), "x/y")));
    assert.equal(error.name, "DocumentDoesNotExistException");
    assert.ok(error.message.includes("users/404"));
});

scenario("a failing saveChanges leaves neither document nor attachment", async ({ store, assert }) => {
    const session = store.openSession();
    await session.store(new User({ name: "a" }), "users/1");
    session.advanced.attachments.store("users/1", "a", Buffer.from("1"), "x/y");
    session.advanced.attachments.store("users/404", "b", Buffer.from("2"), "x/y");
    await failure(() => session.saveChanges());
    assert.equal(await store.openSession().load("users/1"), null);
    const statistics = await store.maintenance.send(new GetStatisticsOperation());
    assert.equal(statistics.countOfAttachments, 0);
});

scenario("storing an attachment gives the document a new version", async ({ store, assert }) => {
    await withUser(store);
    const before = (await store.openSession().load("users/1", User))["@metadata"]["@change-vector"];
    await attach(store, "users/1", "a", Buffer.from("1"), "x/y");
    const after = (await store.openSession().load("users/1", User))["@metadata"]["@change-vector"];
    assert.notEqual(before, after);
});

scenario("unusual names of attachments come back as they were", async ({ store, assert }) => {
    await withUser(store);
    const name = "שלום é 😀 & \"quoted\" #1?.txt";
    await attach(store, "users/1", name, Buffer.from("1"), "x/y");
    const session = store.openSession();
    const user = await session.load("users/1", User);
    assert.equal(session.advanced.attachments.getNames(user)[0].name, name);
    assert.equal(await session.advanced.attachments.exists("users/1", name), true);
});

scenario("a bulk insert stores attachments beside its documents", async ({ store, assert }) => {
    const insert = store.bulkInsert();
    const bytes = bytesOf(400_000, 5);
    for (let i = 0; i < 3; i++) {
        await insert.store(new User({ n: i }), `users/${i}`);
        const attachments = insert.attachmentsFor(`users/${i}`);
        await attachments.store("large", bytes, "x/y");
        await attachments.store("small", Buffer.from(`small ${i}`));
    }
    await insert.finish();
    for (let i = 0; i < 3; i++) {
        const attachments = store.openSession().advanced.attachments;
        assert.deepEqual(await read(await attachments.get(`users/${i}`, "large")), bytes);
        assert.equal((await read(await attachments.get(`users/${i}`, "small"))).toString(), `small ${i}`);
    }
});
