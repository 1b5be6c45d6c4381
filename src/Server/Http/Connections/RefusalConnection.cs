using System.IO.Pipelines;
using Microsoft.AspNetCore.Connections;
using Microsoft.AspNetCore.Server.Kestrel.Core.Features;

namespace Raven.Server.Http.Connections;

/// <summary>Puts a <see cref="RefusalWriter"/> between Kestrel and the sockets of connections of HTTP/1.1.</summary>
internal static class RefusalConnection
{
    /// <summary>Wraps the connections of the endpoint.</summary>
    internal static ConnectionDelegate Wrap(ConnectionDelegate next) => connection =>
    {
        if (connection.Features.Get<ITlsApplicationProtocolFeature>() is { } tls
            && tls.ApplicationProtocol.Span.SequenceEqual("h2"u8))
        {
            return next(connection);
        }

        var writer = new RefusalWriter(connection.Transport.Output);
        connection.Transport = new Pipes(connection.Transport.Input, writer);
        connection.Features.Set(writer);
        return next(connection);
    };

    private sealed record Pipes(PipeReader Input, PipeWriter Output) : IDuplexPipe;
}
