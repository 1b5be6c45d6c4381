using System.Text;
using Raven.Blittable.Contexts;
using Raven.Blittable.Reading;
using Raven.Documents.Queries.Rql;

namespace Raven.Documents.Queries.Results;

/// <summary>The documents that a query loads beside each result: <c>load u.CompanyId as c, u.Tags as t[]</c>.</summary>
internal sealed class LoadedDocuments
{
    private readonly List<(string Alias, byte[] Path, bool IsMany)> _loads = [];
    private readonly QuerySession _session;
    private readonly DistinctIds _ids;
    private readonly OperationContext _context;

    /// <summary>Parses the loads of a query.</summary>
    /// <param name="session">The query, whose snapshot is read.</param>
    /// <param name="context">Memory that is reset with each result.</param>
    /// <param name="hashSeed">Any number that clients do not know.</param>
    internal LoadedDocuments(QuerySession session, OperationContext context, ulong hashSeed)
    {
        RqlQuery rql = session.Input.Rql;
        _session = session;
        _context = context;
        _ids = new DistinctIds(hashSeed);
        foreach (RqlNamed load in rql.Load)
        {
            string path = IndexFieldNames.PathOf(load.Expression, rql)
                ?? throw new RqlException(session.Input.Text, load.Expression.Position, "expected a path to load");
            string alias = load.Alias!;
            bool isMany = alias.EndsWith("[]", StringComparison.Ordinal);
            _loads.Add((isMany ? alias[..^2] : alias, Encoding.UTF8.GetBytes(path), isMany));
        }
    }

    internal QuerySession Session => _session;

    /// <summary>How many aliases there are.</summary>
    internal int Count => _loads.Count;

    /// <summary>The name of an alias.</summary>
    internal string AliasAt(int index) => _loads[index].Alias;

    /// <summary>Whether an alias is a list.</summary>
    internal bool IsManyAt(int index) => _loads[index].IsMany;

    /// <summary>Takes the alias from the beginning of a path: <c>c.Name</c>, <c>c</c>, or <c>t[].Name</c> of
    /// several documents.</summary>
    /// <param name="path">The path; afterwards the rest of it, a path into the documents, empty for all
    /// of them.</param>
    /// <returns>The index of the alias; -1 if the path begins with none, and stays unchanged.</returns>
    internal int TakeAlias(ref string path)
    {
        int dot = path.IndexOf('.', StringComparison.Ordinal);
        string first = dot < 0 ? path : path[..dot];
        string alias = first.EndsWith("[]", StringComparison.Ordinal) ? first[..^2] : first;
        int place = _loads.FindIndex(load => load.Alias == alias && (load.IsMany || alias == first));
        path = place < 0 ? path : dot < 0 ? "" : path[(dot + 1)..];
        return place;
    }

    /// <summary>The documents of an alias, for a result.</summary>
    internal List<StoredDocument> Load(int index, BlittableObject result)
    {
        List<StoredDocument> found = [];
        _ids.Reset(_context);
        IncludePath.Collect(result, _loads[index].Path, _ids);
        for (int i = 0; i < _ids.Count; i++)
        {
            if (_session.Snapshot.TryGetByKey(_ids.KeyOf(i).Span, out StoredDocument document))
            {
                found.Add(document);
            }
        }

        return found;
    }
}
