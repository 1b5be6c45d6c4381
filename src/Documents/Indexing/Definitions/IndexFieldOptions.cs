namespace Raven.Documents.Indexing.Definitions;

/// <summary>The options of a field of an index. Immutable; equal if all options are equal.</summary>
public sealed record IndexFieldOptions
{
    /// <summary>The name in <see cref="IndexDefinition.Fields"/> that stands for all fields.</summary>
    internal const string AllFields = "__all_fields";

    /// <summary>A field without options.</summary>
    internal static IndexFieldOptions Default { get; } = new();

    /// <summary>Whether the value can be read from the index itself.</summary>
    public bool? IsStored { get; init; }

    /// <summary>How its texts become terms; see <see cref="FieldIndexing"/>.</summary>
    public FieldIndexing Indexing { get; init; }

    /// <summary>The analyzer's name; null for that of <see cref="Indexing"/>.</summary>
    internal string? Analyzer { get; init; }

    /// <summary>The term vector; stored for clients, as positions are always there.</summary>
    public string? TermVector { get; init; }

    /// <summary>Whether the field is for suggestions; stored for clients, as every field can give them.</summary>
    public bool HasSuggestions { get; init; }

    /// <summary>The options of a spatial field as JSON; null for others.</summary>
    internal string? Spatial { get; init; }

    /// <summary>The parsed options of <see cref="Spatial"/>.</summary>
    /// <exception cref="FormatException">They have an unknown option.</exception>
    internal SpatialFieldOptions Shapes => SpatialFieldOptions.Of(Spatial);

    /// <summary>The format of a field of vectors; null for others.</summary>
    internal VectorFieldOptions? Vector { get; init; }

    /// <summary>These options, completed by those of all fields.</summary>
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
