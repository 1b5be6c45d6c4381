using System.Text;
using Raven.Search.Fields;

namespace Raven.Documents.Indexing.Definitions;

/// <summary>The definition of an index: what clients send, get and compare. Immutable.</summary>
public sealed record IndexDefinition
{
    /// <summary>The longest name.</summary>
    internal const int NameLengthMax = 256;

    /// <summary>The name of the index, unique in its database without regard to case.</summary>
    public required string Name { get; init; }

    /// <summary>The texts of the maps; of an automatic index, a description.</summary>
    public IReadOnlyList<string> Maps { get; init; } = [];

    /// <summary>The text of its reduce, or null.</summary>
    public string? Reduce { get; init; }

    /// <summary>The options of fields, by name.</summary>
    public IReadOnlyDictionary<string, IndexFieldOptions> Fields { get; init; } =
        new Dictionary<string, IndexFieldOptions>();

    /// <summary>Settings of this index alone.</summary>
    internal IReadOnlyDictionary<string, string> Configuration { get; init; } = new Dictionary<string, string>();

    /// <summary>True if it has code beside its maps.</summary>
    public bool HasAdditionalSources => AdditionalSources.Count > 0 || AdditionalAssemblies is not null;

    /// <summary>More source texts that the maps use, by name.</summary>
    internal IReadOnlyDictionary<string, string> AdditionalSources { get; init; } = new Dictionary<string, string>();

    /// <summary>What clients sent as additional assemblies, as JSON; null if they sent none.</summary>
    internal string? AdditionalAssemblies { get; init; }

    /// <summary>What clients sent as compound fields, as JSON; null if they sent none.</summary>
    internal string? CompoundFields { get; init; }

    /// <summary>Whether the definition may be replaced.</summary>
    public IndexLockMode LockMode { get; init; }

    /// <summary>The order in which indexes run.</summary>
    public IndexPriority Priority { get; init; } = IndexPriority.Normal;

    /// <summary>The state that clients set; null if they set none.</summary>
    public IndexState? State { get; init; }

    /// <summary>The kind of the index: automatic, or by the language of its maps.</summary>
    public IndexType Type { get; init; }

    /// <summary>What the maps read: <c>Documents</c>, <c>Counters</c> or <c>TimeSeries</c>.</summary>
    public string SourceType { get; init; } = "Documents";

    /// <summary>The collection that the results of the reduce are written to, or null.</summary>
    public string? OutputReduceToCollection { get; init; }

    /// <summary>The pattern of the ids of documents that refer to those results, or null.</summary>
    public string? PatternForOutputReduceToCollectionReferences { get; init; }

    /// <summary>The collection of those documents, or null.</summary>
    public string? PatternReferencesCollectionName { get; init; }

    /// <summary><c>Parallel</c> or <c>Rolling</c>; stored for clients: there is one node.</summary>
    public string? DeploymentMode { get; init; }

    /// <summary>Whether archived documents have entries: <c>ExcludeArchived</c> (so it is without a value),
    /// <c>IncludeArchived</c> or <c>ArchivedOnly</c>.</summary>
    public string? ArchivedDataProcessingBehavior { get; init; }

    /// <summary>The collection of an automatic index; null for all documents.</summary>
    internal string? AutoCollection { get; init; }

    /// <summary>The fields of an automatic index.</summary>
    internal IReadOnlyList<AutoField> AutoFields { get; init; } = [];

    /// <summary>Whether it is an automatic index.</summary>
    public bool IsAuto => Type is IndexType.AutoMap or IndexType.AutoMapReduce;

    /// <summary>Whether queries get results of its reduce instead of documents.</summary>
    public bool IsMapReduce =>
        Type is IndexType.AutoMapReduce or IndexType.MapReduce or IndexType.JavaScriptMapReduce || Reduce is not null;

    /// <summary>
    /// Whether its texts name the functions that read compare-exchange values: such an index follows their changes
    /// from its first document on, not only after a map has read one. The name of a function in a string or a comment
    /// counts as well.
    /// </summary>
    internal bool MayReadValues => !IsAuto && Maps.Concat(AdditionalSources.Values).Any(text =>
        text.Contains("LoadCompareExchangeValue", StringComparison.Ordinal)
        || text.Contains("cmpxchg", StringComparison.Ordinal));

    /// <summary>The settings in its configuration.</summary>
    internal IndexSettings Settings => IndexSettings.Of(Configuration);

    /// <summary>
    /// The engine that the index must have; null if any will do, as the one that it was begun with. Vectors are kept by
    /// our own alone, so an automatic index with vectors has that one whatever the server is set to.
    /// </summary>
    internal IndexEngine? WantedEngine =>
        IsAuto && AutoFields.Any(one => one.Vector is not null) ? IndexEngine.Corax : Settings.Engine;

    /// <summary>The options of a field, completed by those of all fields.</summary>
    internal IndexFieldOptions OptionsOf(string field)
    {
        IndexFieldOptions? all = Fields.GetValueOrDefault(IndexFieldOptions.AllFields);
        IndexFieldOptions said = Fields.TryGetValue(field, out IndexFieldOptions? options)
            ? options.Over(all)
            : all ?? IndexFieldOptions.Default;
        return Configuration.Count == 0 ? said : Settings.Complete(said);
    }

    /// <summary>How graphs over a field of vectors are built.</summary>
    /// <param name="name">The name of the field in the index.</param>
    internal VectorGraphOptions GraphOf(string name) =>
        OptionsOf(AutoVector.FieldOf(name)).Vector?.Graph ?? VectorGraphOptions.Default;

    /// <summary>
    /// Whether an index of the other definition would have the same contents: only then a new definition needs no
    /// rebuild. Name, lock mode, priority and state do not matter.
    /// </summary>
    public bool HasSameContent(IndexDefinition other) =>
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
        && ArchivedOf(this) == ArchivedOf(other)
        && AutoCollection == other.AutoCollection
        && AutoFields.SequenceEqual(other.AutoFields);

    private static string ArchivedOf(IndexDefinition definition) =>
        definition.ArchivedDataProcessingBehavior ?? "ExcludeArchived";

    /// <summary>A text without differences in line ends and outer spaces.</summary>
    private static string? Plain(string? text) =>
        text is null ? null : new StringBuilder(text).Replace("\r\n", "\n").ToString().Trim();

    private static bool SameMap<T>(
        IReadOnlyDictionary<string, T> left, IReadOnlyDictionary<string, T> right, Func<T, T, bool> isSame) =>
        left.Count == right.Count
        && left.All(pair => right.TryGetValue(pair.Key, out T? other) && isSame(pair.Value, other));
}
