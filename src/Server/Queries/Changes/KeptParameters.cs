using System.Buffers;
using Raven.Blittable.Format;
using Raven.Blittable.Json;
using Raven.Blittable.Memory;
using Raven.Blittable.Reading;

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
        Input = input;
        if (!input.StoredParameters.IsNull)
        {
            var json = new ArrayBufferWriter<byte>();
            BlittableToJson.Write(input.StoredParameters.AsObject(), json);
            _context.Parser.TryParse(json.WrittenSpan, BlittableMode.ToMemory, out BlittableObject kept, out _);
            Input = input with { StoredParameters = kept.AsValue() };
        }
    }

    /// <summary>The query.</summary>
    internal QueryInput Input { get; }

    /// <inheritdoc/>
    public void Dispose() => _server.Contexts.Return(_context);
}
