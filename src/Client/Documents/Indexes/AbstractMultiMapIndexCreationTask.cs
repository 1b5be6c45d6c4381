using System.Collections;
using System.Diagnostics.CodeAnalysis;
using System.Linq.Expressions;
using Raven.Client.Documents.Conventions;

namespace Raven.Client.Documents.Indexes;

/// <summary>An index of several collections, written in C#: call <c>AddMap</c> in the constructor.</summary>
public abstract class AbstractMultiMapIndexCreationTask : AbstractMultiMapIndexCreationTask<object>;

/// <summary>An index of several collections, written in C#: call <c>AddMap</c> in the constructor.</summary>
/// <typeparam name="TReduceResult">The type of an entry of the index.</typeparam>
public abstract class AbstractMultiMapIndexCreationTask<TReduceResult>
    : AbstractGenericIndexCreationTask<TReduceResult>
{
    private readonly List<Func<DocumentConventions, string>> _maps = [];

    /// <summary>Adds the map of a collection.</summary>
    protected void AddMap<TSource>(Expression<Func<IEnumerable<TSource>, IEnumerable>> map)
    {
        ArgumentNullException.ThrowIfNull(map);
        AddMap(map, typeof(TSource));
    }

    /// <summary>
    /// Adds the same map for the collection of a type, and for those of each type derived from it in the same assembly.
    /// </summary>
    [RequiresUnreferencedCode("Types that nothing else names are trimmed; add the map of each by itself.")]
    protected void AddMapForAll<TBase>(Expression<Func<IEnumerable<TBase>, IEnumerable>> map)
    {
        ArgumentNullException.ThrowIfNull(map);
        foreach (Type type in typeof(TBase).Assembly.GetTypes().Where(
            type => type is { IsAbstract: false, IsInterface: false } && typeof(TBase).IsAssignableFrom(type)))
        {
            AddMap(map, type);
        }
    }

    private protected override IEnumerable<string> WriteMaps(DocumentConventions conventions) =>
        _maps.Select(write => write(conventions));

    private void AddMap(LambdaExpression map, Type type) => _maps.Add(conventions =>
        IndexCode.OfMap(map, conventions.GetCollectionName(type), conventions));
}
