using Raven.Blittable.Contexts;

namespace Raven.Documents.Queries.Changes;

/// <summary>A query whose parameters live in memory of its own, so that it outlives its request; without parameters, it
/// uses no memory.</summary>
public sealed class OwnedParameters : IDisposable
{
    private readonly QueryServices _services;
    private readonly OperationContext? _context;

    public OwnedParameters(QueryServices services, QueryInput input)
    {
        _services = services;
        var detached = new DetachedInput(input);
        _context = detached.HasStored ? services.RentContext() : null;
        Input = _context is null ? input : detached.Attach(_context);
    }

    public QueryInput Input { get; }

    /// <inheritdoc/>
    public void Dispose()
    {
        if (_context is not null)
        {
            _services.ReturnContext(_context);
        }
    }
}
