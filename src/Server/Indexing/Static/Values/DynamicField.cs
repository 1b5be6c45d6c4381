namespace Raven.Server.Indexing.Static.Values;

/// <summary>What <c>CreateField</c> gives: a value for a field whose name the map made.</summary>
/// <param name="Name">The field.</param>
/// <param name="Value">Its value, or several of them.</param>
/// <param name="IsStored">Whether the value itself is kept; null leaves it to the index's definition.</param>
/// <param name="IsAnalyzed">Whether its words are searched; null leaves it to the index's definition.</param>
public sealed record DynamicField(string Name, DynamicValue Value, bool? IsStored, bool? IsAnalyzed);
