using FastTests.Search;
using Raven.Search.Fields;
using Raven.Storage.Platform;

namespace SlowTests.Search;

/// <summary>Recall of graphs over as many vectors as a database may have, of as many numbers as a text's.</summary>
[Trait(Category.Shard, "search")]
public sealed class VectorGraphScaleTests
{
    [Theory]
    [InlineData(VectorFormat.Single)]
    [InlineData(VectorFormat.Int8)]
    [InlineData(VectorFormat.Binary)]
    public void A_hundred_thousand_vectors_keep_recall_with_and_without_conditions(VectorFormat format)
    {
        string folder = Directory.CreateTempSubdirectory("raven-graphs-").FullName;
        try
        {
            Check(format, new RealFileSystem(folder));
        }
        finally
        {
            Directory.Delete(folder, recursive: true);
        }
    }

    private static void Check(VectorFormat format, RealFileSystem files)
    {
        using GraphVectors test = new(1, format, 384, graphVectorsMin: 4096, files);
        for (int first = 0; first < 100_000; first += 10_000)
        {
            test.Put(Enumerable.Range(first, 10_000));
        }

        test.Put(Enumerable.Range(20_000, 5_000), deletedOfTen: 5);
        test.MergeAll();
        foreach (int below in (int[])[1000, 500, 100, 10, 1])
        {
            double recall = test.Recall(20, below);
            Assert.True(recall >= 0.95, $"recall {recall} of those below {below}");
        }
    }
}
