using System.Collections;
using System.Linq.Expressions;
using Raven.Client.Documents.Conventions;

namespace Raven.Client.Documents.Indexes;

/// <summary>An index of one collection, written in C#: set <c>Map</c> in the constructor.</summary>
/// <typeparam name="TDocument">The type of the documents.</typeparam>
public abstract class AbstractIndexCreationTask<TDocument> : AbstractIndexCreationTask<TDocument, TDocument>;

/// <summary>An index of one collection, written in C#: set <c>Map</c> and <c>Reduce</c> in the constructor.</summary>
/// <typeparam name="TDocument">The type of the documents.</typeparam>
/// <typeparam name="TReduceResult">The type of an entry of the index.</typeparam>
public abstract class AbstractIndexCreationTask<TDocument, TReduceResult>
    : AbstractGenericIndexCreationTask<TReduceResult>
{
    /// <summary>The map: what entry the index makes of each document.</summary>
    protected Expression<Func<IEnumerable<TDocument>, IEnumerable>>? Map { get; set; }

    private protected override IEnumerable<string> WriteMaps(DocumentConventions conventions) =>
        Map is null ? [] : [IndexCode.OfMap(Map, conventions.GetCollectionName(typeof(TDocument)), conventions)];
}
