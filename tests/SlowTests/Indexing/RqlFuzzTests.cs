using System.Diagnostics;
using Raven.Documents.Queries.Rql;

namespace SlowTests.Indexing;

/// <summary>Texts that are almost queries: read, or refused with a place, and soon.</summary>
[Trait(Category.Shard, "queries")]
public sealed class RqlFuzzTests(ITestOutputHelper output)
{
    private const int Texts = 2_000_000;

    private static readonly TimeSpan LongestMax = TimeSpan.FromSeconds(5);

    private static readonly string[] Samples =
    [
        "from index 'Orders/ByCompany' as o where o.Company = 'companies/1' "
            + "order by o.Freight as double desc nulls last",
        "FROM Orders WHERE Freight BETWEEN 1 AND 2.5 AND NOT exists(ShippedAt) LIMIT 5, 10",
        "from Orders where Lines[].Product in ('a', \"b''c\", $c) or Employee all in (1, -2)",
        "from Employees where search(Notes, 'french college', and) and boost(startsWith(Name, 'A'), 2.5)",
        "from Companies where spatial.within(spatial.point(Lat, Lng), spatial.circle(10, 32.5, -7, 'miles'))",
        "from Orders group by Company, array(Lines[].Product) where count() > 5 "
            + "order by count() desc select key() as K",
        "declare function f(o, n) { /* } */ return { a: '}' + `}${o.x}` }; }\nfrom Orders as o load o.Company as c "
            + "select { Name: c.Name, X: f(o, 1) }",
        "from Orders where Freight > 10 update { this.Freight = 0; // }\n }",
        "explain from Orders where intersect(A = 1, B = 2) include Company, timings(), counters('Likes') limit $t",
        "from Products select distinct facet(Price < 10, Price >= 10, sum(Stock)) as Prices offset 3",
        "from Docs where 'a b'.c == true // the end\n {\"t\": {\"x\": \"}\"}}",
        "from Docs where moreLikeThis(id() = 'x', '{}') and fuzzy(Name = 'x', 0.5) and when($p = null, true)",
        "from Notes where exact(vector.search(embedding.f32_i8(E), [[1, -0.5e1], [2, 3]], 0.7, 10)) and A = 1",
        "from Notes where vector.search(E, embedding.forDoc('a')) or vector.search(embedding.i1(B), $p, null, 5)",
    ];

    private static readonly string[] Pieces =
    [
        "(", ")", "{", "}", "'", "\"", ",", " and ", " or ", " not ", " in ", " all in ", "$p", "[]", ".", "-", "\\",
        "/*", "//", "\n", "é", "\ud800", "=", "!=", "<", "1e5", "1e999", "99999999999999999999", " as ", "from ",
        "limit ", "`",
        "vector.search(", "embedding.i8(", "[1,", "]", "between ", "order by ",
        "select ", "include ", "declare function ", "\0", " null ", "@metadata", "id()",
    ];

    [Fact]
    public void Two_million_query_texts_are_parsed_or_refused_with_a_position() => Parallel.For(0, 20, part =>
    {
        int seed = 500 + part;
        Random random = new(seed);
        TimeSpan longest = TimeSpan.Zero;
        int refused = 0;
        for (int round = 0; round < Texts / 20; round++)
        {
            string text = Next(random);
            long began = Stopwatch.GetTimestamp();
            try
            {
                RqlParser.Parse(text);
            }
            catch (RqlException error)
            {
                refused++;
                Assert.True(
                    error.Position >= 0 && error.Position <= text.Length && error.Line > 0 && error.Column > 0,
                    $"seed {seed}, round {round}: {text}");
            }
            catch (Exception other)
            {
                Assert.Fail($"seed {seed}, round {round}: {other.GetType().Name} of {text}");
            }

            TimeSpan time = Stopwatch.GetElapsedTime(began);
            longest = time > longest ? time : longest;
            Assert.True(time < LongestMax, $"seed {seed}, round {round}: {time} for {text}");
        }

        output.WriteLine($"seed {seed}: {refused} refused, the longest took {longest.TotalMilliseconds:0.0} ms");
        Assert.InRange(refused, 1, (Texts / 20) - 1);
    });

    /// <summary>A sample with changes, or a few pieces of several, or pieces alone.</summary>
    private static string Next(Random random)
    {
        string text = random.Next(8) switch
        {
            0 => string.Concat(Enumerable.Range(0, random.Next(1, 40)).Select(_ => Pieces[random.Next(Pieces.Length)])),
            1 => Cut(random) + Cut(random),
            _ => Samples[random.Next(Samples.Length)],
        };
        for (int change = random.Next(1, 5); change > 0; change--)
        {
            int at = random.Next(text.Length + 1);
            int to = Math.Min(text.Length, at + random.Next(6));
            text = text[..at] + (random.Next(3) > 0 ? Pieces[random.Next(Pieces.Length)] : "") + text[to..];
        }

        return text;
    }

    private static string Cut(Random random)
    {
        string sample = Samples[random.Next(Samples.Length)];
        return random.Next(2) == 0 ? sample[..random.Next(sample.Length)] : sample[random.Next(sample.Length)..];
    }
}
