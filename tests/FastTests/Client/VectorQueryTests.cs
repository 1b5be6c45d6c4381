using Raven.Client.Documents;
using Raven.Client.Documents.Indexes;
using Raven.Client.Documents.Linq;
using Raven.Client.Documents.Queries.Vector;
using Raven.Client.Documents.Session;
using Raven.Client.Exceptions;

namespace FastTests.Client;

/// <summary>Vector search by LINQ and call by call, against the real server.</summary>
public sealed class VectorQueryTests(ClientFixture fixture) : IClassFixture<ClientFixture>
{
    private static readonly Movie[] Movies =
    [
        new("movies/up", "a", [0, 1, 0.1f]), new("movies/near", "b", [0.2f, 1, 0.1f]),
        new("movies/right", "a", [1, 0, 0.1f]), new("movies/down", "a", [0, -1, 0.1f]), new("movies/none", "a", null),
    ];

    [Fact]
    public async Task LINQ_and_document_queries_find_the_nearest_vectors_first()
    {
        using DocumentStore store = await WithMoviesAsync();
        using IAsyncDocumentSession session = store.OpenAsyncSession();
        float[] wanted = [0, 2, 0.2f];
        Assert.Equal(["movies/up", "movies/near", "movies/right"], Ids(await session.Query<Movie>()
            .VectorSearch(field => field.WithEmbedding(x => x.Vector), value => value.ByEmbedding(wanted))
            .ToListAsync()));
        Assert.Equal(["movies/up"], Ids(await session.Query<Movie>().Where(x => x.Kind == "a")
            .VectorSearch(
                field => field.WithEmbedding("Vector").TargetQuantization(VectorEmbeddingType.Int8),
                value => value.ByEmbedding(wanted), 0.9f).ToListAsync()));
        Assert.Equal(["movies/near"], Ids(await session.Advanced.AsyncDocumentQuery<Movie>()
            .VectorSearch(
                field => field.WithEmbedding(x => x.Vector), value => value.ByEmbedding([0.2, 1, 0.1]),
                numberOfCandidates: 1).ToListAsync()));
        Assert.Equal(["movies/up", "movies/near"], Ids(await session.Advanced.AsyncDocumentQuery<Movie>()
            .VectorSearch(
                field => field.WithEmbedding(x => x.Vector), value => value.ForDocument("movies/up"), 0.9f,
                isExact: true).ToListAsync()));
        Assert.Equal(["movies/down", "movies/right"], Ids(await session.Query<Movie>()
            .VectorSearch(
                field => field.WithEmbedding(x => x.Vector),
                value => value.ByEmbeddings<float>([[1, 0, 0], [0, -1, 0]]), 0.99f).ToListAsync()).Order());
    }

    [Fact]
    public async Task Quantized_vectors_are_found_as_lists_and_as_base64()
    {
        using DocumentStore store = await WithMoviesAsync();
        using IAsyncDocumentSession session = store.OpenAsyncSession();
        float[] wanted = [1, 0.1f, 0.1f];
        Assert.Equal(["movies/right"], Ids(await session.Query<Movie>().VectorSearch(
            field => field.WithEmbedding(x => x.Bytes, VectorEmbeddingType.Int8),
            value => value.ByEmbedding(VectorQuantizer.ToInt8(wanted)), 0.95f).ToListAsync()));
        Assert.Equal(["movies/down"], Ids(await session.Query<Movie>().VectorSearch(
            field => field.WithBase64(x => x.Bits, VectorEmbeddingType.Binary),
            value => value.ByEmbedding(VectorQuantizer.ToInt1([0, -1, 0])), 0.95f).ToListAsync()));
        Assert.Equal(["movies/down"], Ids(await session.Query<Movie>().VectorSearch(
            field => field.WithBase64(x => x.Bits, VectorEmbeddingType.Binary),
            value => value.ByBase64(Convert.ToBase64String(VectorQuantizer.ToInt1([0, -1, 0]))), 0.95f).ToListAsync()));
        Assert.Throws<InvalidOperationException>(() => session.Query<Movie>().VectorSearch(
            field => field.WithEmbedding(x => x.Bytes, VectorEmbeddingType.Int8)
                .TargetQuantization(VectorEmbeddingType.Binary),
            value => value.ByEmbedding(wanted)));
        Assert.Throws<ArgumentException>(() => VectorValueFactoryOf(value => value.ByEmbedding<float>([])));

        void VectorValueFactoryOf(Func<VectorValueFactory, VectorValue> value) =>
            session.Query<Movie>().VectorSearch(field => field.WithField("Vector"), value).ToString();
    }

