using Raven.Blittable.Contexts;


namespace Raven.Server.Queries.Changes;

/// <summary>A query whose parameters live in memory of its own, so that it outlives its request; without parameters, it
/// uses no memory.</summary>
internal sealed class KeptParameters : IDisposable
{
    private readonly ServerState _server;
    private readonly OperationContext? _context;

    internal KeptParameters(ServerState server, QueryInput input)
    {
        _server = server;
        var detached = new DetachedInput(input);
        _context = detached.HasStored ? server.RentContext() : null;
        Input = _context is null ? input : detached.Attach(_context);
    }

    /// <summary>The query.</summary>
    internal QueryInput Input { get; }

    /// <inheritdoc/>
    public void Dispose()
    {
        if (_context is not null)
        {
            _server.Contexts.Return(_context);
        }
    }
}
