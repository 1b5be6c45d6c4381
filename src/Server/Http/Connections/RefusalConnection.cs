using System.IO.Pipelines;
using Microsoft.AspNetCore.Connections;

namespace Raven.Server.Http.Connections;

/// <summary>Puts a <see cref="RefusalWriter"/> between Kestrel and the sockets of an endpoint of HTTP/1.1.</summary>
internal static class RefusalConnection
{
    /// <summary>Wraps the connections of the endpoint.</summary>
    internal static ConnectionDelegate Wrap(ConnectionDelegate next) => connection =>
    {
        var writer = new RefusalWriter(connection.Transport.Output);
        connection.Transport = new Pipes(connection.Transport.Input, writer);
        connection.Features.Set(writer);
        return next(connection);
    };

    private sealed record Pipes(PipeReader Input, PipeWriter Output) : IDuplexPipe;
}
