using System.Text.Json;

namespace Raven.Client.Http;

/// <summary>Asks a server for the servers of a database.</summary>
internal sealed class TopologyCommand(string database) : RavenCommand<Topology>
{
    public override bool IsReadRequest => true;

    public override bool CanCache => false;

    protected internal override HttpRequestMessage CreateRequest(ServerNode node) =>
        new UrlBuilder(new ServerNode(node.Url, null), "/topology").Add("name", database).ToRequest(HttpMethod.Get);

    protected internal override Topology? ReadResponse(RavenResponse response)
    {
        if (response.IsNotFound)
        {
            return null;
        }

        JsonElement json = response.ReadJson();
        ServerNode[] nodes =
        [
            .. json.GetProperty("Nodes").EnumerateArray().Select(node => new ServerNode(
                node.GetProperty("Url").GetString()!.TrimEnd('/'), database,
                node.TryGetProperty("ClusterTag", out JsonElement tag) ? tag.GetString() : null)),
        ];
        return nodes.Length == 0 ? null : new Topology(json.GetProperty("Etag").GetInt64(), nodes);
    }
}
