namespace Raven.Server.Indexing.Static.Values;

/// <summary>What <c>CreateField</c> gives: a value for a field whose name the map made.</summary>
/// <param name="Name">The field.</param>
/// <param name="Value">Its value, or several of them.</param>
/// <param name="IsStored">Whether the value itself is kept; null leaves it to the index's definition.</param>
/// <param name="Indexing">How it is indexed, by the names that clients use (<c>Search</c>, <c>Exact</c>, ...); null
/// leaves it to the index's definition.</param>
public sealed record DynamicField(string Name, DynamicValue Value, bool? IsStored, string? Indexing)
{
    /// <summary>The name of how a field is indexed of which is said whether its words are searched.</summary>
    internal static string? IndexingOf(bool? isAnalyzed) => isAnalyzed switch
    {
        null => null,
        true => "Search",
        false => "Exact",
    };
}
