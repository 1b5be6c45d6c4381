namespace Raven.Client.Documents.Indexes;

/// <summary>An index as the server takes it.</summary>
public sealed class IndexDefinition
{
    /// <summary>Its name.</summary>
    public string Name { get; set; } = "";

    /// <summary>What it takes from the documents, one text for each collection: JavaScript, or C# where the server
    /// allows it.</summary>
    public HashSet<string> Maps { get; init; } = [];

    /// <summary>How entries of the same key become one; null for an index that does not.</summary>
    public string? Reduce { get; set; }

    /// <summary>What it does with each field; those that are not named are one term each.</summary>
    public Dictionary<string, IndexFieldOptions> Fields { get; init; } = [];

    /// <summary>Settings of its own.</summary>
    public Dictionary<string, string> Configuration { get; init; } = [];
}
