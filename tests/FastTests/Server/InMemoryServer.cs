using Microsoft.Extensions.Logging;
using Microsoft.Extensions.Logging.Abstractions;
using Raven.Documents;
using Raven.Documents.Catalog;
using Raven.Server;
using Raven.Server.Diagnostics;
using Raven.Server.Http;
using Raven.Server.Http.Routing;
using Raven.Server.Options;
using Raven.Storage.Files;

namespace FastTests.Server;

/// <summary>Our part of the server without Kestrel and sockets: requests run on the calling thread.</summary>
internal sealed class InMemoryServer : IDisposable
{
    private readonly DataFolder _folder = DataFolder.CreateTemporary();
    private readonly ServerState _state;
    private readonly RequestRouter _router;

    /// <summary>A server with the database <c>db</c>.</summary>
    /// <param name="time">Its clock; the system's if null.</param>
    /// <param name="files">Makes the files of the database misbehave; its commits are durable then.</param>
    /// <param name="catalog">Makes the files of the catalog fail, if those of the database do.</param>
    /// <param name="configure">Changes its options.</param>
    /// <param name="routes">Its routes; those of the server if null.</param>
    /// <param name="loggers">Take its log; no one does if null.</param>
    internal InMemoryServer(
        TimeProvider? time = null,
        Func<IFileSystem, IFileSystem>? files = null,
        Func<IFileSystem, IFileSystem>? catalog = null,
        Func<ServerOptions, ServerOptions>? configure = null,
        RouteTable? routes = null,
        ILoggerFactory? loggers = null)
    {
        var options = new ServerOptions { RunInMemory = files is null };
        _state = ServerHost.CreateState(
            configure is null ? options : configure(options), _folder.Path, time ?? TimeProvider.System,
            new LogSwitch(
                loggers ?? NullLoggerFactory.Instance, loggers == null ? LogLevel.None : LogLevel.Information),
            files is null ? null : new WrappedFolders(new DatabaseFolders(_folder.Path), files, catalog),
            routes);
        _router = new RequestRouter(_state);
        Assert.Equal(CreateDatabaseStatus.Created, _state.Databases.TryCreate("db", "{}"u8, out _));
    }

    /// <summary>What its requests share.</summary>
    internal ServerState State => _state;

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

    /// <summary>Begins to serve a request that does not end by itself.</summary>
    internal (RequestContext Context, Task Done) Begin(InMemoryRequest request)
    {
        request.Reset();
        RequestContext context = _router.CreateContext(request);
        return (context, _router.ProcessRequestAsync(context));
    }

    public void Dispose()
    {
        _state.Dispose();
        _folder.Dispose();
    }

    /// <summary>The files of all but the catalog go through something else, and those of the catalog may.</summary>
    private sealed class WrappedFolders(
        DatabaseFolders inner,
        Func<IFileSystem, IFileSystem> wrap,
        Func<IFileSystem, IFileSystem>? wrapCatalog) : IDatabaseFolders
    {
        public bool Exists(string folder) => inner.Exists(folder);

        public IFileSystem Open(string folder) =>
            folder != DatabaseCatalog.CatalogFolder ? wrap(inner.Open(folder))
            : wrapCatalog is null ? inner.Open(folder)
            : wrapCatalog(inner.Open(folder));

        public IDatabaseFolders Within(string folder) => inner.Within(folder);

        public IReadOnlyList<string> List() => inner.List();

        public void Delete(string folder) => inner.Delete(folder);
    }
}
