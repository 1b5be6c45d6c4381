namespace Raven.CommandLine.Import.Server;

/// <summary>The source of ids and collections of documents. Import and verify with the same options.</summary>
internal sealed record IdentityOptions
{
    /// <summary>The collection of every document; null leaves it to the document.</summary>
    internal string? Collection { get; init; }

    /// <summary>The property whose value names the collection.</summary>
    internal string? CollectionProperty { get; init; }

    /// <summary>The property whose value (a string or an integer) is the id.</summary>
    internal string? IdProperty { get; init; }

    /// <summary>Put before the value of the id property.</summary>
    internal string IdPrefix { get; init; } = "";
}
