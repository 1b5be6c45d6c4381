using Microsoft.Extensions.Logging;
using Microsoft.Extensions.Logging.Abstractions;
using Raven.Server;
using Raven.Server.Diagnostics;
using Raven.Server.Documents;
using Raven.Server.Http;
using Raven.Server.Options;
using Raven.Server.Routing;

namespace FastTests.Server;

/// <summary>Our part of the server without Kestrel and sockets: requests run on the calling thread.</summary>
internal sealed class InMemoryServer : IDisposable
{
    private readonly DataFolder _folder = DataFolder.CreateTemporary();
    private readonly ServerState _state;
    private readonly RequestRouter _router;

    internal InMemoryServer(TimeProvider? time = null)
    {
        _state = ServerHost.CreateState(
            new ServerOptions { RunInMemory = true }, _folder.Path, time ?? TimeProvider.System,
            new LogSwitch(NullLoggerFactory.Instance, LogLevel.None));
        _router = new RequestRouter(_state);
        Assert.Equal(CreateDatabaseStatus.Created, _state.Databases.TryCreate("db", "{}"u8, out _));
    }

    /// <summary>Serves a request to its end and gives its status.</summary>
    internal int Send(InMemoryRequest request)
    {
        request.Reset();
        RequestContext context = _router.CreateContext(request);
        Task done = _router.ProcessRequestAsync(context);
        if (!done.IsCompletedSuccessfully)
        {
            done.GetAwaiter().GetResult();
        }

        _router.DisposeContext(context, null);
        return request.StatusCode;
    }

    public void Dispose()
    {
        _state.Dispose();
        _folder.Dispose();
    }
}
