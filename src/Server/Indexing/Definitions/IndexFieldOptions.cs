namespace Raven.Server.Indexing.Definitions;

/// <summary>How a field of an index is kept. Immutable; equal where all is equal.</summary>
internal sealed record IndexFieldOptions
{
    /// <summary>The name in <see cref="IndexDefinition.Fields"/> that stands for all fields.</summary>
    internal const string AllFields = "__all_fields";

    /// <summary>A field of which nothing is said.</summary>
    internal static IndexFieldOptions Default { get; } = new();

    /// <summary>Whether the value can be had from the index itself.</summary>
    internal bool? IsStored { get; init; }

    /// <summary>How its texts become terms.</summary>
    internal FieldIndexing Indexing { get; init; }

    /// <summary>The analyzer's name; null for that of <see cref="Indexing"/>.</summary>
    internal string? Analyzer { get; init; }

    /// <summary>What clients call the term vector; kept for them, positions are always there.</summary>
    internal string? TermVector { get; init; }

    /// <summary>Whether suggestions are asked of it; kept for clients, every field can give them.</summary>
    internal bool HasSuggestions { get; init; }

    /// <summary>The options of a spatial field as JSON; null for others.</summary>
    internal string? Spatial { get; init; }

    /// <summary>What <see cref="Spatial"/> says.</summary>
    /// <exception cref="FormatException">It asks for what there is not.</exception>
    internal SpatialFieldOptions Shapes => SpatialFieldOptions.Of(Spatial);

    /// <summary>How a field of vectors is given and kept; null for others.</summary>
    internal VectorFieldOptions? Vector { get; init; }

    /// <summary>These options, and for what they do not say those of all fields.</summary>
    internal IndexFieldOptions Over(IndexFieldOptions? all) => all is null ? this : this with
    {
        IsStored = IsStored ?? all.IsStored,
        Indexing = Indexing == FieldIndexing.Unset ? all.Indexing : Indexing,
        Analyzer = Analyzer ?? all.Analyzer,
        TermVector = TermVector ?? all.TermVector,
        HasSuggestions = HasSuggestions || all.HasSuggestions,
        Spatial = Spatial ?? all.Spatial,
        Vector = Vector ?? all.Vector,
    };
}
