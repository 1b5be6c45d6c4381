using System.Linq.Expressions;

namespace Raven.Client.Documents.Session.Loaders;

/// <summary>Says what a load brings along with its documents.</summary>
/// <typeparam name="T">The type of the documents.</typeparam>
public interface IIncludeBuilder<T>
{
    /// <summary>The documents whose ids are at a path, such as <c>Lines[].ProductId</c>.</summary>
    IIncludeBuilder<T> IncludeDocuments(string path);

    /// <summary>The document whose id is in a property.</summary>
    IIncludeBuilder<T> IncludeDocuments(Expression<Func<T, string?>> path);

    /// <summary>The documents whose ids are in a list.</summary>
    IIncludeBuilder<T> IncludeDocuments(Expression<Func<T, IEnumerable<string>>> path);

    /// <summary>A counter of each document.</summary>
    IIncludeBuilder<T> IncludeCounter(string name);

    /// <summary>Counters of each document.</summary>
    IIncludeBuilder<T> IncludeCounters(params string[] names);

    /// <summary>All counters of each document.</summary>
    IIncludeBuilder<T> IncludeAllCounters();

    /// <summary>The compare-exchange value whose key is at a path.</summary>
    IIncludeBuilder<T> IncludeCompareExchangeValue(string path);
}
