// Through a follower: each store of a scenario sends what it sends to that node first, whoever is primary. The scenarios
// and the client are the same as with one server.
import { CreateDatabaseOperation, DocumentStore, GetDatabaseTopologyCommand } from "ravendb";

const members = 3;

/** @param url The node that the client is to prefer. */
export function prefer(url) {
    const set = GetDatabaseTopologyCommand.prototype.setResponseAsync;
    GetDatabaseTopologyCommand.prototype.setResponseAsync = async function (...given) {
        const body = await set.apply(this, given);
        this.result?.nodes?.sort((a, b) => (b.url === url) - (a.url === url));
        return body;
    };
}

/** Makes a database that three nodes have, and waits until all are in sync and the given node is its primary. */
export async function createThrough(database, primary, follower) {
    const store = new DocumentStore(primary, database).initialize();
    try {
        await store.maintenance.server.send(new CreateDatabaseOperation({ databaseName: database }, members));
    } finally {
        store.dispose();
    }
    while (true) {
        const nodes = await nodesOf(follower, database);
        if (nodes.filter(node => node.ServerRole === "Member").length === members) {
            if (nodes[0].Url === primary) {
                return;
            }
            const tag = nodes.find(node => node.Url === primary).ClusterTag;
            await fetch(`${follower}/admin/databases/primary?name=${database}&node=${tag}`, { method: "POST" });
        }
        await new Promise(resolve => setTimeout(resolve, 50));
    }
}

/** The nodes of a database, as one of them knows them: the primary is the first. */
async function nodesOf(node, database) {
    const answer = await fetch(`${node}/topology?name=${database}`);
    return answer.ok ? (await answer.json()).Nodes : [];
}
