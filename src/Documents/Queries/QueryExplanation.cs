using Raven.Documents.Indexing;
using Raven.Documents.Indexing.Definitions;
using Raven.Documents.Queries.Rql;

namespace Raven.Documents.Queries;

/// <summary>Which index answers a query, and why not another; none is made for it. One thread at a time.</summary>
public sealed class QueryExplanation
{
    private readonly RqlQuery _rql;
    private readonly DatabaseIndexes _indexes;
    private readonly string? _collection;
    private readonly QueryPlan? _direct;
    private readonly IReadOnlyList<AutoField> _fields;

    /// <summary>Looks for the index of a query.</summary>
    /// <param name="database">The database.</param>
    /// <param name="input">The query.</param>
    /// <exception cref="RqlException">It cannot be understood.</exception>
    public QueryExplanation(Database database, QueryInput input)
    {
        _rql = input.Rql;
        _indexes = database.Indexes;
        _collection = QueryPlan.CollectionOf(_rql);
        _direct = QueryPlan.TryDirect(input);
        _fields = _direct is null ? QueryFields.Of(_rql, input.Text) : [];
        Index = _direct is not null ? null
            : _rql.IsIndex ? _indexes.Find(_rql.Source) : _indexes.Auto.Find(_collection, _fields);
    }

    /// <summary>The index that answers; null if there is none, or the documents answer.</summary>
    public DatabaseIndex? Index { get; }

    /// <summary>Whether the documents answer, without an index.</summary>
    public bool IsOfDocuments => _direct is not null;

    /// <summary>The fields that an index must have; none if the documents answer.</summary>
    internal IReadOnlyList<AutoField> IndexFields => _fields;

    /// <summary>The fields that an index must have, by their names; none if the documents answer.</summary>
    public IReadOnlyList<string> Fields => [.. _fields.Select(one => one.Name).Distinct()];

    /// <summary>Why it answers, or would be made.</summary>
    public string Reason => WhyChosen();

    /// <summary>The name of what answers, or of the index that would be made.</summary>
    public string Name => _direct?.Name ?? Index?.Name
        ?? (_rql.IsIndex ? _rql.Source : AutoIndexes.NameOf(_collection, _fields));

    /// <summary>The same, but an index that would be made has the name with which it would be made now: it has the
    /// fields of the others of its collection, too.</summary>
    public string NameIfMade => _direct is null && !_rql.IsIndex && Index is null
        ? _indexes.Auto.NameOfNew(_collection, _fields)
        : Name;

    /// <summary>Why this index: what answers first, then the other indexes that were looked at: those of the
    /// collection, and none beside one that the query names.</summary>
    public IEnumerable<(string Index, string Reason)> Reasons()
    {
        yield return (Name, WhyChosen());
        foreach (DatabaseIndex index in _rql.IsIndex ? [] : _indexes.All)
        {
            if (!ReferenceEquals(index, Index) && AutoIndexes.IsLookedAt(index, _collection))
            {
                yield return (index.Name, WhyNot(index));
            }
        }
    }

    /// <summary>Why other automatic indexes were not used.</summary>
    public IEnumerable<(string Index, string Reason)> ReasonsOfOthers()
    {
        if (_rql.IsIndex)
        {
            yield break;
        }

        foreach (DatabaseIndex index in _indexes.Auto.LikelyOf(_collection, _fields))
        {
            if (!ReferenceEquals(index, Index))
            {
                yield return (index.Name, WhyNot(index));
            }
        }
    }

    private string WhyNot(DatabaseIndex index) => _direct is not null
        ? "No index is needed."
        : _indexes.Auto.WhyNot(index, _collection, _fields);

    private string WhyChosen() => _direct is not null
        ? _direct.Ids is not null ? "The documents are read by their ids."
            : _direct.IdPrefix is not null ? "The documents are read by the beginning of their ids."
            : "The documents are read as they are: there is no condition, and no order."
        : _rql.IsIndex ? Index is null ? "There is no such index." : "The query names it."
        : Index is not null ? "It is the smallest index that has all fields of the query."
        : "It would be made: no index has all fields of the query.";
}
