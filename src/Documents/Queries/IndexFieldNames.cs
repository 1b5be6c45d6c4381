using System.Text;
using Raven.Documents.Ids;
using Raven.Documents.Indexing;
using Raven.Documents.Indexing.Auto;
using Raven.Documents.Indexing.Definitions;
using Raven.Documents.Indexing.Maps;
using Raven.Documents.Queries.Rql;
using Raven.Search.Analysis;
using Raven.Search.Fields;

namespace Raven.Documents.Queries;

/// <summary>
/// The names of the fields of an index that a query means. Automatic indexes have words and exact values in
/// fields of their own beside the plain one; those that users defined have one field for each.
/// </summary>
internal sealed class IndexFieldNames
{
    /// <summary>The field of the ids of documents.</summary>
    internal const string Id = "id()";

    private readonly IndexDefinition? _definition;

    private readonly Func<string, Analyzer?> _analyzers;

    private readonly IReadOnlyCollection<string>? _known;

    private readonly Func<string, bool> _isThere;

    private IndexFieldNames(
        IndexDefinition? definition, Func<string, Analyzer?> analyzers, IReadOnlyCollection<string>? known,
        Func<string, bool> isThere)
    {
        _isThere = isThere;
        _definition = definition;
        _analyzers = analyzers;
        _known = known;
    }

    /// <summary>The names of the fields of automatic indexes.</summary>
    internal static IndexFieldNames OfAuto { get; } = new(null, _ => null, null, _ => false);

    /// <summary>The names of an index.</summary>
    /// <param name="index">The index.</param>
    /// <param name="analyzers">Finds the analyzers that users wrote.</param>
    /// <param name="isThere">Whether the search index has a field of a name, as maps may create some.</param>
    internal static IndexFieldNames Of(
        DatabaseIndex index, Func<string, Analyzer?> analyzers, Func<string, bool> isThere) =>
        index.Definition.IsAuto
            ? OfAuto
            : new IndexFieldNames(index.Definition, analyzers, index.KnownFields, isThere);

    /// <summary>Why a path has no field; null if it may have one.</summary>
    internal string? WhyUnknown(string path) => _known is null || path == Id || _known.Contains(path)
        ? null
        : $"the index '{_definition!.Name}' has no field '{path}', but {string.Join(", ", _known.Order())}";

    /// <summary>Why no condition on a path can find anything; null if one may.</summary>
    internal string? WhyUnsearched(string path) => WhyUnknown(path) ?? (_definition?.OptionsOf(path).Vector is null
        && WhyUncounted(path) is not null
            ? $"the index '{_definition!.Name}' keeps '{path}' with Indexing 'No': there is nothing to search, give "
                + "the field another Indexing"
            : null);

    /// <summary>Whether the names are those of an automatic index.</summary>
    internal bool IsAuto => _definition is null;

    /// <summary>The path that an expression names, without the alias; null if it names none. In a query that groups,
    /// the field of a count is <c>Count</c>, and that of a sum is the summed path.</summary>
    internal static string? PathOf(RqlExpression expression, RqlQuery rql) => expression switch
    {
        RqlField field => WithoutAlias(field.Path, rql.Alias),
        RqlCall { Name: "id", Arguments: [RqlField { Path: var path }] } when path == rql.Alias => Id,
        RqlCall call when rql.GroupBy.Count > 0 => PathOfAggregate(call, rql.Alias),
        _ => null,
    };

    /// <summary>Whether an expression is <c>count()</c> or <c>sum(...)</c>.</summary>
    internal static bool IsAggregate(RqlExpression expression) => expression is RqlCall call
        && (call.Name.Equals("count", StringComparison.OrdinalIgnoreCase)
            || call.Name.Equals("sum", StringComparison.OrdinalIgnoreCase));

    /// <summary>A path without the alias before it.</summary>
    internal static string WithoutAlias(string path, string? alias) =>
        alias is not null && path.StartsWith(alias, StringComparison.Ordinal) && path.Length > alias.Length
            && path[alias.Length] == '.'
            ? path[(alias.Length + 1)..]
            : path;

