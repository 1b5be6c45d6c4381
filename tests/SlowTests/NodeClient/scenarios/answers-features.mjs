// Answers of time series, subscriptions, the feed and dumps as they are, without the client.
import { strict as assert } from "node:assert";
import { eventually, scenario } from "../harness.mjs";
import { all, send, sendOk, shape } from "../raw.mjs";

const series = "docId=users/1&name=Heart";
const entry = prefix => ({
    [`${prefix}Timestamp`]: "string", [`${prefix}Tag`]: "string?", [`${prefix}Values`]: "array",
});

async function withSeries(url, base) {
    await sendOk(url, "PUT", `${base}/docs?id=users/1`, { "@metadata": { "@collection": "Users" } });
    const Appends = [0, 1].map(minute => ({ Timestamp: `2026-01-01T00:0${minute}:00.0000000Z`, Values: [60], Tag: "w/1" }));
    await sendOk(url, "POST", `${base}/timeseries?docId=users/1`, { Name: "Heart", Appends });
}

scenario("entries, ranges, statistics and segments of a time series, in raw", async ({ url, database }) => {
    const base = `/databases/${database}`;
    await withSeries(url, base);
    const range = prefix => ({
        [`${prefix}Entries`]: "array", ...entry(`${prefix}Entries[].`), [`${prefix}Entries[].IsRollup`]: "boolean",
        [`${prefix}From`]: "null", [`${prefix}To`]: "null", [`${prefix}TotalResults`]: "number",
    });
    const answer = await send(url, "GET", `${base}/timeseries?${series}`);
    assert.ok(answer.headers.get("ETag"));
    shape(answer.json, range(""));
    shape(await sendOk(url, "GET", `${base}/timeseries/ranges?${series}`), {
        Id: "string", Values: "object", "Values.Heart": "array", ...range("Values.*[]."),
    });
    shape(await sendOk(url, "GET", `${base}/timeseries/stats?docId=users/1`), {
        DocumentId: "string", TimeSeries: "array", "TimeSeries[].NumberOfEntries": "number",
        ...all("string", "TimeSeries[].Name", "TimeSeries[].StartDate", "TimeSeries[].EndDate"),
    });
    shape(await sendOk(url, "GET", `${base}/timeseries/debug/segments-summary?${series}`), {
        Results: "array",
        ...all("string", ...["DocumentId", "Name", "ChangeVector", "StartTime", "EndTime"].map(name => `Results[].${name}`)),
        ...all("number", ...["NumberOfEntries", "NumberOfValues", "SizeInBytes"].map(name => `Results[].${name}`)),
        "Results[].IsOpen": "boolean",
    });
    const lines = (await send(url, "GET", `${base}/streams/timeseries?${series}`)).text.trim().split("\n");
    assert.equal(lines.length, 2);
    shape(JSON.parse(lines[0]), entry(""));
    const line = { Timestamp: "2026-01-01T10:00:00Z", Values: [1] };
    shape(await sendOk(url, "POST", `${base}/streams/timeseries?docId=users/1&name=Streamed`, line), { Entries: "number" });
});

