using System.Collections.Concurrent;
using Raven.Search.Analysis;
using Raven.Search.Lucene.Analysis;

namespace Raven.Documents.Indexing.Extensions;

/// <summary>The analyzers that every database has: those of the engine, and those of Lucene. Any thread.</summary>
internal static class KnownAnalyzers
{
    /// <summary>Names with options are many: more than these are made anew for each use.</summary>
    private const int KeptMax = 1000;

    private static readonly ConcurrentDictionary<string, Analyzer> OfLucene = new(StringComparer.Ordinal);

    /// <summary>Finds an analyzer by its name.</summary>
    /// <param name="name">The name, with or without a namespace, an assembly and options.</param>
    /// <param name="problem">What is wrong with the name.</param>
    /// <returns>Null if there is none.</returns>
    internal static Analyzer? Find(string name, out string? problem)
    {
        problem = null;
        if (Analyzers.TryGet(name, out Analyzer? found) || OfLucene.TryGetValue(name, out found))
        {
            return found;
        }

        if (!LuceneAnalyzers.TryGet(name, out found, out problem))
        {
            IEnumerable<string> names =
                Analyzers.Names.Concat(LuceneAnalyzers.Names).Distinct().Order(StringComparer.Ordinal);
            problem ??= $"there are {string.Join(", ", names)}, and those that were put to admin/analyzers";
            return null;
        }

        Analyzer guarded = new GuardedAnalyzer(name, found.Name, found, steps: null);
        return OfLucene.Count < KeptMax ? OfLucene.GetOrAdd(name, guarded) : guarded;
    }
}