    [Fact]
    public async Task An_index_class_indexes_vectors_by_its_options()
    {
        using DocumentStore store = await WithMoviesAsync();
        await new Movies_ByVector().ExecuteAsync(store);
        using IAsyncDocumentSession session = store.OpenAsyncSession();
        Assert.Equal(["movies/right"], Ids(await session.Query<Movie, Movies_ByVector>().VectorSearch(
            field => field.WithField("Vector"), value => value.ByEmbedding([1, 0, 0]), 0.9f).ToListAsync()));
        Assert.Equal(["movies/up", "movies/near"], Ids(await session.Query<Movie, Movies_ByVector>().VectorSearch(
            field => field.WithField("Plain"), value => value.ByEmbedding([0, 1, 0]), 0.9f).ToListAsync()));
        InvalidQueryException refused = await Assert.ThrowsAsync<InvalidQueryException>(
            () => session.Query<Movie, Movies_ByVector>().VectorSearch(
                field => field.WithField("Vector"), value => value.ByEmbedding([1, 0])).ToListAsync());
        Assert.Contains("expected a vector of 3 dimensions", refused.Message, StringComparison.Ordinal);
    }

    [Fact]
    public void Quantized_bytes_and_bits_are_those_of_other_clients()
    {
        Assert.Equal([-127, 64, 0, 0, 0, 0, 64], VectorQuantizer.ToInt8([-2, 1, 0]));
        Assert.Equal([0, 0, 0, 0, 0, 0], VectorQuantizer.ToInt8([0, 0]));
        Assert.Equal([127, 0, -127], VectorQuantizer.ToInt8([1e-40f, 0, -1e-40f])[..3]);
        Assert.Throws<ArgumentException>(() => VectorQuantizer.ToInt8([1, float.NaN]));
        Assert.Throws<ArgumentException>(() => VectorQuantizer.ToInt8([float.NegativeInfinity, 1]));
        Assert.Equal([0b10111111, 0b10000000], VectorQuantizer.ToInt1([0, -1, 1, 2, 3, 4, 5, 6, 7]));
    }

    private static string[] Ids(IEnumerable<Movie> movies) => [.. movies.Select(movie => movie.Id)];

    private async Task<DocumentStore> WithMoviesAsync()
    {
        DocumentStore store = fixture.NewStore();
        using IAsyncDocumentSession session = store.OpenAsyncSession();
        foreach (Movie movie in Movies)
        {
            await session.StoreAsync(new Movie(movie.Id, movie.Kind, movie.Vector));
        }

        await session.SaveChangesAsync();
        return store;
    }

    private sealed record Movie(string Id, string Kind, float[]? Vector)
    {
        public sbyte[]? Bytes { get; init; } = Vector is null ? null : VectorQuantizer.ToInt8(Vector);

        public byte[]? Bits { get; init; } = Vector is null ? null : VectorQuantizer.ToInt1(Vector);
    }

    private sealed class Movies_ByVector : AbstractIndexCreationTask<Movie>
    {
        public Movies_ByVector()
        {
            Map = movies => from movie in movies
                            select new { Vector = CreateVector(movie.Vector), Plain = CreateVector(movie.Vector) };
            Vector("Vector", new VectorOptions
            {
                DestinationEmbeddingType = VectorEmbeddingType.Int8, Dimensions = 3,
            });
        }
    }
}
