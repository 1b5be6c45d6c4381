using System.Buffers;
using System.Globalization;
using System.Text;
using Raven.Documents.Queries.Results;

namespace FastTests.Queries;

/// <summary>The hash of a row that may be long: the same in pieces as in whole.</summary>
public sealed class DistinctResultTests
{
    [Fact]
    [Trait("Fault", "C1")]
    public void A_distinct_row_that_arrives_in_pieces_has_the_hash_of_the_whole_row()
    {
        var random = new Random(5);
        for (int run = 0; run < 60; run++)
        {
            byte[] json = Encoding.UTF8.GetBytes(Json(random, run % 3 == 0 ? 20 : 9000));
            UInt128 expected = ResultHash.OfJson(json);
            var pieces = new ResultHash();
            var row = new DistinctResult();
            pieces.Begin();
            row.Begin();
            for (int at = 0; at < json.Length;)
            {
                int length = Math.Min(json.Length - at, 1 + random.Next(run % 2 == 0 ? 7 : 30_000));
                pieces.Add(json.AsSpan(at, length));
                row.Write(json.AsSpan(at, length));
                at += length;
            }

            Assert.Equal(expected, pieces.Finish());
            Assert.Equal(expected, row.Finish());
        }
    }

    [Theory]
    [InlineData(10, true)]
    [InlineData(DistinctResult.KeptBytesMax - 5000, true)]
    [InlineData(ResultHash.PieceSizeBytes * 2, false)]
    [InlineData(1_000_000, false)]
    [Trait("Fault", "C1")]
    public void Rows_of_equal_numbers_are_equal_at_any_length(int length, bool isKept)
    {
        string text = new('t', length);
        var hashes = new HashSet<UInt128>();
        foreach (string number in new[] { "0", "-0", "0.0", "0e5" })
        {
            hashes.Add(HashOf($"{{\"n\":{number},\"t\":\"{text}\",\"m\":10}}", isKept));
        }

        Assert.Single(hashes);
        hashes.Add(HashOf($"{{\"n\":0,\"t\":\"{text}\",\"m\":\"10\"}}", isKept));
        hashes.Add(HashOf($"{{\"n\":0,\"t\":\"{text[1..]}u\",\"m\":10}}", isKept));
        Assert.Equal(3, hashes.Count);
    }

    [Fact]
    [Trait("Fault", "C1")]
    public void A_long_distinct_row_is_kept_in_bounded_memory()
    {
        byte[] piece = Encoding.UTF8.GetBytes(new string('p', 10_000));
        var row = new DistinctResult();
        Fill();
        long before = GC.GetAllocatedBytesForCurrentThread();
        Fill();
        Assert.InRange(GC.GetAllocatedBytesForCurrentThread() - before, 0, 64 * 1024);

        void Fill()
        {
            row.Begin();
            row.Write("\""u8);
            for (int i = 0; i < 400; i++)
            {
                row.Write(piece);
            }

            row.Write("\""u8);
            row.Finish();
        }
    }

    private static UInt128 HashOf(string json, bool isKept)
    {
        byte[] bytes = Encoding.UTF8.GetBytes(json);
        var row = new DistinctResult();
        row.Begin();
        foreach (byte[] piece in bytes.Chunk(4096))
        {
            row.Write(piece);
        }

        UInt128 hash = row.Finish();
        Assert.Equal(isKept, row.IsKept);
        Assert.True(!isKept || row.Kept.SequenceEqual(bytes));
        Assert.Equal(ResultHash.OfJson(bytes), hash);
        return hash;
    }

    private static string Json(Random random, int count)
    {
        string[] values =
        [
            "0", "-0", "0.0", "1e5", "-1.50E-3", "1e400", "123456789012345678901234567890", "true", "false", "null",
            "\"\"", "\"a\\\"b\\\\\"", "\"1e5 -0\"", "\"\\\\\"", "\"grün\\u00e9\"", "[]", "{}", "[-0,{\"e\":-0.0}]",
        ];
        var text = new StringBuilder("{");
        for (int i = 0; i < count; i++)
        {
            text.Append(i == 0 ? "" : ",").Append(CultureInfo.InvariantCulture, $"\"e{i}\":")
                .Append(values[random.Next(values.Length)]);
        }

        return text.Append('}').ToString();
    }
}
