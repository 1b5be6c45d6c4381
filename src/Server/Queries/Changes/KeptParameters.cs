using Raven.Blittable.Memory;

namespace Raven.Server.Queries.Changes;

/// <summary>A query whose parameters live in memory of its own, so that it outlives its request.</summary>
internal sealed class KeptParameters : IDisposable
{
    private readonly ServerState _server;
    private readonly OperationContext _context;

    internal KeptParameters(ServerState server, QueryInput input)
    {
        _server = server;
        _context = server.RentContext();
        Input = new DetachedInput(input).Attach(_context);
    }

    /// <summary>The query.</summary>
    internal QueryInput Input { get; }

    /// <inheritdoc/>
    public void Dispose() => _server.Contexts.Return(_context);
}
