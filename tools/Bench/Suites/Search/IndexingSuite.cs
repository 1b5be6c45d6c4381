using Raven.Search;

namespace Raven.Tools.Bench.Suites.Search;

/// <summary>How fast an index is built, one thread, documents parsed before; with its commit.</summary>
internal sealed class IndexingSuite : IBenchSuite
{
    // Lucene.Net 4.8 on the machine that the targets were recorded on: 24,500 and 22,800 documents a second.
    private const double ArtworksTarget = 1.5 * 24_500;
    private const double MoviesTarget = 22_800;

    public string Name => "indexing";

    public IEnumerable<BenchRow> GetRows(BenchContext context)
    {
        const string Artworks = "index build, tate-artworks, 3 exact fields";
        const string Movies = "index build, wikipedia-movies, extract as full text";
        if (context.Wants(Artworks))
        {
            yield return Row(context, Artworks, SearchDocuments.TryLoadArtworks(context), false, ArtworksTarget);
        }

        if (context.Wants(Movies))
        {
            SearchDocuments? documents = SearchDocuments.TryLoadMovies(context);
            yield return Row(context, Movies, documents, true, MoviesTarget);
            if (documents is not null && SqliteSearch.IsInstalled(out string why))
            {
                yield return PeerRow(context, Movies + " beside FTS5", documents);
            }
            else
            {
                yield return BenchRow.Skip(Movies + " beside FTS5", "documents/s", "libsqlite3.so.0 or data not there");
            }
        }
    }

    private static BenchRow Row(
        BenchContext context, string name, SearchDocuments? documents, bool isText, double target) =>
        documents is null
            ? BenchRow.Skip(name, "documents/s", Blittable.DocumentSets.Missing)
            : new BenchRow
            {
                Name = $"{name} ({documents.Count:N0}, CPU)",
                Unit = "documents/s",
                Target = BenchTarget.AtLeast(target),
                Ours = () => Build(context, documents, isText),
            };

    private static BenchRow PeerRow(BenchContext context, string name, SearchDocuments documents) => new()
    {
        Name = name,
        Unit = "documents/s",
        PeerName = "SQLite FTS5",
        Target = BenchTarget.RatioAtLeast(1.5),
        WarmUpRuns = 1,
        Ours = () => Build(context, documents, isText: true),
        Peer = () =>
        {
            using SqliteSearch peer = new(Path.Combine(context.ScratchDirectory, Guid.NewGuid().ToString("N")));
            return documents.Count / Measure.CpuSeconds(() => peer.Fill(documents));
        },
    };

    private static double Build(BenchContext context, SearchDocuments documents, bool isText)
    {
        string folder = Path.Combine(context.ScratchDirectory, Guid.NewGuid().ToString("N"));
        using SearchIndex index = MovieIndex.Create(folder);
        return documents.Count / Measure.CpuSeconds(() => MovieIndex.Fill(index, documents, isText));
    }
}
