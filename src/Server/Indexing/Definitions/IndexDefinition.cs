using System.Text;

namespace Raven.Server.Indexing.Definitions;

/// <summary>What an index is: what clients send, get and compare. Immutable.</summary>
internal sealed record IndexDefinition
{
    /// <summary>The longest name.</summary>
    internal const int NameLengthMax = 256;

    /// <summary>Its name, unique in its database in any case.</summary>
    internal required string Name { get; init; }

    /// <summary>The texts of its maps; of an index that was made by a query, a description.</summary>
    internal IReadOnlyList<string> Maps { get; init; } = [];

    /// <summary>The text of its reduce, or null.</summary>
    internal string? Reduce { get; init; }

    /// <summary>Fields of which something is said, by name.</summary>
    internal IReadOnlyDictionary<string, IndexFieldOptions> Fields { get; init; } =
        new Dictionary<string, IndexFieldOptions>();

    /// <summary>Settings of this index alone.</summary>
    internal IReadOnlyDictionary<string, string> Configuration { get; init; } = new Dictionary<string, string>();

    /// <summary>More source texts that the maps use, by name.</summary>
    internal IReadOnlyDictionary<string, string> AdditionalSources { get; init; } = new Dictionary<string, string>();

    /// <summary>What clients sent as additional assemblies, as JSON; null where they sent none.</summary>
    internal string? AdditionalAssemblies { get; init; }

    /// <summary>What clients sent as compound fields, as JSON; null where they sent none.</summary>
    internal string? CompoundFields { get; init; }

    /// <summary>Whether it may be replaced.</summary>
    internal IndexLockMode LockMode { get; init; }

    /// <summary>Whether it goes before others.</summary>
    internal IndexPriority Priority { get; init; } = IndexPriority.Normal;

    /// <summary>What it is told to do; null where nothing is said.</summary>
    internal IndexState? State { get; init; }

    /// <summary>What kind it is.</summary>
    internal IndexType Type { get; init; }

    /// <summary>What it reads: <c>Documents</c>, <c>Counters</c> or <c>TimeSeries</c>.</summary>
    internal string SourceType { get; init; } = "Documents";

    /// <summary>The collection that the results of the reduce are written to, or null.</summary>
    internal string? OutputReduceToCollection { get; init; }

    /// <summary>How documents that refer to those results are named, or null.</summary>
    internal string? PatternForOutputReduceToCollectionReferences { get; init; }

    /// <summary>The collection of those documents, or null.</summary>
    internal string? PatternReferencesCollectionName { get; init; }

    /// <summary><c>Parallel</c> or <c>Rolling</c>; kept for clients: there is one node.</summary>
    internal string? DeploymentMode { get; init; }

    /// <summary>What is made of archived documents, of which there are none; kept for clients.</summary>
    internal string? ArchivedDataProcessingBehavior { get; init; }

    /// <summary>The collection of an index that was made by a query; null for all documents.</summary>
    internal string? AutoCollection { get; init; }

    /// <summary>The fields of an index that was made by a query.</summary>
    internal IReadOnlyList<AutoField> AutoFields { get; init; } = [];

    /// <summary>Whether a query made it.</summary>
    internal bool IsAuto => Type is IndexType.AutoMap or IndexType.AutoMapReduce;

    /// <summary>Whether it has results of its own instead of documents.</summary>
    internal bool IsMapReduce =>
        Type is IndexType.AutoMapReduce or IndexType.MapReduce or IndexType.JavaScriptMapReduce || Reduce is not null;

    /// <summary>
    /// Whether its texts name the functions that read compare-exchange values: an index follows their changes from its
    /// first document on, not only after a map has read one. Too many take part where a text only looks like it.
    /// </summary>
    internal bool MayReadValues => !IsAuto && Maps.Concat(AdditionalSources.Values).Any(text =>
        text.Contains("LoadCompareExchangeValue", StringComparison.Ordinal)
        || text.Contains("cmpxchg", StringComparison.Ordinal));

    /// <summary>What its settings say.</summary>
    internal IndexSettings Settings => IndexSettings.Of(Configuration);

    /// <summary>The options of a field, with those of all fields for what they do not say.</summary>
    internal IndexFieldOptions OptionsOf(string field)
    {
        IndexFieldOptions? all = Fields.GetValueOrDefault(IndexFieldOptions.AllFields);
        IndexFieldOptions said = Fields.TryGetValue(field, out IndexFieldOptions? options)
            ? options.Over(all)
            : all ?? IndexFieldOptions.Default;
        return Configuration.Count == 0 ? said : Settings.Complete(said);
    }

    /// <summary>
    /// Whether an index of the other definition would hold the same: only then is a new definition taken without
    /// indexing anew. Name, lock mode, priority and state are no matter.
    /// </summary>
    internal bool HasSameContent(IndexDefinition other) =>
        Maps.Count == other.Maps.Count
        && Maps.Select(Plain).Order(StringComparer.Ordinal).SequenceEqual(
            other.Maps.Select(Plain).Order(StringComparer.Ordinal))
        && Plain(Reduce) == Plain(other.Reduce)
        && SameMap(Fields, other.Fields, (left, right) => left == right)
        && SameMap(Configuration, other.Configuration, (left, right) => left == right)
        && SameMap(AdditionalSources, other.AdditionalSources, (left, right) => Plain(left) == Plain(right))
        && AdditionalAssemblies == other.AdditionalAssemblies
        && CompoundFields == other.CompoundFields
        && SourceType == other.SourceType
        && OutputReduceToCollection == other.OutputReduceToCollection
        && PatternForOutputReduceToCollectionReferences == other.PatternForOutputReduceToCollectionReferences
        && PatternReferencesCollectionName == other.PatternReferencesCollectionName
        && AutoCollection == other.AutoCollection
        && AutoFields.SequenceEqual(other.AutoFields);

    /// <summary>Line ends and spaces around a text make no difference.</summary>
    private static string? Plain(string? text) =>
        text is null ? null : new StringBuilder(text).Replace("\r\n", "\n").ToString().Trim();

    private static bool SameMap<T>(
        IReadOnlyDictionary<string, T> left, IReadOnlyDictionary<string, T> right, Func<T, T, bool> isSame) =>
        left.Count == right.Count
        && left.All(pair => right.TryGetValue(pair.Key, out T? other) && isSame(pair.Value, other));
}
