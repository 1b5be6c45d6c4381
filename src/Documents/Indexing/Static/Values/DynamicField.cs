namespace Raven.Documents.Indexing.Static.Values;

/// <summary>The result of <c>CreateField</c>: a value for a field whose name the map gives.</summary>
/// <param name="Name">The field.</param>
/// <param name="Value">Its value, or several of them.</param>
/// <param name="IsStored">Whether the value is stored; null takes the setting of the index's definition.</param>
/// <param name="Indexing">
/// How it is indexed, by the names that clients use (<c>Search</c>, <c>Exact</c>, ...); null takes the setting of
/// the index's definition.
/// </param>
internal sealed record DynamicField(string Name, DynamicValue Value, bool? IsStored, string? Indexing)
{
    /// <summary>The name of an indexing that makes words of a text, or not.</summary>
    internal static string? IndexingOf(bool? isAnalyzed) => isAnalyzed switch
    {
        null => null,
        true => "Search",
        false => "Exact",
    };
}
