using System.Net;
using System.Text;

namespace FastTests.Cluster;

/// <summary>Endpoints of etcd that answer what a test says.</summary>
internal sealed class EtcdStandIn : HttpMessageHandler
{
    private readonly List<string> _asked = [];

    /// <summary>The version of an endpoint, by its port.</summary>
    internal Func<int, string> Version { get; set; } = _ => "3.5.16";

    /// <summary>The cluster of an endpoint, by its port.</summary>
    internal Func<int, string> Cluster { get; set; } = _ => "7";

    /// <summary>The answer to a call, by its port and path; it may throw what a network does.</summary>
    internal Func<int, string, (HttpStatusCode Status, string Body)> Answer { get; set; } =
        (_, _) => (HttpStatusCode.OK, """{"header":{"revision":"5"}}""");

    /// <summary>The calls, as "port path", but for those that ask who an endpoint is.</summary>
    internal IReadOnlyList<string> Asked => _asked;

    protected override async Task<HttpResponseMessage> SendAsync(
        HttpRequestMessage request, CancellationToken cancellationToken)
    {
        int port = request.RequestUri!.Port;
        string path = request.RequestUri.AbsolutePath;
        (HttpStatusCode Status, string Body) answer = path switch
        {
            "/version" => (HttpStatusCode.OK, $$"""{"etcdserver":"{{Version(port)}}","etcdcluster":"3.5.0"}"""),
            "/v3/maintenance/status" => (
                HttpStatusCode.OK, $$$"""{"header":{"cluster_id":"{{{Cluster(port)}}}","revision":"5"}}"""),
            _ => Call(port, path),
        };
        if (request.Content is not null && path != "/v3/maintenance/status")
        {
            await request.Content.CopyToAsync(Stream.Null, cancellationToken);
        }

        if (answer.Body == "lost")
        {
            throw new HttpRequestException(HttpRequestError.ResponseEnded, "the connection was cut");
        }

        return new HttpResponseMessage(answer.Status)
        {
            Content = new StringContent(answer.Body, Encoding.UTF8, "application/json"),
        };
    }

    private (HttpStatusCode Status, string Body) Call(int port, string path)
    {
        _asked.Add($"{port} {path}");
        return Answer(port, path);
    }
}
