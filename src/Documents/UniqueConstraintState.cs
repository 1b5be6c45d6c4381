using Raven.Documents.Settings;

namespace Raven.Documents;

/// <summary>How far a unique constraint is.</summary>
public sealed record UniqueConstraintState
{
    /// <summary>The collection.</summary>
    public required string Collection { get; init; }

    /// <summary>The name of the constraint.</summary>
    public required string Name { get; init; }

    /// <summary>Its fields.</summary>
    public required IReadOnlyList<string> Fields { get; init; }

    /// <summary>Whether texts are the same in upper and lower case.</summary>
    public bool IgnoresCase { get; init; }

    /// <summary>How far it is.</summary>
    public UniqueStage Stage { get; init; }

    /// <summary>How many documents would have to get another value, so that it holds.</summary>
    public long Excess { get; init; }

    /// <summary>While it is built: the documents up to this etag are in.</summary>
    public long BuiltEtag { get; init; }

    /// <summary>While it is built: the etag of the last document that is taken in.</summary>
    public long StopEtag { get; init; }

    /// <summary>Some of the values that documents share.</summary>
    public IReadOnlyList<UniqueSharedValue> Shared { get; init; } = [];
}

/// <summary>A value that documents share.</summary>
/// <param name="Values">For each field, the value as JSON; long ones are cut.</param>
/// <param name="Ids">Some of the documents.</param>
public sealed record UniqueSharedValue(IReadOnlyList<string> Values, IReadOnlyList<string> Ids);
