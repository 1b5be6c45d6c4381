// Answers as they are, without the client: what it does not read, others do.
import { strict as assert } from "node:assert";
import { eventually, scenario } from "../harness.mjs";
import { all, ended, send, sendOk, shape } from "../raw.mjs";

scenario("an error has a url, a type, a message and a version of the server", async ({ url, database }) => {
    const answer = await send(url, "GET", `/databases/${database}/docs?id=none`);
    assert.equal(answer.status, 404);
    shape(answer.json, all("string", "Url", "Type", "Message", "Error"));
    assert.ok(answer.headers.get("raven-server-version").startsWith("7."));
    assert.equal((await send(url, "GET", "/databases/nope/stats")).headers.get("database-missing"), "nope");
});

scenario("a conflict names the document and both versions", async ({ url, database }) => {
    const path = `/databases/${database}/docs?id=a`;
    const { ChangeVector: first } = await sendOk(url, "PUT", path, {});
    const { ChangeVector: second, Id: id } = await sendOk(url, "PUT", path, {});
    const answer = await send(url, "PUT", path, {}, { "If-Match": `"${first}"` });
    assert.equal(answer.status, 409);
    assert.deepEqual([answer.json.Id, answer.json.ExpectedChangeVector, answer.json.ActualChangeVector], [id, first, second]);
});

scenario("the cluster is one node that leads", async ({ url, database }) => {
    const topology = await sendOk(url, "GET", "/cluster/topology");
    shape(topology, {
        ...all("string", "Topology.TopologyId", "Topology.LastNodeId", "Leader", "NodeTag", "ServerRole", "Topology.AllNodes.A",
            "Topology.Members.A"),
        ...all("object", "Topology", "Topology.AllNodes", "Topology.Members", "Topology.Promotables", "Topology.Watchers", "Status"),
        ...all("number", "Topology.Etag", "Etag", "CurrentTerm"),
    });
    const node = await sendOk(url, "GET", "/cluster/node-info");
    shape(node, {
        ...all("string", "NodeTag", "TopologyId", "ClusterStatus", "ServerRole"), Certificate: "string?",
        ...all("number", "NumberOfCores", "InstalledMemoryInGb", "UsableMemoryInGb", "ServerSchemaVersion"),
        BuildInfo: "object", HasFixedPort: "boolean", ServerId: "string", "BuildInfo.BuildVersion": "number",
        ...all("string", "BuildInfo.ProductVersion", "BuildInfo.CommitHash", "BuildInfo.FullVersion"),
    });
    shape(await sendOk(url, "GET", `/topology?name=${database}`), {
        ...all("string", "Nodes[].Url", "Nodes[].ClusterTag", "Nodes[].Database", "Nodes[].ServerRole"), Etag: "number",
    });
    shape(await sendOk(url, "GET", "/build/version"),
        { ...all("string", "ProductVersion", "CommitHash", "FullVersion"), BuildVersion: "number" });
});

scenario("a database comes and goes with its topology", async ({ url, database }) => {
    const made = await sendOk(url, "PUT", `/admin/databases?name=${database}-raw`, {});
    shape(made, {
        ...all("number", "RaftCommandIndex", "Topology.ReplicationFactor"), Name: "string", Topology: "object",
        ...all("array", "Topology.Members", "Topology.Promotables", "Topology.Rehabs", "NodesAddedTo"),
    });
    const names = await sendOk(url, "GET", "/databases?namesOnly=true");
    assert.ok(names.Databases.includes(made.Name));
    const gone = await sendOk(url, "DELETE", "/admin/databases", { DatabaseNames: [made.Name], HardDelete: true });
    shape(gone, { RaftCommandIndex: "number", PendingDeletes: "array" });
});

scenario("the record of a database has all that clients read", async ({ url, database }) => {
    const kinds = {
        ...all("string", "DatabaseName", "DatabaseState"), Etag: "number", "Topology.ReplicationFactor": "number",
        ...all("object", "Topology", "Settings", "Indexes", "AutoIndexes", "IndexesHistory", "Sorters", "Analyzers",
            "RavenConnectionStrings"),
        ...all("object?", "Revisions", "RevisionsForConflicts", "Expiration", "Refresh", "TimeSeries", "DocumentsCompression"),
        ...all("array", "Topology.Members", "Topology.Promotables", "Topology.Rehabs", "ExternalReplications"),
        "Topology.DynamicNodesDistribution": "boolean",
    };
    shape(await sendOk(url, "GET", `/admin/databases?name=${database}`), kinds);
    shape(await sendOk(url, "GET", `/databases/${database}/admin/record`), kinds);
});

scenario("databases are disabled and enabled with a reason", async ({ url, database }) => {
    for (const what of ["disable", "enable"]) {
        shape(await sendOk(url, "POST", `/admin/databases/${what}`, { DatabaseNames: [database] }),
            { "Status": "array", ...all("string", "Status[].Name", "Status[].Reason"), ...all("boolean", "Status[].Success", "Status[].Disabled") });
    }
});

scenario("a compaction tells the sizes before and after", async ({ url, database }) => {
    const started = await sendOk(url, "POST", "/admin/compact", { DatabaseName: database, Documents: true });
    shape(started, { OperationId: "number", OperationNodeTag: "string" });
    const state = await ended(url, `/operations/state?id=${started.OperationId}`);
    assert.equal(state.Status, "Completed");
    shape(state, {
        ...all("object", "Progress", "Result"), "Progress.Processed": "number", "Result.Processed": "number",
        "Progress.Total": "number", "Result.Total": "number",
        ...all("number", "Result.SizeBeforeCompactionInMb", "Result.SizeAfterCompactionInMb"),
    });
});

