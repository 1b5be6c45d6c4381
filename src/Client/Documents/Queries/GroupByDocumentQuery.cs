namespace Raven.Client.Documents.Queries;

/// <summary>See <see cref="IGroupByDocumentQuery{T, TQuery}"/>.</summary>
internal sealed class GroupByDocumentQuery<T, TQuery> : IGroupByDocumentQuery<T, TQuery>
{
    private readonly PreparedQuery _query;
    private readonly TQuery _end;
    private readonly string[] _keys;
    private readonly List<string> _items = [];

    internal GroupByDocumentQuery(PreparedQuery query, TQuery end, string[] keys)
    {
        _query = query;
        _end = end;
        _keys = keys;
        query.Rql.GroupBy = string.Join(", ", keys.Select(RqlBuilder.Field));
        query.Options.IsProjection = true;
    }

    public IGroupByDocumentQuery<T, TQuery> SelectKey(string? fieldName = null, string? projectedName = null)
    {
        string key = fieldName ?? (_keys is [{ } only]
            ? only
            : throw new InvalidOperationException("There are several keys: name the one that is wanted."));
        return Add(RqlBuilder.Field(key), projectedName ?? key);
    }

    public IGroupByDocumentQuery<T, TQuery> SelectSum(string fieldName, string? projectedName = null)
    {
        ArgumentException.ThrowIfNullOrEmpty(fieldName);
        return Add($"sum({RqlBuilder.Field(fieldName)})", projectedName ?? fieldName);
    }

    public TQuery SelectCount(string projectedName = "Count")
    {
        Add("count()", projectedName);
        return End();
    }

    public TQuery End()
    {
        if (_items.Count == 0)
        {
            throw new InvalidOperationException("Say what of each group is wanted: SelectKey, SelectSum, SelectCount.");
        }

        return _end;
    }

    private GroupByDocumentQuery<T, TQuery> Add(string item, string name)
    {
        _items.Add($"{item} as {RqlBuilder.Quoted(name)}");
        _query.Rql.Select = string.Join(", ", _items);
        return this;
    }
}
