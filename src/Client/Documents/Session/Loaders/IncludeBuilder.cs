using System.Linq.Expressions;
using Raven.Client.Documents.Commands;
using Raven.Client.Documents.Entities;

namespace Raven.Client.Documents.Session.Loaders;

/// <summary>See <see cref="IIncludeBuilder{T}"/>.</summary>
internal sealed class IncludeBuilder<T>(EntitySerializer serializer) : IIncludeBuilder<T>
{
    internal IncludeList List { get; } = new();

    public IIncludeBuilder<T> IncludeDocuments(string path)
    {
        List.Paths.Add(path);
        return this;
    }

    public IIncludeBuilder<T> IncludeDocuments(Expression<Func<T, string?>> path) =>
        IncludeDocuments(serializer.PathOf(path));

    public IIncludeBuilder<T> IncludeDocuments(Expression<Func<T, IEnumerable<string>>> path) =>
        IncludeDocuments(serializer.PathOf(path));

    public IIncludeBuilder<T> IncludeCounter(string name) => IncludeCounters(name);

    public IIncludeBuilder<T> IncludeCounters(params string[] names)
    {
        List.Counters.AddRange(names);
        return this;
    }

    public IIncludeBuilder<T> IncludeAllCounters()
    {
        List.AllCounters = true;
        return this;
    }

    public IIncludeBuilder<T> IncludeCompareExchangeValue(string path)
    {
        List.CompareExchange.Add(path);
        return this;
    }

    public IIncludeBuilder<T> IncludeCompareExchangeValue(Expression<Func<T, string?>> path) =>
        IncludeCompareExchangeValue(serializer.PathOf(path));

    public IIncludeBuilder<T> IncludeCompareExchangeValue(Expression<Func<T, IEnumerable<string>>> path) =>
        IncludeCompareExchangeValue(serializer.PathOf(path));
}
