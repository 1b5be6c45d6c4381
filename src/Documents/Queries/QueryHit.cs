using Raven.Blittable.Contexts;
using Raven.Blittable.Format;
using Raven.Blittable.Memory;
using Raven.Blittable.Reading;
using Raven.Documents.Json;

namespace Raven.Documents.Queries;

/// <summary>One result of a query.</summary>
public readonly struct QueryHit
{
    /// <summary>Makes a result.</summary>
    public QueryHit()
    {
    }

    /// <summary>Whether it is a document; otherwise <see cref="Stored"/> is all of it.</summary>
    public required bool HasDocument { get; init; }

    public StoredDocument Document { get; init; }

    /// <summary>What is stored with the entry in the index: a JSON object, or nothing.</summary>
    internal NativeSlice Stored { get; init; }

    /// <summary>Its number among the results of the searcher; -1 if there is none.</summary>
    internal int Result { get; init; } = -1;

    /// <summary>The properties of the result: those of the document, or those of a group in the index.</summary>
    /// <param name="context">The memory of what is parsed for it.</param>
    /// <param name="data">The properties.</param>
    public bool TryGetData(OperationContext context, out BlittableObject data)
    {
        data = HasDocument ? Document.Data : default;
        return HasDocument || (!Stored.IsEmpty
            && context.Parser.TryParse(Stored.Span, BlittableMode.ToMemory, out data, out _));
    }

    /// <summary>How well it fits; null if that was not asked for.</summary>
    internal float? Score { get; init; }

    /// <summary>Its position and distance; null if the query measures none, or it has no point.</summary>
    internal ResultLocation? Location { get; init; }
}