scenario("a subscription, its task and how far it is, in raw", async ({ url, database }) => {
    const base = `/databases/${database}`;
    const changed = { Name: "string", RaftCommandIndex: "number" };
    shape(await sendOk(url, "PUT", `${base}/subscriptions`, { Name: "news", Query: "from Users" }), changed);
    shape(await sendOk(url, "POST", `${base}/subscriptions/update`, { Name: "news", Query: "from Orders" }), changed);
    const definition = prefix => ({
        ...all("string", ...["Query", "SubscriptionName", "ArchivedDataProcessingBehavior"].map(name => prefix + name)),
        ...all("null", ...["ChangeVectorForNextBatchStartingPoint", "MentorNode", "LastBatchAckTime",
            "LastClientConnectionTime"].map(name => prefix + name)),
        [`${prefix}SubscriptionId`]: "number", ...all("boolean", `${prefix}PinToMentorNode`, `${prefix}Disabled`),
    });
    const state = prefix => ({
        ...definition(prefix), [`${prefix}NodeTag`]: "string", [`${prefix}Workers`]: "array",
        ...all("null", `${prefix}ShardingState`, `${prefix}LastError`),
        ...all("number", ...["RaftCommandIndex", "Lag", "OwedDocuments", "AsideDocuments", "DocumentsSent",
            "BatchesAcknowledged", "Failures"].map(name => prefix + name)),
    });
    shape(await sendOk(url, "GET", `${base}/subscriptions`), { Results: "array", ...state("Results[].") });
    shape(await sendOk(url, "GET", `${base}/subscriptions/state?name=news`), state(""));
    shape(await sendOk(url, "GET", `${base}/task?taskName=news&type=Subscription`), {
        ...definition(""), TaskId: "number", ResponsibleNode: "object", Error: "null",
        ChangeVectorForNextBatchStartingPointPerShard: "null",
        ...all("string", "TaskType", "TaskName", "TaskState", "TaskConnectionStatus", "ResponsibleNode.NodeTag",
            "ResponsibleNode.NodeUrl", "ResponsibleNode.ResponsibleNode"),
    });
    shape(await sendOk(url, "POST", `${base}/admin/tasks/state?taskName=news&type=Subscription&disable=true`), {
        ...all("number", "TaskId", "RaftCommandIndex"), ResponsibleNode: "string",
    });
    const place = {
        ...all("string", "Url", "NodeTag", "ServerId"), Urls: "null", Port: "number",
        Certificate: url.startsWith("https:") ? "string" : "null",
    };
    shape(await sendOk(url, "GET", "/info/tcp"), place);
    shape(await sendOk(url, "GET", `${base}/info/tcp`), place);
    shape(await sendOk(url, "GET", `/info/remote-task/tcp?database=${database}&remote-task=news`), place);
    await sendOk(url, "POST", `${base}/subscriptions/drop?name=news`);
    await sendOk(url, "DELETE", `${base}/subscriptions?taskName=news`);
});

