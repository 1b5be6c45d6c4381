using Raven.Search;

namespace Raven.Tools.Bench.Suites.Search;

/// <summary>
/// Queries in the process over wikipedia-movies, beside Lucene.Net in the same run: ten results with the exact total,
/// one thread, the same queries, both indexes one segment.
/// </summary>
internal sealed class QueriesSuite : IBenchSuite
{
    public string Name => "queries";

    public IEnumerable<BenchRow> GetRows(BenchContext context)
    {
        bool wantsBehind = QueryShapes.Names.Any(name => context.Wants(LuceneSearch.BehindOurs + name));
        if (!wantsBehind && !QueryShapes.Names.Any(context.Wants))
        {
            yield break;
        }

        if (SearchDocuments.TryLoadMovies(context) is not { } movies)
        {
            yield return BenchRow.Skip("queries in the process", "us", Blittable.DocumentSets.Missing);
            yield break;
        }

        var words = new MovieWords(movies);
        using SearchIndex index = MovieIndex.Create(Path.Combine(context.ScratchDirectory, "queries"));
        MovieIndex.Fill(index, movies, isText: true);
        index.MergeAll();
        using LuceneSearch lucene = new(Path.Combine(context.ScratchDirectory, "queries-lucene"));
        lucene.Fill(movies, isText: true);
        lucene.MergeAll();
        foreach (BenchRow row in new QueryRows(new OurSearch(index), lucene, movies, words).All(context, ""))
        {
            yield return row;
        }

        if (!wantsBehind)
        {
            yield break;
        }

        using SearchIndex behind = MovieIndex.Create(
            Path.Combine(context.ScratchDirectory, "queries-behind"), SearchEngineType.Lucene);
        MovieIndex.Fill(behind, movies, isText: true);
        behind.MergeAll();
        foreach (BenchRow row in new QueryRows(new OurSearch(behind), lucene, movies, words).Behind(context))
        {
            yield return row;
        }
    }
}