scenario("the log is described in old terms and new ones", async ({ url }) => {
    shape(await sendOk(url, "GET", "/admin/logs/configuration"), {
        ...all("string", "CurrentMode", "Mode", "Path", "Logs.CurrentMinLevel", "Logs.MinLevel"), Logs: "object",
        ...all("boolean", "UseUtcTime", "Compress"), RetentionTime: "string?", RetentionSize: "number?",
    });
});

scenario("what runs is listed, and what is gone cannot be ended", async ({ url }) => {
    shape(await sendOk(url, "GET", "/admin/requests/running?x=1"), {
        Results: "array", ...all("number", "Results[].Id", "Results[].Milliseconds"),
        ...all("string", "Results[].Method", "Results[].Path", "Results[].Query", "Results[].Detail"),
    });
    assert.equal((await sendOk(url, "POST", "/admin/requests/kill?id=1")).Killed, false);
});

scenario("a healthy server says so", async ({ url }) => {
    const health = await sendOk(url, "GET", "/healthz");
    assert.deepEqual(health.Faults, {});
    shape(health, {
        Status: "string", ...all("object", "Disk", "Lag"),
        ...all("number", "Databases", "Disk.FreeBytes", "Disk.TotalBytes", "Lag.JournalBacklogBytes", "Lag.OldestReaderMilliseconds"),
    });
});