    /// <summary>An id in the form of the index.</summary>
    internal static string FoldId(string id)
    {
        byte[] utf8 = Encoding.UTF8.GetBytes(id);
        Span<byte> key = stackalloc byte[DocumentId.SizeBytesMax];
        return DocumentId.TryFold(utf8, key, out int length, out _) ? Encoding.UTF8.GetString(key[..length]) : id;
    }

    /// <summary>The field whose values are compared.</summary>
    internal string Plain(string path) => path == Id || _definition is null ? path : KeptAs(path);

    /// <summary>The field whose exact values are compared.</summary>
    internal string Exact(string path) =>
        path == Id ? path : _definition is null ? AutoMap.ExactName(path) : KeptAs(path);

    /// <summary>The field whose words are searched.</summary>
    internal string Search(string path) =>
        path == Id ? path : _definition is null ? AutoMap.SearchName(path) : KeptAs(path, areWordsWanted: true);

    /// <summary>The format of the vectors of a field.</summary>
    internal VectorFieldOptions VectorsOf(string path) =>
        _definition?.OptionsOf(path).Vector ?? VectorFieldOptions.Default;

    /// <summary>How many kilometers the unit of radii and distances of a spatial field has.</summary>
    internal double KilometersPerUnitOf(string path) => _definition?.OptionsOf(path).Shapes.KilometersPerUnit ?? 1;

    /// <summary>Why results cannot be ordered by a path; null if they can.</summary>
    internal string? WhyUnordered(string path)
    {
        if (_definition is null || path == Id)
        {
            return null;
        }

        return WhyUncounted(path) is not null
            ? $"the index '{_definition.Name}' keeps '{path}' with Indexing 'No': there is nothing to order by"
            : KeptAs(path) == AutoMap.SearchName(path)
            ? $"the index '{_definition.Name}' keeps the words of '{path}' alone (Indexing 'Search'), which have no "
                + "order: let its map give the value to a second field, whose Indexing is 'Default' or 'Exact'"
            : null;
    }

    /// <summary>Why the values of a path cannot be counted; null if they can.</summary>
    internal string? WhyUncounted(string path) => _definition is not null && path != Id
        && FieldMapping.Of(path, _definition.OptionsOf(path), _analyzers).Analyzer is null
        && !_isThere(path) && !_isThere(AutoMap.SearchName(path))
            ? $"the index '{_definition.Name}' keeps '{path}' with Indexing 'No': there is nothing to count"
            : null;

    /// <summary>Why a path has no numbers to aggregate; null if it may have some.</summary>
    internal string? WhyNoNumbers(string path) => WhyUncounted(path) ?? (_definition is not null && path != Id
        && KeptAs(path) == AutoMap.SearchName(path)
            ? $"the index '{_definition.Name}' keeps the words of '{path}' alone (Indexing 'Search'), which are no "
                + "numbers: let its map give the value to a second field, whose Indexing is 'Default' or 'Exact'"
            : null);

    private static string? PathOfAggregate(RqlCall call, string? alias) => !IsAggregate(call) ? null
        : call.Arguments is [RqlField summed] ? WithoutAlias(summed.Path, alias)
        : call.Arguments.Count == 0 ? "Count" : null;

    /// <summary>The field as its definition keeps it; a field that maps create may be kept differently, or in
    /// both ways.</summary>
    private string KeptAs(string path, bool areWordsWanted = false)
    {
        FieldMapping mapping = FieldMapping.Of(path, _definition!.OptionsOf(path), _analyzers);
        string kept = mapping.Kind == FieldKind.Exact ? path : mapping.IndexName;
        string other = mapping.Kind == FieldKind.Exact ? AutoMap.SearchName(path) : path;
        return _known is null && _isThere(other)
            && (!_isThere(kept) || areWordsWanted == (mapping.Kind == FieldKind.Exact))
            ? other
            : kept;
    }
}