scenario("batches that are leased, tried and sent again, and the feed, in raw", async ({ url, database }) => {
    const base = `/databases/${database}`;
    await sendOk(url, "PUT", `${base}/docs?id=users/1`, { "@metadata": { "@collection": "Users" } });
    await sendOk(url, "PUT", `${base}/subscriptions`, { Name: "news", Query: "from Users" });
    const take = async () => {
        const batch = await sendOk(url, "POST", `${base}/subscriptions/batch?name=news`, {});
        shape(batch, {
            ...all("string", "BatchId", "LeaseUntil", "Position", "Items[].Id", "Items[].ChangeVector"), Items: "array",
            ...all("object", "Items[].Data", "Includes"),
        });
        return `name=news&batch=${batch.BatchId}`;
    };
    const first = await take();
    shape(await sendOk(url, "POST", `${base}/subscriptions/batch/extend?${first}`), { LeaseUntil: "string" });
    await sendOk(url, "POST", `${base}/subscriptions/batch/nack?${first}`);
    await sendOk(url, "POST", `${base}/subscriptions/batch/ack?${await take()}`);
    shape(await sendOk(url, "POST", `${base}/subscriptions/resend?name=news&id=users/1`), { Count: "number" });
    shape(await sendOk(url, "GET", `${base}/subscriptions/aside?name=news`), { Results: "array" });
    shape(await sendOk(url, "POST", `${base}/subscriptions/try`, { Query: "from Users" }), {
        Results: "array", Includes: "object", "Results[].@metadata": "object",
    });
    await sendOk(url, "PUT", `${base}/subscriptions`, { Name: "live", Query: "from Users" });
    const stream = (await fetch(`${url}${base}/subscriptions/stream?name=live`)).body.getReader();
    let events = "";
    while (!/event: endofbatch\nid: .*\ndata: .*\n\n/.test(events)) {
        const { value, done } = await stream.read();
        assert.ok(!done, events);
        events += new TextDecoder().decode(value);
    }
    assert.match(events, /event: data\nid: .*\ndata: \{"Id":"users\/1"/);
    await stream.cancel();
    shape(await sendOk(url, "GET", `${base}/feed?collection=Users`), {
        Results: "array", Token: "string", "Results[].Doc": "object",
        ...all("string", "Results[].Token", "Results[].Id", "Results[].ChangeVector"),
    });
});

scenario("the messages of a worker over a WebSocket, in raw", async ({ url, database }) => {
    const base = `/databases/${database}`;
    const { WebSocket } = globalThis.WebSocket ? globalThis : await import("ws");
    await sendOk(url, "PUT", `${base}/docs?id=users/2`, { "@metadata": { "@collection": "Bosses" } });
    await sendOk(url, "PUT", `${base}/docs?id=users/1`, { Boss: "users/2", "@metadata": { "@collection": "Users" } });
    await sendOk(url, "PUT", `${base}/subscriptions`, { Name: "news", Query: "from Users include Boss" });
    const socket = new WebSocket(`${url.replace("http:", "ws:")}${base}/subscriptions/ws?name=news`);
    const messages = [];
    socket.addEventListener("message", event => messages.push(JSON.parse(event.data)));
    await eventually(() => messages.length === 4, "a batch");
    shape(messages, {
        ...all("string", "[].Type"), "[].Status": "string~", "[].Data": "object~", "[].Includes": "object~",
    });
    assert.deepEqual(messages.map(one => one.Type), ["ConnectionStatus", "Data", "Includes", "EndOfBatch"]);
    assert.equal(messages[0].Status, "Accepted");
    assert.equal(messages[1].Data["@metadata"]["@id"], "users/1");
    assert.equal(messages[2].Includes["users/2"]["@metadata"]["@id"], "users/2");
    socket.send(JSON.stringify({ Type: "Acknowledge" }));
    await eventually(() => messages[4]?.Type === "Confirm", "the confirmation");
    socket.close();
});

scenario("dumps go out and come in, and say how much, in raw", async ({ url, database }) => {
    const base = `/databases/${database}`;
    await sendOk(url, "POST", `${base}/smuggler/validate-options`, { TransformScript: "this.A = 1" });
    const counts = name => ({
        [name]: "object", [`${name}.Processed`]: "boolean",
        ...all("number", ...["ReadCount", "ErroredCount", "SkippedCount", "SizeInBytes"].map(one => `${name}.${one}`)),
    });
    const sections = Object.assign({}, ...["DatabaseRecord", "Documents", "Documents.Attachments", "RevisionDocuments",
        "Tombstones", "Counters", "Indexes", "Identities", "CompareExchange", "CompareExchangeTombstones"].map(counts), {
        "Documents.LastEtag": "number", Skipped: "object", Messages: "array",
    });
    shape(await sendOk(url, "POST", `${base}/smuggler/import`, { Docs: [{ "@metadata": { "@id": "users/1" } }] }), sections);
    shape(await sendOk(url, "POST", `${base}/smuggler/import/csv?collection=Users`, "Name\nAnn\n"), sections);
    for (const method of ["POST", "GET"]) {
        const dump = await fetch(`${url}${base}/smuggler/export`, { method });
        assert.deepEqual([...new Uint8Array(await dump.arrayBuffer())].slice(0, 2), [0x1f, 0x8b]);
    }
});

scenario("changes of time series and of rules are numbered, in raw", async ({ url, database }) => {
    const base = `/databases/${database}`;
    const policy = { Name: "ByHour", AggregationTime: { Value: 3600, Unit: "Second" } };
    const names = { Collection: "Users", TimeSeries: "Heart", ValueNames: ["BPM"] };
    for (const [method, path, body] of [
        ["POST", "/admin/timeseries/config", {}],
        ["PUT", "/admin/timeseries/policy?collection=Users", policy],
        ["DELETE", "/admin/timeseries/policy?collection=Users&name=ByHour", undefined],
        ["POST", "/timeseries/names/config", names],
        ["POST", "/admin/unique-constraints/config", { Collections: {} }],
        ["POST", "/admin/revisions/bin-cleaner/config", { Disabled: true }],
    ]) {
        shape(await sendOk(url, method, base + path, body), { RaftCommandIndex: "number" });
    }
});