scenario("what others than clients read is there: numbers for Prometheus, and a description of all routes", async ({ url }) => {
    const metrics = await send(url, "GET", "/metrics");
    assert.equal(metrics.status, 200);
    assert.match(metrics.text, /^# TYPE raven_\w+ (counter|gauge|histogram)$/m);
    const described = await sendOk(url, "GET", "/openapi.json");
    assert.match(described.openapi, /^3\./);
    assert.ok("/build/version" in described.paths);
});

scenario("clients are told what to do, in raw", async ({ url, database }) => {
    const configuration = {
        IdentityPartsSeparator: "-", MaxNumberOfRequestsPerSession: 5, ReadBalanceBehavior: "RoundRobin",
        LoadBalanceBehavior: "UseSessionContext", LoadBalancerContextSeed: 7, Disabled: false,
    };
    const kinds = prefix => ({
        ...all("number", `${prefix}MaxNumberOfRequestsPerSession`, `${prefix}LoadBalancerContextSeed`),
        ...all("string", `${prefix}IdentityPartsSeparator`, `${prefix}ReadBalanceBehavior`, `${prefix}LoadBalanceBehavior`),
        [`${prefix}Disabled`]: "boolean",
    });
    await sendOk(url, "PUT", `/databases/${database}/admin/configuration/client`, configuration);
    shape(await sendOk(url, "GET", `/databases/${database}/configuration/client`),
        { Etag: "number", Configuration: "object", ...kinds("Configuration.") });
    const answer = await send(url, "GET", `/databases/${database}/stats`, undefined, { "Client-Configuration-Etag": "0" });
    assert.equal(answer.headers.get("refresh-client-configuration"), "true");
    await sendOk(url, "PUT", "/admin/configuration/client", { ...configuration, Disabled: true });
    shape(await sendOk(url, "GET", "/configuration/client"), kinds(""));
});

scenario("analyzers and sorters are listed, of a database and of all", async ({ url, database }) => {
    for (const base of ["", `/databases/${database}`]) {
        shape(await sendOk(url, "GET", `${base}/admin/analyzers`), { Analyzers: "array" });
        shape(await sendOk(url, "GET", `${base}/admin/sorters`), { Sorters: "array" });
    }
});

const metadataOf = prefix =>
    all("string", ...["@id", "@change-vector", "@last-modified", "@collection"].map(name => `${prefix}@metadata.${name}`));
const documentIncludes = {
    ...all("object", "Includes", "CounterIncludes", "IncludedCounterNames", "CompareExchangeValueIncludes"),
    ...all("object", "CompareExchangeValueIncludes.*.Value"),
    ...all("string", "CounterIncludes.*[].DocumentId", "CounterIncludes.*[].CounterName", "CompareExchangeValueIncludes.*.Key",
        "CompareExchangeValueIncludes.*.ChangeVector"),
    ...all("number", "CounterIncludes.*[].TotalValue", "CompareExchangeValueIncludes.*.Index",
        "CompareExchangeValueIncludes.*.Value.Object"),
    ...metadataOf("Includes.*."),
};
const revisionIncludes = {
    ...all("string", "RevisionIncludes[].Id", "RevisionIncludes[].ChangeVector", "RevisionIncludes[].Revision.@metadata.@flags"),
    RevisionIncludes: "array", "RevisionIncludes[].Before": "string~", "RevisionIncludes[].Revision": "object",
    ...metadataOf("RevisionIncludes[].Revision."),
};

scenario("documents come with what they include", async ({ url, database }) => {
    const base = `/databases/${database}`;
    await sendOk(url, "POST", `${base}/admin/revisions/config`, { Default: { Disabled: false } });
    const { ChangeVector: first } = await sendOk(url, "PUT", `${base}/docs?id=a`, { N: 1 });
    await sendOk(url, "PUT", `${base}/docs?id=a`, { N: 2, B: "b", First: first, "@metadata": { "@collection": "Users" } });
    await sendOk(url, "PUT", `${base}/docs?id=b`, { "@metadata": { "@collection": "Users" } });
    await sendOk(url, "PUT", `${base}/cmpxchg?key=k&index=0`, { Object: 1 });
    await sendOk(url, "PUT", `${base}/attachments?id=a&name=n`, "bytes");
    await sendOk(url, "POST", `${base}/counters`,
        { Documents: [{ DocumentId: "a", Operations: [{ Type: "Increment", CounterName: "c", Delta: 2 }] }] });
    const query = "id=a&include=B&counter=c&cmpxchg=k&revisions=First&revisionsBefore=2050-01-01T00:00:00Z";
    const got = await send(url, "GET", `${base}/docs?${query}`);
    const kinds = {
        Results: "array", ...metadataOf("Results[]."), "Results[].@metadata.@flags": "string", ...documentIncludes, ...revisionIncludes,
        ...all("array", "Results[].@metadata.@attachments", "Results[].@metadata.@counters"),
        ...all("string", ...["Name", "Hash", "ContentType"].map(name => `Results[].@metadata.@attachments[].${name}`)),
        "Results[].@metadata.@attachments[].Size": "number",
    };
    assert.equal(got.status, 200, got.text);
    shape(got.json, kinds);
    const same = await send(url, "POST", `${base}/docs?${query.replace("id=a&", "")}`, { Ids: ["a"] });
    assert.equal(same.status, 200, same.text);
    shape(same.json, kinds);
    assert.ok(got.headers.get("etag").startsWith("\""));
    const posted = await send(url, "POST", `${base}/docs`, { Ids: ["a", "none"] });
    assert.equal(posted.json.Results.length, 2);
    shape(posted.json, { Results: "array", Includes: "object" });
    assert.ok(posted.headers.get("etag"));
    assert.ok((await send(url, "HEAD", `${base}/docs?id=a`)).headers.get("etag"));
    assert.equal((await sendOk(url, "GET", `${base}/docs?startsWith=a&pageSize=1&start=0`)).Results.length, 1);
    shape(await sendOk(url, "GET", `${base}/docs?startsWith=&start=0&pageSize=1`), { NextPageStart: "number" });
    const line = JSON.parse((await send(url, "GET", `${base}/streams/docs?format=jsonl&startsWith=a`)).text.trim());
    shape(line, all("string", "@metadata.@id", "@metadata.@change-vector", "@metadata.@last-modified", "@metadata.@collection"));
});

scenario("a patch tells what it did", async ({ url, database }) => {
    const path = `/databases/${database}/docs?id=a`;
    shape(await sendOk(url, "PUT", path, { N: 1 }), all("string", "Id", "ChangeVector"));
    shape(await sendOk(url, "PATCH", `${path}&debug=true`, { Patch: { Script: "this.N++; output('x');" } }), {
        ...all("string", "Status", "ChangeVector", "Collection", "LastModified"),
        ...all("object", "ModifiedDocument", "OriginalDocument", "Debug", "Debug.Actions"), "Debug.Output": "array",
        ...metadataOf("ModifiedDocument."), ...metadataOf("OriginalDocument."),
    });
});

scenario("numbers for ids are given out", async ({ url, database }) => {
    const base = `/databases/${database}`;
    shape(await sendOk(url, "GET", `${base}/hilo/next?tag=users&lastBatchSize=0`), {
        ...all("string", "Prefix", "ServerTag", "LastRangeAt"), ...all("number", "Low", "High", "LastSize"),
    });
    shape(await sendOk(url, "POST", `${base}/identity/next?name=users%7C`), { NewIdentityValue: "number" });
    shape(await sendOk(url, "POST", `${base}/identity/seed?name=users%7C&value=9`), { NewSeedValue: "number" });
    assert.equal((await sendOk(url, "GET", `${base}/debug/identities`))["users|"], 9);
});

scenario("a batch tells of each command what it did", async ({ url, database }) => {
    const base = `/databases/${database}`;
    await sendOk(url, "PUT", `${base}/docs?id=gone`, {});
    const form = new FormData();
    const change = { Script: "this.X = 1;" };
    form.append("main", new Blob([JSON.stringify({
        Commands: [
            { Type: "PUT", Id: "a", Document: { "@metadata": { "@collection": "Users" } } },
            { Type: "PUT", Id: "b", Document: {} },
            { Type: "DELETE", Id: "gone" },
            { Type: "PATCH", Id: "a", Patch: change, ReturnDocument: true },
            { Type: "BatchPATCH", Ids: [{ Id: "b" }], Patch: change },
            { Type: "AttachmentPUT", Id: "a", Name: "one", ContentType: "text/plain" },
            { Type: "Counters", Id: "a", Counters: { DocumentId: "a", Operations: [{ Type: "Increment", CounterName: "c", Delta: 1 }] } },
        ],
    })], { type: "application/json" }));
    form.append("attachment_0", new Blob(["bytes"]));
    const response = await fetch(`${url}${base}/bulk_docs`, { method: "POST", body: form });
    const { Results: results } = await response.json();
    const more = await sendOk(url, "POST", `${base}/bulk_docs`, {
        Commands: [
            { Type: "AttachmentCOPY", Id: "a", Name: "one", DestinationId: "b", DestinationName: "copy" },
            { Type: "AttachmentMOVE", Id: "a", Name: "one", DestinationId: "b", DestinationName: "moved" },
            { Type: "AttachmentDELETE", Id: "b", Name: "copy" },
            { Type: "ForceRevisionCreation", Id: "a" },
        ],
    });
    const cluster = await sendOk(url, "POST", `${base}/bulk_docs`, {
        TransactionMode: "ClusterWide", Commands: [{ Type: "CompareExchangePUT", Id: "k", Document: { Object: 1 }, Index: 0 }],
    });
    const index = cluster.Results.find(one => one.Type === "CompareExchangePUT").Index;
    const again = await sendOk(url, "POST", `${base}/bulk_docs`, {
        TransactionMode: "ClusterWide", Commands: [{ Type: "CompareExchangeDELETE", Id: "k", Index: index }],
    });
    assert.ok(cluster.TransactionIndex > 0);
    const of = type => [...results, ...more.Results, ...cluster.Results, ...again.Results].find(one => one.Type === type);
    const attachment = { ...all("string", "Id", "Name", "ChangeVector", "Hash", "ContentType", "DocumentChangeVector"), Size: "number" };
    shape(of("PUT"), all("string", "@id", "@collection", "@change-vector", "@last-modified"));
    shape(of("DELETE"), { Id: "string", Deleted: "boolean", ChangeVector: "string?" });
    shape(of("PATCH"), { ...all("string", "Id", "PatchStatus", "ChangeVector", "LastModified"), ModifiedDocument: "object" });
    shape(of("BatchPATCH"), { Type: "string" });
    shape(of("AttachmentPUT"), attachment);
    shape(of("AttachmentCOPY"), { ...attachment, ...all("string", "DestinationId", "DestinationName") });
    shape(of("AttachmentMOVE"), { ...attachment, ...all("string", "DestinationId", "DestinationName") });
    shape(of("AttachmentDELETE"), all("string", "@id", "Name", "DocumentChangeVector"));
    shape(of("Counters"), {
        ...all("string", "Id", "DocumentChangeVector", "CountersDetail.Counters[].DocumentId", "CountersDetail.Counters[].CounterName"),
        "CountersDetail.Counters": "array", "CountersDetail.Counters[].TotalValue": "number",
    });
    shape(of("CompareExchangePUT"), { Key: "string", Index: "number" });
    shape(of("CompareExchangeDELETE"), { Key: "string", Index: "number" });
    shape(of("ForceRevisionCreation"),
        { RevisionCreated: "boolean", ...all("string", "@id", "@change-vector", "@last-modified", "@flags") });
});

scenario("an operation tells how it failed", async ({ url, database }) => {
    const base = `/databases/${database}`;
    const { Id: id, NodeTag: tag } = await sendOk(url, "GET", `${base}/operations/next-operation-id`);
    assert.equal(tag, "A");
    const answer = await send(url, "POST", `${base}/bulk_insert?id=${id}`, '[{"Type":"PUT","Id":"a","Document":{}},{"Type":"No"}]');
    assert.ok(answer.status >= 400);
    const state = await sendOk(url, "GET", `${base}/operations/state?id=${id}`);
    assert.equal(state.Status, "Faulted");
    shape(state, {
        ...all("number", "Progress.Processed", "Progress.Total"), Result: "object", ...all("string", "Result.Type", "Result.Message", "Result.Error"),
        "Result.StatusCode": "number",
    });
    const { Id: good } = await sendOk(url, "GET", `${base}/operations/next-operation-id`);
    await sendOk(url, "POST", `${base}/bulk_insert?id=${good}`, '[{"Type":"PUT","Id":"b","Document":{}}]');
    const { Result: result } = await sendOk(url, "GET", `${base}/operations/state?id=${good}`);
    assert.deepEqual([result.Processed, typeof result.Total], [1, "number"]);
});

scenario("several reads in one have their own status and headers", async ({ url, database }) => {
    const base = `/databases/${database}`;
    await sendOk(url, "PUT", `${base}/docs?id=a`, {});
    shape(await sendOk(url, "POST", `${base}/multi_get`, { Requests: [{ Url: `${base}/docs`, Query: "?id=a", Method: "GET" }] }), {
        Results: "array", "Results[].StatusCode": "number", ...all("object", "Results[].Headers", "Results[].Result"),
        "Results[].Headers.ETag": "string",
    });
});

scenario("attachments tell their type, hash and size", async ({ url, database }) => {
    const base = `/databases/${database}`;
    await sendOk(url, "POST", `${base}/admin/revisions/config`, { Default: {} });
    await sendOk(url, "PUT", `${base}/docs?id=a`, {});
    const put = await sendOk(url, "PUT", `${base}/attachments?id=a&name=n&contentType=text/x`, "bytes");
    shape(put, { ...all("string", "Name", "DocumentId", "ContentType", "Hash", "ChangeVector"), Size: "number" });
    const { Results: [{ "@metadata": { "@change-vector": version } }] } = await sendOk(url, "GET", `${base}/docs?id=a`);
    for (const one of [
        await send(url, "GET", `${base}/attachments?id=a&name=n`),
        await send(url, "POST", `${base}/attachments?id=a&name=n`, { Type: "Revision", ChangeVector: version }),
    ]) {
        assert.equal(one.text, "bytes");
        assert.equal(one.headers.get("content-type"), "text/x");
        assert.equal(one.headers.get("attachment-hash"), put.Hash);
        assert.equal(one.headers.get("attachment-size"), "5");
        assert.equal(one.headers.get("etag"), `"${put.ChangeVector}"`);
    }
    const { headers } = await send(url, "HEAD", `${base}/attachments?id=a&name=n`);
    assert.deepEqual(["content-type", "attachment-hash", "attachment-size", "etag"].map(name => headers.get(name)),
        ["text/x", put.Hash, "5", `"${put.ChangeVector}"`]);
    const bulk = await send(url, "POST", `${base}/attachments/bulk`, { Attachments: [{ DocumentId: "a", Name: "n" }] });
    assert.ok(bulk.text.endsWith("]}bytes"), bulk.text);
    shape(JSON.parse(bulk.text.slice(0, -"bytes".length)), {
        AttachmentsMetadata: "array", ...all("number", "AttachmentsMetadata[].Index", "AttachmentsMetadata[].Size"),
        ...all("string", ...["DocumentId", "Name", "ContentType", "Hash", "ChangeVector"].map(name => `AttachmentsMetadata[].${name}`)),
    });
});

scenario("revisions are listed, counted, compared and cleared", async ({ url, database }) => {
    const base = `/databases/${database}`;
    const configuration = { Default: { MinimumRevisionsToKeep: 9 }, Collections: {} };
    shape(await sendOk(url, "POST", `${base}/admin/revisions/config`, configuration), { RaftCommandIndex: "number" });
    shape(await sendOk(url, "POST", `${base}/admin/revisions/conflicts/config`, {}), { RaftCommandIndex: "number" });
    const told = await sendOk(url, "GET", `${base}/revisions/config`);
    assert.deepEqual(told.Collections, configuration.Collections);
    assert.deepEqual({ ...told.Default, ...configuration.Default }, told.Default);
    const { ChangeVector: first } = await sendOk(url, "PUT", `${base}/docs?id=a`, { A: 1, "@metadata": { "@collection": "C" } });
    const { ChangeVector: second } = await sendOk(url, "PUT", `${base}/docs?id=a`, { A: 2, "@metadata": { "@collection": "C" } });
    const metadata = ["@id", "@change-vector", "@last-modified", "@collection", "@flags"].map(name => `Results[].@metadata.${name}`);
    shape(await sendOk(url, "GET", `${base}/revisions?id=a`), { Results: "array", TotalResults: "number", ...all("string", ...metadata) });
    assert.equal((await sendOk(url, "GET", `${base}/revisions/count?id=a`)).RevisionsCount, 2);
    const diff = await sendOk(url, "GET",
        `${base}/revisions/diff?from=${encodeURIComponent(first)}&to=${encodeURIComponent(second)}`);
    assert.deepEqual(diff, { Id: "a", From: first, To: second, Patch: [{ op: "replace", path: "/A", value: 2, old: 1 }] });
    await send(url, "DELETE", `${base}/docs?id=a`);
    shape(await sendOk(url, "GET", `${base}/revisions/bin`), { Results: "array", ...all("string", ...metadata) });
    for (const [path, body] of [["revisions/revert", { Time: "2050-01-01" }], ["admin/revisions/config/enforce", {}]]) {
        const started = await sendOk(url, "POST", `${base}/${path}`, body);
        shape(started, { OperationId: "number", OperationNodeTag: "string" });
        assert.equal((await ended(url, `${base}/operations/state?id=${started.OperationId}`)).Status, "Completed");
    }
    assert.equal((await sendOk(url, "DELETE", `${base}/admin/revisions`, { DocumentIds: ["a"] })).TotalDeletes, 3);
});

scenario("counters tell their values of each node where that is asked for", async ({ url, database }) => {
    const base = `/databases/${database}`;
    await sendOk(url, "PUT", `${base}/docs?id=a`, {});
    const kinds = {
        Counters: "array", ...all("string", "Counters[].DocumentId", "Counters[].CounterName"), "Counters[].TotalValue": "number",
        "Counters[].CounterValues": "object",
    };
    shape(await sendOk(url, "POST", `${base}/counters`, {
        ReplyWithAllNodesValues: true,
        Documents: [{ DocumentId: "a", Operations: [{ Type: "Increment", CounterName: "c", Delta: 2 }] }],
    }), kinds);
    shape(await sendOk(url, "GET", `${base}/counters?docId=a&full=true`), kinds);
});

scenario("compare-exchange values tell their index and whether they were set", async ({ url, database }) => {
    const base = `/databases/${database}/cmpxchg`;
    const value = { Object: { A: 1 }, "@metadata": { B: 2 } };
    const kinds = { Index: "number", Value: "object", "Value.Object": "object", Successful: "boolean" };
    const put = await sendOk(url, "PUT", `${base}?key=k&index=0`, value);
    shape(put, kinds);
    shape(await sendOk(url, "GET", `${base}?key=k`), {
        Results: "array", ...all("string", "Results[].Key", "Results[].ChangeVector"), "Results[].Index": "number",
        ...all("object", "Results[].Value", "Results[].Value.Object", "Results[].Value.@metadata"),
    });
    shape(await sendOk(url, "DELETE", `${base}?key=k&index=${put.Index}`), kinds);
});

scenario("what a database does by itself is told as it was set", async ({ url, database }) => {
    const base = `/databases/${database}`;
    for (const [what, name] of [["expiration", "DeleteFrequencyInSec"], ["refresh", "RefreshFrequencyInSec"]]) {
        const configuration = { Disabled: true, [name]: 60 };
        shape(await sendOk(url, "POST", `${base}/admin/${what}/config`, configuration), { RaftCommandIndex: "number" });
        const told = await sendOk(url, "GET", `${base}/${what}/config`);
        assert.deepEqual({ ...told, ...configuration }, told);
    }
});

scenario("statistics count everything", async ({ url, database }) => {
    const base = `/databases/${database}`;
    await sendOk(url, "PUT", `${base}/docs?id=a`, { "@metadata": { "@collection": "Users" } });
    const kinds = {
        ...all("number", "CountOfDocuments", "CountOfIndexes", "CountOfAttachments", "CountOfUniqueAttachments",
            "CountOfRevisionDocuments", "CountOfTombstones", "CountOfConflicts", "CountOfDocumentsConflicts",
            "CountOfCounterEntries", "CountOfTimeSeriesSegments", "LastDocEtag", "LastDatabaseEtag", "SizeOnDisk.SizeInBytes"),
        ...all("string", "DatabaseChangeVector", "DatabaseId", "Pager", "SizeOnDisk.HumaneSize"), Is64Bit: "boolean",
        LastIndexingTime: "string?", SizeOnDisk: "object", Indexes: "array", "Indexes[].IsStale": "boolean",
        "Indexes[].LastIndexingTime": "string?",
        ...all("string", ...["Name", "State", "LockMode", "Priority", "Type", "SourceType"].map(name => `Indexes[].${name}`)),
    };
    await sendOk(url, "PUT", `${base}/indexes`,
        { Indexes: [{ Name: "Users/Script", Maps: ["map('Users', u => ({ Name: u.Name }))"] }] });
    shape(await sendOk(url, "GET", `${base}/stats`), kinds);
    shape(await sendOk(url, "GET", `${base}/stats/essential`), kinds);
    shape(await sendOk(url, "GET", `${base}/stats/detailed`), {
        ...kinds, ...all("number", "CountOfIdentities", "CountOfCompareExchange", "CountOfCompareExchangeTombstones",
            "CountOfTimeSeriesDeletedRanges"),
    });
    shape(await sendOk(url, "GET", `${base}/collections/stats`),
        { ...all("number", "CountOfDocuments", "CountOfConflicts", "Collections.Users"), Collections: "object" });
    shape(await sendOk(url, "GET", `${base}/collections/stats/detailed`), {
        ...all("number", "CountOfDocuments", "CountOfConflicts", "Collections.*.CountOfDocuments", "Collections.*.CountOfTombstones"),
        Collections: "object", "Collections.*.Name": "string",
    });
    shape(await sendOk(url, "GET", `${base}/debug/storage/report`), {
        Database: "string", OldestReader: "string", Collections: "array", "Collections[].Name": "string",
        SharedCommitSizes: "array",
        ...all("number", "WriteMicrosecondsP50", "WriteMicrosecondsP99", "WriteMicrosecondsMax",
            "SharedCommitSizes[].WritesFrom", "SharedCommitSizes[].Commits", "JournalWrites", "JournalWriteMicrosecondsP50", "JournalWriteMicrosecondsP99",
            "JournalWriteMicrosecondsMax", "LongestFlushLockMicroseconds", "SharedCommits", "WritesPerSharedCommit", "PageSizeBytes", "Pages", "FreePages", "DataFileBytes", "JournalFileBytes", "JournalBacklogBytes",
            "JournalFilesCreated", "JournalFilesRecycled", "ScratchUsedBytes", "ScratchCommittedBytes", "LastTransactionId",
            "AppliedTransactionId", "Flushes", "Readers", "OldestReaderMilliseconds", "Collections[].Documents",
            "Collections[].Tombstones", "Counters", "CompareExchange"),
    });
});

scenario("changes are told with all that there is to know", async ({ url, database }) => {
    const base = `/databases/${database}`;
    const { WebSocket } = globalThis.WebSocket ? globalThis : await import("ws");
    const socket = new WebSocket(`${url.replace("http:", "ws:")}${base}/changes`);
    const told = [];
    socket.onmessage = message => {
        const json = JSON.parse(message.data);
        told.push(...(Array.isArray(json) ? json : [json]));
    };
    await new Promise((resolve, reject) => {
        socket.onopen = resolve;
        socket.onerror = reject;
    });
    ["watch-docs", "watch-counters", "watch-operations", "watch-indexes", "watch-aggressive-caching"].forEach((Command, i) =>
        socket.send(JSON.stringify({ CommandId: i + 1, Command, Param: null })));
    await eventually(() => told.filter(one => one.Type === "Confirm").length === 5, "all watches are confirmed");
    assert.deepEqual(told.filter(one => one.Type === "Confirm").map(one => one.CommandId).sort(), [1, 2, 3, 4, 5]);
    shape(await sendOk(url, "GET", `${base}/changes/debug`), {
        Connections: "array", ...all("number", "Connections[].Id", "Connections[].WaitingSizeInBytes"),
        "Connections[].Watches": "array", ...all("string", "Connections[].Watches[].Kind", "Connections[].Watches[].Key"),
    });
    await sendOk(url, "PUT", `${base}/docs?id=a`, { "@metadata": { "@collection": "Users" } });
    await sendOk(url, "POST", `${base}/counters`,
        { Documents: [{ DocumentId: "a", Operations: [{ Type: "Increment", CounterName: "c", Delta: 2 }] }] });
    await sendOk(url, "PUT", `${base}/indexes`,
        { Indexes: [{ Name: "Users/Script", Maps: ["map('Users', u => ({ Name: u.Name }))"] }] });
    await sendOk(url, "POST", `${base}/admin/revisions/config/enforce`, {});
    const of = type => told.find(one => one.Type === type);
    const kinds = ["DocumentChange", "CounterChange", "OperationStatusChange", "IndexChange", "AggressiveCacheChange"];
    const ended = () => told.find(one => one.Type === "OperationStatusChange" && one.Value?.State?.Status === "Completed");
    await eventually(() => kinds.every(of) && ended(), "all kinds are told");
    shape(ended(), {
        ...all("object", "Value.State.Progress", "Value.State.Result"),
        ...all("number", "Value.State.Progress.Processed", "Value.State.Result.Processed"),
    });
    shape(told.find(one => one.Type === "IndexChange" && one.Value?.Name === "Users/Script"), { "Value.Type": "string" });
    assert.ok(told.every(one => one.Type !== "IndexChange" || typeof one.Value.Name === "string"));
    socket.send(JSON.stringify({ CommandId: 9, Command: "watch-nothing", Param: null }));
    await eventually(() => of("Error"), "the refusal is told");
    shape(of("Error"), { Exception: "string" });
    shape(of("DocumentChange"), all("string", "Value.Type", "Value.Id", "Value.CollectionName", "Value.ChangeVector"));
    shape(of("CounterChange"), {
        ...all("string", "Value.Type", "Value.Name", "Value.DocumentId", "Value.CollectionName", "Value.ChangeVector"),
        "Value.Value": "number",
    });
    shape(of("OperationStatusChange"), { "Value.OperationId": "number", "Value.State": "object", "Value.State.Status": "string" });
    socket.close();
});

const queryResult = {
    ...all("number", "TotalResults", "LongTotalResults", "SkippedResults", "DurationInMs", "ResultEtag"),
    ...all("string", "IndexName", "IndexTimestamp", "LastQueryTime", "NodeTag", "Results[].@metadata.@id",
        "Results[].@metadata.@change-vector", "Results[].@metadata.@last-modified", "Results[].@metadata.@collection"),
    Results: "array", Includes: "object", IsStale: "boolean",
};

async function withUsers({ url, database }) {
    const base = `/databases/${database}`;
    await sendOk(url, "PUT", `${base}/docs?id=u/1`, { Name: "Ann", Age: 3, "@metadata": { "@collection": "Users" } });
    return base;
}

scenario("a query tells all that there is to know", async ({ url, database }) => {
    const base = await withUsers({ url, database });
    const text = "from Users where Name = 'Ann'";
    shape(await sendOk(url, "POST", `${base}/queries`, { Query: text, WaitForNonStaleResults: true }), queryResult);
    shape(await sendOk(url, "GET", `${base}/queries?query=${encodeURIComponent(text)}`), queryResult);
    shape(await sendOk(url, "POST", `${base}/queries?debug=explain`, { Query: "from Users where Age = 3" }), // the one of Name is not taken
        { Results: "array", ...all("string", "Results[].Index", "Results[].Reason") });
});

scenario("a query tells what it includes, how it was answered and what its results are", async ({ url, database }) => {
    const base = await withUsers({ url, database });
    await sendOk(url, "POST", `${base}/admin/revisions/config`, { Default: { Disabled: false } });
    const { ChangeVector: first } = await sendOk(url, "PUT", `${base}/docs?id=u/2`,
        { Name: "Bob", "@metadata": { "@collection": "Users" } });
    await sendOk(url, "PUT", `${base}/docs?id=u/1`,
        { Name: "Ann Lee", Age: 3, B: "u/2", First: first, "@metadata": { "@collection": "Users" } });
    await sendOk(url, "PUT", `${base}/cmpxchg?key=k&index=0`, { Object: 1 });
    await sendOk(url, "POST", `${base}/counters`,
        { Documents: [{ DocumentId: "u/1", Operations: [{ Type: "Increment", CounterName: "c", Delta: 2 }] }] });
    await sendOk(url, "PUT", `${base}/admin/indexes`, { Indexes: [{
        Name: "Users/ByName", Maps: ["from u in docs.Users select new { u.Name, u.Age }"],
        Fields: { Name: { Indexing: "Search", Storage: "Yes", Suggestions: true, TermVector: "WithPositionsAndOffsets" } },
    }] });
    const ask = Query => sendOk(url, "POST", `${base}/queries`, { Query, WaitForNonStaleResults: true });
    const index = "from index 'Users/ByName'";
    const found = await ask(`${index} as u where search(u.Name, 'ann') include u.B, counters(u, 'c'), cmpxchg('k'), `
        + "revisions(u.First, '2050-01-01T00:00:00Z'), highlight(Name, 20, 1), explanations(), timings()");
    shape(found, {
        ...queryResult, ...documentIncludes, ...revisionIncludes, IncludedPaths: "array",
        ...all("object", "Highlightings", "Explanations", "Timings", "Timings.Timings"),
        ...all("number", "Results[].@metadata.@index-score", "Timings.DurationInMs", "Timings.Timings.*.DurationInMs"),
    });
    shape(await ask(`${index} where Age > 1 select Name`), { "Results[].@metadata.@projection": "boolean" });
    const { Results: [ranges] } = await ask(
        `${index} where Age > 1 select facet(Age < 2, Age >= 2, sum(Age), min(Age), max(Age), average(Age))`);
    shape(ranges, {
        Name: "string", ...all("array", "Values", "RemainingTerms"), "Values[].Range": "string",
        ...all("number", ...["Count", "Sum", "Min", "Max", "Average"].map(name => `Values[].${name}`), "RemainingTermsCount", "RemainingHits"),
    });
    shape((await ask(`${index} select suggest(Name, 'anm')`)).Results[0], { Name: "string", Suggestions: "array" });
});

scenario("a streamed query tells its results and how it was answered", async ({ url, database }) => {
    const base = await withUsers({ url, database });
    const answered = prefix => ({
        ...all("number", `${prefix}TotalResults`, `${prefix}ResultEtag`),
        ...all("string", `${prefix}IndexName`, `${prefix}IndexTimestamp`), [`${prefix}IsStale`]: "boolean",
    });
    const results = { Results: "array", "Results[].Name": "string", ...metadataOf("Results[]."), ...answered("") };
    shape(await sendOk(url, "POST", `${base}/streams/queries`, { Query: "from Users" }), results);
    shape(await sendOk(url, "GET", `${base}/streams/queries?query=from%20Users`), results);
    const lines = (await send(url, "POST", `${base}/streams/queries?format=jsonl`, { Query: "from Users" })).text.trim().split("\n")
        .map(line => JSON.parse(line));
    shape(lines[0], { Stats: "object", ...answered("Stats."), ...all("number", "Stats.SkippedResults", "Stats.DurationInMs") });
    shape(lines[1], { Item: "object", ...metadataOf("Item.") });
});

scenario("patches and deletes by query tell their operations", async ({ url, database }) => {
    const base = await withUsers({ url, database });
    const started = { OperationId: "number", OperationNodeTag: "string" };
    shape(await sendOk(url, "PATCH", `${base}/queries`, { Query: { Query: "from Users update { this.Z = 1 }" } }), started);
    shape(await sendOk(url, "DELETE", `${base}/queries`, { Query: "from Users" }), started);
});

scenario("indexes tell all that there is to know", async ({ url, database }) => {
    const base = await withUsers({ url, database });
    const put = { Results: "array", "Results[].Index": "string", "Results[].RaftCommandIndex": "number" };
    const definition = { Name: "Users/ByName", Maps: ["from u in docs.Users select new { u.Name }"] };
    const script = { Name: "Users/Script", Maps: ["map('Users', u => ({ Name: u.Name }))"] };
    shape(await sendOk(url, "PUT", `${base}/admin/indexes`, { Indexes: [definition] }), put);
    shape(await sendOk(url, "PUT", `${base}/indexes`, { Indexes: [script] }), put);
    shape(await sendOk(url, "GET", `${base}/indexes`), {
        Results: "array", "Results[].Maps": "array", "Results[].Fields": "object", "Results[].Reduce": "string?",
        ...all("string", "Results[].Name", "Results[].Type", "Results[].LockMode", "Results[].Priority", "Results[].State",
            "Results[].SourceType"),
        ...all("object", "Results[].Configuration", "Results[].AdditionalSources"),
        ...all("string?", "Results[].OutputReduceToCollection", "Results[].PatternForOutputReduceToCollectionReferences",
            "Results[].PatternReferencesCollectionName", "Results[].DeploymentMode"),
    });
    shape(await sendOk(url, "GET", `${base}/indexes/status`),
        { Status: "string", Indexes: "array", "Indexes[].Name": "string", "Indexes[].Status": "string" });
    shape(await sendOk(url, "GET", `${base}/indexes/performance`), {
        Results: "array", "Results[].Name": "string",
        ...all("number", "Results[].Batches", "Results[].Entries", "Results[].TotalDurationInMs",
            "Results[].LastDurationInMs", "Results[].LastDocuments"),
    });
    shape(await sendOk(url, "GET", `${base}/indexes/staleness?name=Users/ByName`),
        { IsStale: "boolean", StalenessReasons: "array" });
    shape(await sendOk(url, "GET", `${base}/indexes/terms?name=Users/ByName&field=Name`),
        { Terms: "array", ResultEtag: "number", IndexName: "string" });
    shape(await sendOk(url, "POST", `${base}/indexes/has-changed`, definition), { Changed: "boolean" });
});

scenario("indexes tell how far they are", async ({ url, database }) => {
    const base = await withUsers({ url, database });
    await sendOk(url, "POST", `${base}/queries`, { Query: "from Users where Name = 'Ann'", WaitForNonStaleResults: true });
    shape(await sendOk(url, "GET", `${base}/indexes/stats`), {
        Results: "array", "Results[].Collections": "object", "Results[].IsStale": "boolean",
        ...all("string", "Results[].Name", "Results[].State", "Results[].Status", "Results[].Type", "Results[].Priority",
            "Results[].LockMode", "Results[].CreatedTimestamp", "Results[].LastIndexingTime", "Results[].LastQueryingTime"),
        ...all("number", "Results[].EntriesCount", "Results[].ErrorsCount", "Results[].MapAttempts", "Results[].MapSuccesses",
            "Results[].MapErrors", ...["LastProcessedDocumentEtag", "LastProcessedTombstoneEtag", "DocumentLag", "TombstoneLag"]
                .map(name => `Results[].Collections.*.${name}`)),
        "Results[].SourceType": "string", "Results[].IsInvalidIndex": "boolean",
    });
});

scenario("errors of an index name the document", async ({ url, database }) => {
    const base = await withUsers({ url, database });
    const bad = { Name: "Users/Bad", Maps: ["from u in docs.Users select new { X = 10 / (u.Age - 3) }"] };
    await sendOk(url, "PUT", `${base}/admin/indexes`, { Indexes: [bad] });
    const read = () => sendOk(url, "GET", `${base}/indexes/errors`);
    await eventually(async () => (await read()).Results?.[0]?.Errors?.length !== 0, "the index has failed");
    shape(await read(), {
        Results: "array", "Results[].Name": "string", "Results[].Errors": "array",
        ...all("string", "Results[].Errors[].Error", "Results[].Errors[].Timestamp", "Results[].Errors[].Document",
            "Results[].Errors[].Action"),
    });
});
