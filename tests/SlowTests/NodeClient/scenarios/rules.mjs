// Rules for data as the client configures them, and what its users see of a document that breaks one.
import { ConfigureDataArchivalOperation, ConfigureSchemaValidationOperation, GetSchemaValidationConfiguration } from "ravendb";
import { eventually, failure, scenario, User } from "../harness.mjs";
import { all, sendOk, shape } from "../raw.mjs";

const schema = JSON.stringify({ required: ["name"], properties: { name: { type: "string", minLength: 1 } } });
const validators = { validatorsPerCollection: { Users: { disabled: false, schema } } };

async function put(store, id, fields, metadata = {}) {
    const session = store.openSession();
    const user = new User(fields);
    await session.store(user, id);
    Object.assign(session.advanced.getMetadataFor(user), metadata);
    await session.saveChanges();
}

scenario("a schema is taken, read back and kept", async ({ store, assert }) => {
    const result = await store.maintenance.send(new ConfigureSchemaValidationOperation(validators));
    assert.ok(result.raftCommandIndex > 0);
    const told = await store.maintenance.send(new GetSchemaValidationConfiguration());
    assert.equal(told.validatorsPerCollection.Users.schema, schema);
    await put(store, "users/1", { name: "a" });
    const error = await failure(() => put(store, "users/2", { name: "" }));
    assert.match(error.message, /users\/2.*at least 1 characters/s);
    assert.equal(await store.openSession().advanced.exists("users/2"), false);
});

scenario("schemas are told with all members, in raw", async ({ url, database }) => {
    const base = `/databases/${database}`;
    const body = { ValidatorsPerCollection: { Users: { Schema: schema } } };
    shape(await sendOk(url, "POST", `${base}/admin/schema-validation/config`, body), { RaftCommandIndex: "number" });
    shape(await sendOk(url, "GET", `${base}/schema-validation/config`), {
        Disabled: "boolean", ValidatorsPerCollection: "object", "ValidatorsPerCollection.Users": "object",
        "ValidatorsPerCollection.Users.Schema": "string",
    });
});

scenario("a document is archived at its time, and queries by index leave it out", async ({ store, assert }) => {
    const result = await store.maintenance.send(new ConfigureDataArchivalOperation({ disabled: false, archiveFrequencyInSec: 1 }));
    assert.ok(result.raftCommandIndex > 0);
    await put(store, "users/1", { name: "a" }, { "@archive-at": new Date(Date.now() + 300).toISOString() });
    await put(store, "users/2", { name: "a" });
    await eventually(async () => {
        const session = store.openSession();
        return session.advanced.getMetadataFor(await session.load("users/1", User))["@archived"] === true;
    }, "the document is archived");
    const found = await store.openSession().query({ collection: "Users" }).whereEquals("name", "a").waitForNonStaleResults().all();
    assert.deepEqual(found.map(one => one.id), ["users/2"]);
});

scenario("a value that must be unique is refused as a conflict that names its holder", async ({ store, url, database, assert }) => {
    const base = `/databases/${database}`;
    await sendOk(url, "POST", `${base}/admin/unique-constraints/config`, {
        Collections: { Users: { Constraints: [{ Name: "Name", Fields: ["name"] }] } },
    });
    await put(store, "users/1", { name: "a" });
    const error = await failure(() => put(store, "users/2", { name: "a" }));
    assert.equal(error.name, "ConcurrencyException");
    assert.match(error.message, /name = "a" is the value of document 'users\/1'/);
    shape(await sendOk(url, "GET", `${base}/unique-constraints/state`), {
        Results: "array", ...all("string", "Results[].Collection", "Results[].Name", "Results[].State"),
        "Results[].Fields": "array", "Results[].Shared": "array", "Results[].IgnoreCase": "boolean",
        ...all("number", "Results[].BuiltEtag", "Results[].StopEtag", "Results[].Excess"),
    });
});
