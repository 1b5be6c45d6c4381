namespace Raven.Documents.Changes;

/// <summary>One committed change of a counter. Its texts live only as long as the call that hands it over.</summary>
internal readonly ref struct CounterChange
{
    /// <summary>
    /// What happened: <c>Put</c> if it is new or was set, <c>Increment</c> if it existed before, <c>Delete</c>.
    /// </summary>
    public required ReadOnlySpan<byte> Type { get; init; }

    /// <summary>The counter's name, UTF-8.</summary>
    public required ReadOnlySpan<byte> Name { get; init; }

    /// <summary>The new value of the counter.</summary>
    public required long Value { get; init; }

    /// <summary>The document, UTF-8.</summary>
    public required ReadOnlySpan<byte> DocumentId { get; init; }

    /// <summary>The document's collection, UTF-8.</summary>
    public required ReadOnlySpan<byte> Collection { get; init; }

    /// <summary>The new version, UTF-8.</summary>
    public required ReadOnlySpan<byte> ChangeVector { get; init; }
}
