// What identities of each kind may do with the official client, over https: prints a line for each operation,
// "IDENTITY OPERATION ok" or the name of the error. Usage: node identities.mjs URL FOLDER EC_PEM, where FOLDER is what
// `--setup dev-cert` has made, and EC_PEM a registered certificate with an elliptic key.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { inflateRawSync } from "node:zlib";
import {
    CreateClientCertificateOperation, CreateDatabaseOperation, DeleteCertificateOperation, DeleteDatabasesOperation,
    DocumentStore, EditClientCertificateOperation, GetCertificatesOperation, IndexDefinition, PutIndexesOperation,
} from "ravendb";

// The client leaves promises of a connection that ends to nobody.
process.on("unhandledRejection", () => { });
const [, , url, folder, ecPem] = process.argv;
const ca = readFileSync(join(folder, "server.crt"));
const adminPem = readFileSync(join(folder, "admin.pem"), "utf8");

function open(certificate, database = "red", type = "pem", password = undefined) {
    const store = new DocumentStore(url, database);
    store.authOptions = { type, certificate, ca, password };
    return store.initialize();
}

/** The files of a zip. */
function unzip(zip) {
    const files = {};
    let at = zip.readUInt32LE(zip.lastIndexOf(Buffer.from("PK\x05\x06", "latin1")) + 16);
    while (zip.readUInt32LE(at) === 0x02014b50) {
        const [method, size, nameSize, extra, comment, local] = [
            zip.readUInt16LE(at + 10), zip.readUInt32LE(at + 20), zip.readUInt16LE(at + 28), zip.readUInt16LE(at + 30),
            zip.readUInt16LE(at + 32), zip.readUInt32LE(at + 42),
        ];
        const start = local + 30 + zip.readUInt16LE(local + 26) + zip.readUInt16LE(local + 28);
        const content = zip.subarray(start, start + size);
        const name = zip.subarray(at + 46, at + 46 + nameSize).toString();
        files[name] = method === 0 ? content : inflateRawSync(content);
        at += 46 + nameSize + extra + comment;
    }
    return files;
}

async function print(identity, operation, action) {
    let outcome = "ok";
    try {
        await action();
    } catch (error) {
        outcome = error.name;
    }
    process.stdout.write(`${identity} ${operation} ${outcome}\n`);
}

async function load(store, id) {
    const session = store.openSession();
    if (await session.load(id) === null) {
        throw new Error("It is not there.");
    }
}

async function write(store, id) {
    const session = store.openSession();
    await session.store({ text: "written" }, id);
    await session.saveChanges();
}

async function bulk(store, id) {
    const insert = store.bulkInsert();
    await insert.store({ text: "inserted" }, id);
    await insert.finish();
}

async function change(store, writer, id) {
    const changes = store.changes();
    try {
        changes.on("error", () => { });
        const documents = changes.forDocument(id);
        const first = new Promise(resolve => documents.on("data", resolve));
        await documents.ensureSubscribedNow();
        await write(writer, id);
        await first;
    } finally {
        changes.dispose();
    }
}

function index(name) {
    const definition = new IndexDefinition();
    definition.name = name;
    definition.maps = new Set([`from doc in docs.Things select new { doc.text }`]);
    return new PutIndexesOperation(definition);
}

const admin = open(adminPem);
const server = admin.maintenance.server;
for (const name of ["red", "blue"]) {
    await server.send(new CreateDatabaseOperation({ databaseName: name }));
    const store = open(adminPem, name);
    await write(store, "things/1");
    store.dispose();
}
const identities = { C: adminPem, EC: readFileSync(ecPem, "utf8") };
const pfx = {};
for (const [name, clearance, permissions] of [
    ["R", "ValidUser", { red: "Read" }], ["W", "ValidUser", { red: "ReadWrite" }], ["A", "ValidUser", { red: "Admin" }],
    ["O", "Operator", {}],
]) {
    const made = await server.send(new CreateClientCertificateOperation(name, permissions, clearance, "secret"));
    const files = unzip(Buffer.from(made.rawData));
    identities[name] = files[`${name}.pem`].toString();
    pfx[name] = files[`${name}.pfx`];
}
for (const [name, pem] of Object.entries(identities)) {
    const own = open(pem);
    const other = open(pem, "blue");
    const all = own.maintenance.server;
    await print(name, "read", () => load(own, "things/1"));
    if (name !== "EC") {
        await print(name, "write", () => write(own, `things/of-${name}`));
        await print(name, "bulk-insert", () => bulk(own, `things/bulk-${name}`));
        await print(name, "change", () => change(own, admin, `things/seen-by-${name}`));
        await print(name, "index", () => own.maintenance.send(index(`By${name}`)));
        await print(name, "read-other", () => load(other, "things/1"));
        await print(name, "create-database", () => all.send(new CreateDatabaseOperation({ databaseName: `of-${name}` })));
        await print(name, "delete-database", () =>
            all.send(new DeleteDatabasesOperation({ databaseNames: [`of-${name}`], hardDelete: true })));
        await print(name, "list-certificates", () => all.send(new GetCertificatesOperation(0, 100)));
        await print(name, "create-user", () =>
            all.send(new CreateClientCertificateOperation(`user-of-${name}`, { red: "Read" }, "ValidUser", "secret")));
        await print(name, "create-admin", () =>
            all.send(new CreateClientCertificateOperation(`admin-of-${name}`, {}, "ClusterAdmin", "secret")));
    }
    own.dispose();
    other.dispose();
}
const byPfx = open(pfx.W, "red", "pfx", "secret");
await print("W", "write-by-pfx", () => write(byPfx, "things/by-pfx"));
byPfx.dispose();

// Rights that are narrowed, and an identity that is taken away, by the client's own operations.
const list = await server.send(new GetCertificatesOperation(0, 100));
const thumbprint = list.find(one => one.name === "W").thumbprint;
const writer = open(identities.W);
await server.send(new EditClientCertificateOperation({
    thumbprint, name: "W", permissions: { red: "Read" }, clearance: "ValidUser",
}));
await print("W", "write-narrowed", () => write(writer, "things/narrowed"));
await print("W", "read-narrowed", () => load(writer, "things/1"));
await server.send(new DeleteCertificateOperation(thumbprint));
await print("W", "read-deleted", () => load(writer, "things/1"));
writer.dispose();
admin.dispose();
process.exit(0);
